import Foundation
import FoundationNetworking
import HTTPCaching

/// Gets the answer to a request: from the cache, or from the origin by way of it.
struct Forwarder: Sendable {
  let origin: URL
  let loader: HTTPLoader
  let limits: ProxyLimits
  let clock: WallClock

  /// - Parameter interim: told of interim responses, before the answer.
  /// - Throws: `RequestFault`, or `CancellationError`. What fails on the way to the origin is an answer.
  func answer(_ head: RequestHead, body: Data?, interim: InterimResponses) async throws -> Answer {
    if OriginRequest.forwards(of: head) == 0 { return .endOfWay(head, now: clock.now()) }
    let request = try OriginRequest.make(head, body: body, origin: origin)
    do {
      // What a body means to a GET only the origin knows (RFC 9110, section 9.3.1).
      if body != nil, head.method == "GET" || head.method == "HEAD" { return try await bypass(request, interim) }
      let result = try await loader.stream(for: request, options: options(interim))
      let body = result.body.map { Answer.Body.stream($0, length: result.response.announcedLength) }
      return Answer(result.response, body ?? .data(result.data), cacheStatus: result.cacheStatus, now: clock.now())
    } catch let failure as HTTPError {
      return Answer(failure, now: clock.now())
    }
  }

  private func bypass(_ request: URLRequest, _ interim: InterimResponses) async throws -> Answer {
    let exchange = try await loader.transport.send(request, options: options(interim))
    let status = CacheStatus(forward: .bypass, forwardStatus: exchange.response.status)
    return Answer(
      exchange.response, .stream(exchange.body, length: exchange.response.announcedLength), cacheStatus: status,
      now: clock.now())
  }

  /// Everything is passed on as it comes, once, for as long as it takes.
  private func options(_ interim: InterimResponses) -> TransportOptions {
    var options = TransportOptions()
    options.followsRedirects = false
    options.decodesContent = false
    options.repeatsRequests = false
    options.interim = interim
    options.idleTimeout = limits.originSeconds
    options.totalTimeout = nil
    options.maximumBodyBytes = .max
    return options
  }
}

extension HTTPResponse {
  /// The body's length in bytes, where the response says it and not by the coding of the transfer.
  fileprivate var announcedLength: Int? {
    headers["Transfer-Encoding"] == nil ? headers.values(of: "Content-Length").first.flatMap { Int($0) } : nil
  }
}
