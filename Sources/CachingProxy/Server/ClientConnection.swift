import Foundation
import HTTPCaching
import Synchronized

/// One client's connection: its requests one after another, each answered before the next is read.
struct ClientConnection: Sendable {
  let socket: Socket
  let forwarder: Forwarder
  let limits: ProxyLimits
  /// Its own among the connections, for as long as it is served.
  let place: Places.Place
  let idle: IdleConnections
  /// Bytes that request bodies may still take.
  let bodyBytesLeft: Locked<Int>
  let report: @Sendable (ProxyRecord) -> Void

  /// Returns when the connection has ended.
  func serve() async {
    var reader = RequestReader(socket, limits: limits)
    do {
      while let head = try await nextRequest(&reader) {
        guard try await serve(head, &reader) else { break }
      }
      await finish()
    } catch let fault as RequestFault {
      if (try? await refuse(.unreadable, fault)) != nil { await finish() }
    } catch {
      // The client has gone, or the proxy is ending: nobody is left to tell.
    }
  }

  private func finish() async { await socket.finish(within: limits.lingerSeconds, bytes: limits.lingerBytes) }

  /// - Returns: `nil` where none comes, or the connection has to make way for another.
  private func nextRequest(_ reader: inout RequestReader) async throws -> RequestHead? {
    if reader.hasUnread { return try await reader.head() }
    guard let ticket = idle.enter(socket) else {
      // A request that is here already is served, as the last: it would be lost with the connection.
      guard try await reader.waitForRequest(within: 0), var last = try await reader.head() else { return nil }
      last.headers.append(name: "Connection", value: "close")
      return last
    }
    let hasCome: Bool
    do { hasCome = try await reader.waitForRequest(within: limits.idleSeconds) } catch {
      _ = idle.leave(ticket)
      throw error
    }
    return try idle.leave(ticket) && hasCome ? await reader.head() : nil
  }

  /// - Returns: whether another request may follow.
  private func serve(_ head: RequestHead, _ reader: inout RequestReader) async throws -> Bool {
    let clock = ExchangeClock(head)
    let relay = InterimRelay(socket, limits, isWanted: head.minorVersion == 1)
    let outcome = await answer(head, &reader, relay.responses)
    await relay.end()
    switch outcome {
    case .success(let answer): return try await send(answer, to: head, clock)
    case .failure(let fault as RequestFault):
      try await refuse(head, fault)
      return false
    case .failure(let error): throw error
    }
  }

  private func answer(
    _ head: RequestHead, _ reader: inout RequestReader, _ interim: InterimResponses
  ) async -> Result<Answer, any Error> {
    do {
      if let expected = head.headers["Expect"], expected.asciiLowercased != "100-continue" {
        throw RequestFault(417, "Only 100-continue can be expected.")
      }
      let share = ByteShare(of: bodyBytesLeft)
      let body = try await reader.body(head, share: share) {
        guard head.awaitsContinue else { return }
        var pace = Pace(limits)
        try await socket.send(ResponseHead.interim(100), &pace)
      }
      return .success(try await forwarder.answer(head, body: body, interim: interim))
    } catch {
      return .failure(error)
    }
  }

  /// Answers with the fault; the connection ends with it.
  private func refuse(_ head: RequestHead, _ fault: RequestFault) async throws {
    var last = head
    last.headers["Connection"] = "close"
    _ = try await send(Answer(fault, now: forwarder.clock.now()), to: last, ExchangeClock(head))
  }

  /// - Returns: whether another request may follow.
  private func send(_ answer: Answer, to request: RequestHead, _ clock: ExchangeClock) async throws -> Bool {
    let head = ResponseHead(answer, to: request)
    var writer = BodyWriter(socket, head, limits)
    do {
      try await writer.write(answer.body)
      report(clock.record(answer, bytes: writer.bytes, isComplete: true))
    } catch {
      // The connection ends before the body does, which tells the client that it is not whole.
      report(clock.record(answer, bytes: writer.bytes, isComplete: false))
      throw SocketEnd.closed
    }
    return head.keepsAlive
  }
}

extension RequestHead {
  /// Stands in for a request that cannot be read.
  fileprivate static let unreadable = RequestHead(
    method: "", target: "", minorVersion: 1, headers: HTTPHeaders(), framing: .none)
}

/// Sends a response, its body framed as its head says, and counts the body's bytes.
struct BodyWriter {
  private let socket: Socket
  private let head: ResponseHead
  private var pace: Pace
  private(set) var bytes = 0

  /// Up to here a head and a body that is here go out in one piece.
  private static let joinedBytes = 64 << 10

  init(_ socket: Socket, _ head: ResponseHead, _ limits: ProxyLimits) {
    self.socket = socket
    self.head = head
    pace = Pace(limits)
  }

  mutating func write(_ body: Answer.Body) async throws {
    switch body {
    case .data(let data): try await write(data)
    case .stream(let stream, _):
      try await socket.send(head.data, &pace)
      guard head.framing != .none else { return }
      // The next piece is not asked for before the client has taken this one.
      for try await chunk in stream { try await write(chunk: chunk) }
      if head.framing == .chunked { try await socket.send(Data("0\r\n\r\n".utf8), &pace) }
    }
  }

  private mutating func write(_ data: Data) async throws {
    let sent = head.framing == .none ? Data() : data
    guard sent.count > Self.joinedBytes else {
      try await socket.send(head.data + sent, &pace)
      bytes = sent.count
      return
    }
    try await socket.send(head.data, &pace)
    try await socket.send(sent, &pace)
    bytes = sent.count
  }

  private mutating func write(chunk: Data) async throws {
    if head.framing == .chunked {
      try await socket.send(
        Data("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Data("\r\n".utf8), &pace)
    } else {
      try await socket.send(chunk, &pace)
    }
    bytes += chunk.count
  }
}
