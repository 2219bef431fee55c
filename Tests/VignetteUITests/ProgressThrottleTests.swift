import HTTPCaching
import Synchronized
import Testing

@testable import VignetteUI

@Suite("Which reports of a transfer are drawn")
struct ProgressThrottleTests {
  /// What is admitted of reports of so many bytes at such times.
  private func admitted(_ reports: [(bytes: Int, time: Double)], of expected: Int?) -> [Int] {
    var throttle = ProgressThrottle()
    return reports.filter { report in
      throttle.admits(
        AsyncImageProgress(receivedBytes: report.bytes, expectedBytes: expected), at: report.time)
    }.map(\.bytes)
  }

  @Test("the first and the last, whenever they come")
  func ends() {
    #expect(admitted([(1, 0), (500, 0), (999, 0.01), (1000, 0.01), (1000, 5)], of: 1000) == [1, 1000])
  }

  @Test("ten a second at most")
  func interval() {
    let reports = (1...1000).map { (bytes: $0 * 1000, time: Double($0) / 1000) }
    #expect(admitted(reports, of: 2_000_000).count == 10)
    #expect(admitted(reports, of: nil).count == 10)
  }

  @Test("steps of two per cent at least, where the length is known")
  func steps() {
    let reports = (0..<1000).map { (bytes: $0, time: Double($0)) }
    #expect(admitted(reports, of: 1000) == Array(stride(from: 0, to: 1000, by: 20)))
    #expect(admitted(reports, of: nil).count == 1000)
  }

  @Test("a transfer that begins again is drawn from its beginning")
  func again() {
    #expect(admitted([(900, 0), (10, 1), (500, 2)], of: 1000) == [900, 10, 500])
  }

  @Test(
    "the fraction is known where the length is, and never leaves 0...1",
    arguments: [
      (0, 10 as Int?, 0 as Double?), (5, 10, 0.5), (20, 10, 1), (5, nil, nil), (5, 0, nil), (5, -1, nil), (-5, 10, 0),
    ])
  func fraction(received: Int, expected: Int?, fraction: Double?) {
    #expect(AsyncImageProgress(receivedBytes: received, expectedBytes: expected).fraction == fraction)
  }

  @Test("what is admitted is delivered with numbers that rise")
  func delivered() async {
    let time = Locked(0.0)
    let (numbers, continuation) = AsyncStream<(Int, Int)>.makeStream()
    let reporter = ProgressReporter(uptime: { time.withLock { $0 } }) { number, progress in
      continuation.yield((number, progress.receivedBytes))
    }
    for bytes in [10, 11, 40, 100] {
      reporter.report(HTTPProgress(received: bytes, expected: 100))
      time.withLock { $0 += 0.0625 }
    }
    var seen: [Int: Int] = [:]
    for await (number, bytes) in numbers {
      seen[number] = bytes
      if seen.count == 3 { break }
    }
    #expect(seen == [1: 10, 2: 40, 3: 100])
  }
}
