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
    try await blocking(port) { try exchange($0, pieces) }
  }

  private static func exchange(_ descriptor: Int32, _ pieces: [Data]) throws -> Data {
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

  /// Runs `work` with a connection on a thread of its own.
  static func blocking<Result: Sendable>(
    _ port: UInt16, _ work: @escaping @Sendable (_ descriptor: Int32) throws -> Result
  ) async throws -> Result {
    try await onThread {
      let descriptor = try connect(port)
      defer { close(descriptor) }
      return try work(descriptor)
    }
  }

  private static func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result
  {
    try await withCheckedThrowingContinuation { continuation in
      let thread = WorkerThread { continuation.resume(with: Swift.Result { try work() }) }
      if thread == nil { continuation.resume(throwing: Failure()) }
    }
  }

  /// Sends a request and reads nothing but the first byte of what comes.
  /// - Returns: the connection, for the caller to close.
  static func begin(_ port: UInt16, _ target: String) async throws -> Int32 {
    try await onThread {
      let descriptor = try connect(port)
      let request = Data("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
      _ = request.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      var byte: UInt8 = 0
      guard recv(descriptor, &byte, 1, 0) == 1 else {
        close(descriptor)
        throw Failure()
      }
      return descriptor
    }
  }

  /// Reads what comes to its end.
  static func drain(_ descriptor: Int32) async throws {
    try await onThread { while try !receive(descriptor).isEmpty {} }
  }

  /// Sends the text, and then the piece again and again until the other side has closed.
  /// - Returns: how many bytes the system took.
  static func flood(_ port: UInt16, _ text: String, with piece: Data) async throws -> Int {
    try await blocking(port) { descriptor in
      var (sent, bytes) = (0, Data(text.utf8))
      while true {
        let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count > 0 else { return sent }
        sent += count
        bytes = piece
      }
    }
  }

  /// Sends the text, and then a byte whenever nothing has come for some milliseconds.
  /// - Returns: what comes.
  static func dribble(_ port: UInt16, _ text: String) async throws -> String {
    try await blocking(port) { descriptor in
      var bytes = Data(text.utf8)
      while bytes.withUnsafeBytes({ send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) > 0 {
        var watched = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        if poll(&watched, 1, 5) != 0 { break }
        bytes = Data("x".utf8)
      }
      return (try? receive(descriptor)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }

  /// Sends the request and reads what comes byte by byte, to the end or until `isEnough`.
  static func sip(_ port: UInt16, _ request: Data, until isEnough: @escaping @Sendable () -> Bool) async throws {
    try await blocking(port) { descriptor in
      _ = request.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      var byte: UInt8 = 0
      while !isEnough(), recv(descriptor, &byte, 1, 0) == 1 {}
    }
  }

  /// Sends the request and reads until the text has come, calls `then`, and reads on to the end.
  static func read(
    _ port: UInt16, _ request: Data, until text: String, then: @escaping @Sendable () -> Void
  ) async throws -> String {
    try await blocking(port) { try read($0, request, until: text, then: then) }
  }

  private static func read(_ descriptor: Int32, _ request: Data, until text: String, then: () -> Void) throws -> String
  {
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
