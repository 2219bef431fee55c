import FoundationNetworking
import HTTPCaching

/// The way to the origin. A response without a date gets that of its arrival, as whoever stores or passes it on has to
/// see to (RFC 9110, section 6.6.1).
struct OriginTransport: HTTPTransport {
  let base: any HTTPTransport
  let clock: WallClock

  func send(_ request: URLRequest, options: TransportOptions) async throws -> HTTPExchange {
    var exchange = try await base.send(request, options: options)
    if exchange.response.headers["Date"] == nil {
      exchange.response.headers["Date"] = CalendarTime(clock.now()).imfFixdate
    }
    return exchange
  }
}
