import Foundation
import HTTPCaching
import Synchronized

/// Reads requests off one connection, one after another. What was sent ahead of its turn waits here, or in the system's
/// buffers: no more is read than the request under way needs.
struct RequestReader {
  private let socket: Socket
  private let limits: ProxyLimits
  private var unread: ArraySlice<UInt8> = []

  private static let readBytes = 16 << 10

  init(_ socket: Socket, limits: ProxyLimits) {
    self.socket = socket
    self.limits = limits
  }

  // MARK: Heads

  /// Whether a request, or the beginning of one, is here.
  var hasUnread: Bool { !unread.isEmpty }

  /// Waits until the client begins another request.
  /// - Returns: `false` where it sends no more, or nothing for too long.
  mutating func waitForRequest(within seconds: Double) async throws(SocketEnd) -> Bool {
    do { return try await fill(within: seconds) } catch {
      if case .timedOut = error { return false }
      throw error
    }
  }

  /// The head of a request that has begun; `nil` where the client sends empty lines alone.
  /// - Throws: `RequestFault` or `SocketEnd`.
  mutating func head() async throws -> RequestHead? {
    var searched = 0
    let start = DispatchTime.now().uptimeNanoseconds
    while true {
      if skipEmptyLines() { searched = 0 }
      let end = endOfHead(from: searched)
      guard (end ?? unread.endIndex) - unread.startIndex <= limits.headBytes else { throw tooLong }
      if let end {
        let head = try RequestHead(unread[..<end])
        unread = unread[(end + 2)...]
        return head
      }
      searched = unread.count
      // A client that sends byte by byte does not get more time for each.
      let elapsed = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
      do {
        guard try await fill(within: limits.headSeconds - elapsed) else {
          guard unread.isEmpty else { throw RequestFault(400, "The request ends within its head.") }
          return nil
        }
      } catch SocketEnd.timedOut {
        guard unread.isEmpty else { throw RequestFault(408, "The request's head took too long.") }
        return nil
      }
    }
  }

  private var tooLong: RequestFault {
    unread.prefix(limits.headBytes).contains(UInt8(ascii: "\n"))
      ? RequestFault(431, "The request's head is longer than \(limits.headBytes) bytes.")
      : RequestFault(414, "The request's target is longer than \(limits.headBytes) bytes.")
  }

  /// Clients used to send one after a body (RFC 9112, section 2.2).
  private mutating func skipEmptyLines() -> Bool {
    let count = unread.count
    while unread.starts(with: [13, 10]) { unread = unread.dropFirst(2) }
    return unread.count < count
  }

  /// Where the empty line begins, or a line ends with a bare line feed, for which the head is refused when it is parsed.
  private func endOfHead(from offset: Int) -> Int? {
    unread.withUnsafeBufferPointer { bytes in
      for at in offset..<max(bytes.count, offset) where bytes[at] == 10 {
        guard at > 0, bytes[at - 1] == 13 else { return unread.startIndex + at + 1 }
        if at > 2, bytes[at - 2] == 10 { return unread.startIndex + at - 1 }
      }
      return nil
    }
  }

  // MARK: Bodies

  /// The request's whole body; `nil` where it has none.
  /// - Parameter wanted: called before the client is waited for.
  /// - Throws: `RequestFault` or `SocketEnd`.
  mutating func body(
    _ head: RequestHead, share: ByteShare, wanted: () async throws -> Void
  ) async throws -> Data? {
    switch head.framing {
    case .none: return nil
    case .length(let length):
      guard length <= limits.bodyBytes else { throw bodyTooLong }
      return try await body(length: length, share: share, wanted: wanted)
    case .chunked: return try await chunkedBody(share: share, wanted: wanted)
    }
  }

  private mutating func body(length: Int, share: ByteShare, wanted: () async throws -> Void) async throws -> Data {
    var body = Data()
    var pace = Pace(limits)
    if length > unread.count { try await wanted() }
    while body.count < length {
      if unread.isEmpty { try await fill(&pace) }
      let piece = unread.prefix(length - body.count)
      guard share.grow(by: piece.count) else { throw Self.busy }
      body.append(contentsOf: piece)
      pace.note(bytes: piece.count)
      unread = unread.dropFirst(piece.count)
    }
    return body
  }

  private mutating func chunkedBody(share: ByteShare, wanted: () async throws -> Void) async throws -> Data {
    var body = Data()
    var pace = Pace(limits)
    var decoder = ChunkedDecoder()
    var isWanted = false
    let (limit, tooLong) = (limits.bodyBytes, bodyTooLong)
    while true {
      try decoder.consume(&unread) { piece throws(RequestFault) in
        guard body.count + piece.count <= limit else { throw tooLong }
        guard share.grow(by: piece.count) else { throw Self.busy }
        body.append(contentsOf: piece)
        pace.note(bytes: piece.count)
      }
      if decoder.isDone { return body }
      if !isWanted { try await wanted() }
      isWanted = true
      try await fill(&pace)
    }
  }

  private var bodyTooLong: RequestFault {
    RequestFault(413, "The request's body is longer than \(limits.bodyBytes) bytes.")
  }

  private static let busy = RequestFault(503, "Too many bodies are being received; try again.")
  private static let brokenOff = RequestFault(400, "The request ends within its body.")
  private static let tooSlow = RequestFault(408, "The request's body took too long.")

  /// Waits for more of a body.
  private mutating func fill(_ pace: inout Pace) async throws {
    let hasMore: Bool
    do {
      hasMore = try await pace.spend { seconds throws(SocketEnd) in try await fill(within: seconds) }
    } catch SocketEnd.timedOut {
      throw Self.tooSlow
    }
    guard hasMore else { throw Self.brokenOff }
  }

  /// - Returns: `false` at the end of what the client sends.
  private mutating func fill(within seconds: Double) async throws(SocketEnd) -> Bool {
    let bytes = try await socket.receive(limit: Self.readBytes, within: seconds)
    if unread.isEmpty { unread = bytes[...] } else { unread += bytes }
    return !bytes.isEmpty
  }
}
