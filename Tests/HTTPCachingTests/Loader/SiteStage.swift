import Foundation
import Synchronized
import VignetteTesting

@testable import HTTPCaching

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A loader before a site of several addresses: each answers what it was given last, and 404 before.
final class SiteStage: Sendable {
  typealias Reply = ScriptedTransport.Reply

  /// A request as it left the loader.
  struct Sent: Sendable {
    var request: URLRequest
    var options: TransportOptions
    /// The path of its URL, with the host before it where that is not "host".
    var place: String
  }

  let clock = ManualClock()
  /// Seconds since some moment, for time limits.
  let uptime = Locked(0.0)
  let loader: HTTPLoader
  private let recorder: Recorder

  init(configure: (inout HTTPLoader.Configuration) -> Void = { _ in }) {
    let recorder = Recorder()
    self.recorder = recorder
    var configuration = HTTPLoader.Configuration()
    configuration.clock = clock.wall
    configuration.uptime = { [uptime] in uptime.withLock { $0 } }
    configure(&configuration)
    loader = HTTPLoader(transport: recorder, configuration: configuration)
  }

  /// - Parameter place: a path, with a host before it where that is not "host".
  func answer(_ place: String, _ reply: Reply) { answer(place) { _ in reply } }

  func answer(_ place: String, _ reply: @escaping @Sendable (URLRequest) -> Reply) {
    recorder.replies.withLock { $0[place] = reply }
  }

  static func url(_ place: String) -> URL {
    let text = place.hasPrefix("/") ? "http://host" + place : "http://" + place
    return URL(string: text) ?? URL(fileURLWithPath: place)
  }

  func request(
    _ place: String, _ headers: [String: String] = [:], method: String = "GET",
    policy: URLRequest.CachePolicy = .useProtocolCachePolicy
  ) -> URLRequest {
    var request = URLRequest(url: Self.url(place), cachePolicy: policy)
    request.httpMethod = method
    request.allHTTPHeaderFields = headers
    return request
  }

  func load(
    _ place: String, _ headers: [String: String] = [:], method: String = "GET",
    policy: URLRequest.CachePolicy = .useProtocolCachePolicy, options: TransportOptions = options(),
    cachedAs name: String? = nil, progress: (@Sendable (HTTPProgress) -> Void)? = nil
  ) async throws -> HTTPResult {
    try await loader.data(
      for: request(place, headers, method: method, policy: policy), options: options, cachedAs: name,
      progress: progress)
  }

  /// The code with which a load fails, or what came instead.
  func failure(_ place: String, options: TransportOptions = options()) async -> String {
    do { return "status \(try await load(place, options: options).response.status)" } catch let error as HTTPError {
      return error.code.rawValue
    } catch { return "\(error)" }
  }

  var sent: [Sent] { recorder.sent.withLock { $0 } }
  var places: [String] { sent.map(\.place) }

  /// The last request's field of this name.
  func sent(_ name: String) -> String? { sent.last?.request.value(forHTTPHeaderField: name) }

  func forgetSent() { recorder.sent.withLock { $0 = [] } }

  /// Notes what is sent, with its options.
  private final class Recorder: HTTPTransport {
    let sent = Locked<[Sent]>([])
    let replies = Locked<[String: @Sendable (URLRequest) -> Reply]>([:])
    private let script: ScriptedTransport

    init() {
      let replies = replies
      script = ScriptedTransport { request in
        replies.withLock { $0[Self.place(request.url)] }?(request) ?? .status(404)
      }
    }

    static func place(_ url: URL?) -> String {
      let text = (url?.absoluteString ?? "").prefix { $0 != "#" }
      for start in ["http://host", "http://"] where text.hasPrefix(start) { return String(text.dropFirst(start.count)) }
      return String(text)
    }

    func send(_ request: URLRequest, options: TransportOptions) async throws -> HTTPExchange {
      sent.withLock { $0.append(Sent(request: request, options: options, place: Self.place(request.url))) }
      return try await script.send(request, options: options)
    }
  }
}

extension ScriptedTransport.Reply {
  static func redirect(_ status: Int, to location: String, _ control: String? = nil) -> Self {
    let reply = ScriptedTransport.Reply.data(Data("moved".utf8), status: status).header("Location", location)
    return control.map { reply.header("Cache-Control", $0) } ?? reply
  }

  static func picture(_ text: String = "picture", _ control: String? = "max-age=60") -> Self {
    let reply = ScriptedTransport.Reply.data(Data(text.utf8))
    return control.map { reply.header("Cache-Control", $0) } ?? reply
  }
}
