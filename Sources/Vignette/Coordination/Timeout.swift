import Foundation

/// Runs `work` for at most `seconds`; then cancels it and throws `transport.timedOut`.
func withTimeout<Output: Sendable>(
  seconds: Double, _ work: @escaping @Sendable () async throws -> Output
) async throws -> Output {
  try await withThrowingTaskGroup(of: Output.self) { group in
    group.addTask { try await work() }
    group.addTask {
      // Beyond about 30 years the conversion would overflow; such a timeout means none.
      let nanoseconds = UInt64(min(max(0, seconds.isNaN ? 0 : seconds), 1e9) * 1e9)
      try await Task.sleep(nanoseconds: nanoseconds)
      throw ImageLoadingError(
        .timedOut, "The picture did not arrive within \(seconds) seconds; try again or allow more time.")
    }
    defer { group.cancelAll() }
    guard let first = try await group.next() else { throw CancellationError() }
    return first
  }
}
