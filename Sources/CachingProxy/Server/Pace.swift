import Dispatch

/// How long a client may still keep the proxy waiting within one body, in either direction. Waiting uses the time up,
/// bytes bring some back: at most `idleSeconds` can be left, and a client that comes to no more than `bytesPerSecond`
/// has none in the end, however evenly it spreads them. Pure.
struct Pace {
  private let limit: Double
  private let bytesPerSecond: Double
  private(set) var secondsLeft: Double

  init(_ limits: ProxyLimits) {
    limit = max(limits.idleSeconds, 0)
    bytesPerSecond = max(limits.bytesPerSecond, 1)
    secondsLeft = limit
  }

  mutating func note(bytes: Int) { secondsLeft = min(limit, secondsLeft + Double(bytes) / bytesPerSecond) }

  mutating func note(waited seconds: Double) { secondsLeft = max(0, secondsLeft - seconds) }
}

extension Pace {
  /// Waits for the client.
  /// - Parameter wait: given the seconds that it may take.
  mutating func spend<Result>(
    _ wait: (_ seconds: Double) async throws(SocketEnd) -> Result
  ) async throws(SocketEnd) -> Result {
    let start = DispatchTime.now().uptimeNanoseconds
    defer { note(waited: Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9) }
    return try await wait(secondsLeft)
  }
}
