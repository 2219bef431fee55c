import FoundationNetworking
import HTTPCaching

/// The way to the origin, whose heads are looked at before anybody stores or passes them on.
struct OriginTransport: HTTPTransport {
  let base: any HTTPTransport

  func send(_ request: URLRequest, options: TransportOptions) async throws -> HTTPExchange {
    let exchange = try await base.send(request, options: options)
    try exchange.response.checkMayBePassedOn()
    return exchange
  }
}
