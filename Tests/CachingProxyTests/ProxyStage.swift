import Foundation
import HTTPCaching
import Synchronized
import VignetteTesting

@testable import CachingProxy

/// An origin, the proxy in front of it, and a clock that stands still.
final class ProxyStage: Sendable {
  let clock = ManualClock()
  let origin: ScriptedServer
  let proxy: CachingProxy
  private let log: Locked<[ProxyRecord]>

  init(
    limits: ProxyLimits = .patient, _ handler: @escaping ScriptedServer.Handler
  ) throws {
    origin = try ScriptedServer(handler)
    var configuration = CachingProxy.Configuration(origin: origin.url(""))
    configuration.limits = limits
    let log = Locked<[ProxyRecord]>([])
    self.log = log
    configuration.report = { record in log.withLock { $0.append(record) } }
    var caching = HTTPLoader.Configuration()
    caching.clock = clock.wall
    var curl = CurlTransport.Configuration()
    curl.userAgent = ""
    curl.connectionsPerHost = 64
    proxy = try CachingProxy(configuration, transport: CurlTransport(configuration: curl), caching: caching)
  }

  deinit { origin.stop() }

  var records: [ProxyRecord] { log.withLock { $0 } }

  /// One request on a connection of its own; the last response, which is the final one.
  func send(
    _ method: String = "GET", _ target: String = "/", _ headers: [String] = [], body: String = ""
  ) async throws -> RawResponse {
    let lines = ["\(method) \(target) HTTP/1.1", "Host: proxy.test", "Connection: close"] + headers
    let text = lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    guard let last = try await raw(text, methods: [method]).last else { throw RawClient.Failure() }
    return last
  }

  /// Sends text as it is; every response, interim ones included.
  func raw(_ text: String, methods: [String] = ["GET"]) async throws -> [RawResponse] {
    RawClient.responses(try await RawClient.exchange(proxy.port, [Data(text.utf8)]), methods: methods)
  }
}

extension ProxyLimits {
  /// With times that no test reaches, however busy the machine is.
  static var patient: ProxyLimits {
    var limits = ProxyLimits()
    limits.idleSeconds = 600
    limits.headSeconds = 600
    limits.originSeconds = 600
    limits.originWaitSeconds = 600
    return limits
  }
}
