import FoundationNetworking
import HTTPCaching

/// The way to the origin, for so many requests at a time. Heads are looked at before anybody stores or passes them on.
struct OriginTransport: HTTPTransport {
  /// Why a request was not sent that waited too long for its turn.
  struct Busy: Error {}

  private let base: any HTTPTransport
  private let places: Places
  private let seconds: Double

  init(base: any HTTPTransport, limits: ProxyLimits) {
    self.base = base
    places = Places(limits.originExchanges)
    seconds = limits.originWaitSeconds
  }

  func send(_ request: URLRequest, options: TransportOptions) async throws -> HTTPExchange {
    guard let place = try await places.take(within: seconds) else {
      throw HTTPError(
        .timedOut, "Too many requests are with the server already; try again.", url: request.url, underlying: Busy())
    }
    var exchange = try await base.send(request, options: options)
    try exchange.response.checkMayBePassedOn()
    exchange.body = exchange.body.holding(place)
    return exchange
  }
}
