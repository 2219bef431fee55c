import Foundation
import Glibc
import HTTPCaching
import Synchronized

/// A response as it came over the wire, its interim ones before it.
struct RawResponse: Sendable {
  var status: Int
  var headers: HTTPHeaders
  var body = Data()
  /// Whether the body came to the end that its framing announces.
  var isComplete = true

  var text: String { String(decoding: body, as: UTF8.self) }
}

/// Sends bytes and reads what comes until the other side closes. Blocks a thread of its own, never one of Swift's.
enum RawClient {
  struct Failure: Error {}

  /// Sends the pieces, each once something has come for the one before; what comes in all.
  static func exchange(_ port: UInt16, _ pieces: [Data]) async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
      let thread = WorkerThread {
        continuation.resume(with: Result { try exchangeBlocking(port, pieces) })
      }
      if thread == nil { continuation.resume(throwing: Failure()) }
    }
  }

  private static func exchangeBlocking(_ port: UInt16, _ pieces: [Data]) throws -> Data {
    let descriptor = try connect(port)
    defer { close(descriptor) }
    var all = Data()
    for (number, piece) in pieces.enumerated() {
      if number > 0 { all += try receive(descriptor) }
      let sent = piece.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      // A server that refuses early may have closed already.
      if sent < piece.count { break }
    }
    while true {
      let some = try receive(descriptor)
      if some.isEmpty { return all }
      all += some
    }
  }

  /// Reads until the text has come, calls `then`, and reads on to the end. Blocking.
  static func read(_ port: UInt16, _ request: Data, until text: String, then: () -> Void) throws -> String {
    let descriptor = try connect(port)
    defer { close(descriptor) }
    _ = request.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    var all = Data()
    var hasCalled = false
    while true {
      let some = try receive(descriptor)
      all += some
      if !hasCalled, some.isEmpty || all.range(of: Data(text.utf8)) != nil {
        hasCalled = true
        then()
      }
      if some.isEmpty { return String(decoding: all, as: UTF8.self) }
    }
  }

  /// Some bytes; none at the end. A reset counts as one: what came before it is what a test looks at.
  private static func receive(_ descriptor: Int32) throws -> Data {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count < 0, errno == EAGAIN { throw Failure() }
    return Data(buffer.prefix(max(count, 0)))
  }

  static func connect(_ port: UInt16) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard descriptor >= 0, status == 0 else { throw Failure() }
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    return descriptor
  }

  /// Reads responses off the bytes, by the rules of RFC 9112, section 6.3.
  /// - Parameter methods: of the requests, in order.
  static func responses(_ data: Data, methods: [String]) -> [RawResponse] {
    var rest = data[...]
    var methods = methods[...]
    var found: [RawResponse] = []
    while let end = rest.range(of: Data("\r\n\r\n".utf8)) {
      let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
      rest = rest[end.upperBound...]
      let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      var response = RawResponse(status: status, headers: HTTPHeaders())
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        response.headers.append(name: String(parts[0]), value: parts[1].trimmingCharacters(in: .whitespaces))
      }
      if status >= 200 { takeBody(&rest, of: &response, method: methods.popFirst() ?? "GET") }
      found.append(response)
    }
    return found
  }

  private static func takeBody(_ rest: inout Data.SubSequence, of response: inout RawResponse, method: String) {
    guard method != "HEAD", response.status != 204, response.status != 304 else { return }
    if response.headers["Transfer-Encoding"] == "chunked" {
      response.isComplete = false
      while let line = rest.range(of: Data("\r\n".utf8)) {
        let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16) ?? 0
        rest = rest[line.upperBound...]
        response.body += rest.prefix(size)
        rest = rest.dropFirst(size + 2)
        if size == 0 {
          response.isComplete = true
          return
        }
      }
      return
    }
    let length = response.headers["Content-Length"].flatMap { Int($0) } ?? rest.count
    response.body = Data(rest.prefix(length))
    response.isComplete = response.body.count == length
    rest = rest.dropFirst(length)
  }
}
