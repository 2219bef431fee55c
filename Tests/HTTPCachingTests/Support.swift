import Foundation
import HTTPCaching
import VignetteTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

typealias Response = ScriptedServer.Response

func options(
  idle: Double = 50, total: Double? = 100, limit: Int = 256 << 20, redirects: Int = 10
) -> TransportOptions {
  var options = TransportOptions()
  options.idleTimeout = idle
  options.totalTimeout = total
  options.maximumBodyBytes = limit
  options.maximumRedirects = redirects
  return options
}

/// Bytes that differ along their length, so that a lost or doubled piece shows.
func pattern(_ count: Int) -> Data {
  var data = Data(capacity: count)
  while data.count < count { data.append(block.prefix(count - data.count)) }
  return data
}

/// Of prime length, so that no piece of a transfer is a whole number of blocks.
private let block = Data((0..<10_007).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

extension HTTPTransport {
  /// The whole answer, as most callers want it.
  func get(
    _ url: URL, headers: [String: String] = [:], options: TransportOptions = options()
  ) async throws -> (response: HTTPResponse, body: Data) {
    var request = URLRequest(url: url)
    request.allHTTPHeaderFields = headers
    let exchange = try await send(request, options: options)
    return (exchange.response, try await exchange.body.collect())
  }

  /// The code with which a GET fails, or a description of what happened instead.
  func failure(_ url: URL, options: TransportOptions = options()) async -> String {
    await failure(URLRequest(url: url), options: options)
  }

  func failure(_ request: URLRequest, options: TransportOptions = options()) async -> String {
    do {
      let exchange = try await send(request, options: options)
      return "status \(exchange.response.status), \(try await exchange.body.collect().count) bytes"
    } catch let error as HTTPError {
      return error.message.isEmpty ? "no message" : error.code.rawValue
    } catch {
      return "\(error)"
    }
  }
}
