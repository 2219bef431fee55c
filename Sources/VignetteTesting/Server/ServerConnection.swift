import Foundation

/// One connection on its thread: reads requests, asks the handler, does the answer's steps.
final class ServerConnection {
  private typealias Step = ScriptedServer.Response.Step

  private enum StepEnd {
    case done, closedByClient, over
  }

  private let descriptor: Int32
  private let number: Int
  private let core: ServerCore
  private var input = Data()
  private var path = ""

  private static let maximumHeadBytes = 64 << 10
  private static let maximumBodyBytes = 64 << 20

  init(_ descriptor: Int32, number: Int, core: ServerCore) {
    self.descriptor = descriptor
    self.number = number
    self.core = core
  }

  func run() {
    while let request = readRequest() {
      let (steps, keepsAlive) = core.handler(request).steps(for: request)
      for step in steps {
        switch perform(step) {
        case .done: continue
        case .closedByClient: return noteClosedByClient()
        case .over: return
        }
      }
      if !keepsAlive { return }
    }
  }

  // MARK: Requests

  private func readRequest() -> ScriptedServer.Request? {
    let separator = Data("\r\n\r\n".utf8)
    var end = input.range(of: separator)
    while end == nil {
      guard input.count <= Self.maximumHeadBytes, receive(), beginsLikeRequest else { return nil }
      end = input.range(of: separator)
    }
    guard let end, var request = ScriptedServer.Request(head: input[..<end.lowerBound], connection: number) else {
      return nil
    }
    input = Data(input[end.upperBound...])
    let length = Int(request.headers["Content-Length"] ?? "0") ?? 0
    guard length >= 0, length <= Self.maximumBodyBytes else { return nil }
    while input.count < length { guard receive() else { return nil } }
    request.body = Data(input.prefix(length))
    input = Data(input.dropFirst(length))
    path = request.path
    return record(request)
  }

  /// A TLS handshake, for one, is answered at once by closing rather than by waiting for its header's end.
  private var beginsLikeRequest: Bool {
    input.first.map { (UInt8(ascii: "A")...UInt8(ascii: "z")).contains($0) } ?? true
  }

  private func record(_ request: ScriptedServer.Request) -> ScriptedServer.Request {
    core.journal.record { log in
      var request = request
      log.counts[request.path, default: 0] += 1
      request.number = log.count(of: request.path)
      if log.requests.count >= ScriptedServer.Log.remembered { log.requests.removeFirst() }
      log.requests.append(request)
      return request
    }
  }

  private func receive() -> Bool {
    guard Sockets.waitForInput(descriptor, stop: core.stopSignal.descriptor) else { return false }
    var count = 0
    withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { buffer in
      count = Sockets.receive(descriptor, into: buffer)
      if count > 0 { input.append(contentsOf: buffer[..<count]) }
    }
    if count <= 0 { noteClosedByClient() }
    return count > 0
  }

  // MARK: Steps

  private func perform(_ step: Step) -> StepEnd {
    switch step {
    case .send(let data): return send(data)
    case .sendForever(let data):
      while true {
        let end = send(data)
        guard case .done = end else { return end }
      }
    case .wait(let seconds): return wait(gate: nil, seconds: seconds)
    case .hold(let gate): return wait(gate: gate.descriptor(), seconds: nil)
    case .stall: return wait(gate: nil, seconds: nil)
    case .close: return .over
    case .reset:
      Sockets.resetOnClose(descriptor)
      return .over
    }
  }

  private func wait(gate: Int32?, seconds: Double?) -> StepEnd {
    switch Sockets.wait(descriptor, stop: core.stopSignal.descriptor, gate: gate, seconds: seconds) {
    case .released, .timedOut: .done
    case .closedByPeer: .closedByClient
    case .stopped: .over
    }
  }

  private func send(_ data: Data) -> StepEnd {
    var rest = data[...]
    while !rest.isEmpty {
      guard let count = rest.withUnsafeBytes({ Sockets.send(descriptor, $0) }) else { return .closedByClient }
      core.journal.record { $0.bytesSent += count }
      rest = rest.dropFirst(count)
    }
    return .done
  }

  private func noteClosedByClient() {
    core.journal.record { [path] in $0.closedByClient[path, default: 0] += 1 }
  }
}
