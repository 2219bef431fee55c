import CCountingMalloc
import Foundation

/// CPU time (nanoseconds of this thread, the median of several rounds) and heap allocations of a small operation.
struct Meter {
  struct Reading {
    var name: String
    var nanoseconds: Double
    var allocations: Double
    var nanosecondsAllowed: Double?
    var allocationsAllowed: Double?

    var isWithinLimits: Bool {
      nanoseconds <= nanosecondsAllowed ?? .infinity && allocations <= allocationsAllowed ?? .infinity
    }

    var line: String {
      let limit = nanosecondsAllowed.map { String(format: "  (at most %.0f ns", $0) } ?? ""
      let allowed = allocationsAllowed.map { String(format: ", %.0f allocations", $0) } ?? ""
      let figures = String(format: "%7.0f ns  %5.2f allocations", nanoseconds, allocations)
      return name.padding(toLength: 38, withPad: " ", startingAt: 0) + figures
        + (limit.isEmpty ? "" : limit + allowed + (isWithinLimits ? ")" : ") TOO MUCH"))
    }

    var json: String {
      let name = name.trimmingCharacters(in: .whitespaces)
      return String(format: "{\"name\": \"\(name)\", \"ns\": %.1f, \"allocations\": %.2f}", nanoseconds, allocations)
    }
  }

  var rounds = 15
  var repetitions = 20_000

  func measure<Result>(
    _ name: String, atMost nanoseconds: Double? = nil, allocations: Double? = nil, _ body: () -> Result
  ) -> Reading {
    for _ in 0..<(repetitions / 4) { keep(body()) }
    var times: [Double] = []
    // The fewest of a round: another thread's allocations are counted too.
    var fewest = UInt64.max
    for _ in 0..<rounds {
      let (calls, start) = (counting_malloc_calls(), threadNanoseconds())
      for _ in 0..<repetitions { keep(body()) }
      times.append(Double(threadNanoseconds() - start) / Double(repetitions))
      fewest = min(fewest, counting_malloc_calls() - calls)
    }
    return Reading(
      name: name, nanoseconds: times.sorted()[rounds / 2], allocations: Double(fewest) / Double(repetitions),
      nanosecondsAllowed: nanoseconds, allocationsAllowed: counting_malloc_works() == 1 ? allocations : nil)
  }

  private func threadNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// Keeps the optimiser from leaving out what makes `value`.
@inline(never) @_optimize(none)
func keep<Value>(_ value: Value) {}
