import Foundation
import Testing
import VignetteTesting

@testable import Vignette

/// Long random walks; with VIGNETTE_LONG_TESTS in the environment they take about ten minutes together.
@Suite("After any amount of work nothing is left", .timeLimit(.minutes(30)))
struct SoakTests {
  private static let isLong = ProcessInfo.processInfo.environment["VIGNETTE_LONG_TESTS"] != nil

  /// Steps of a walk, and walks; a new pipeline each.
  private static let scripted = isLong ? (steps: 100_000, walks: 4) : (steps: 12_000, walks: 1)
  private static let http = isLong ? (steps: 40_000, walks: 6) : (steps: 5_000, walks: 1)

  @Test("random loads, views, prefetches and memory events over scripted sources end with no work and true counters")
  func scriptedSources() async throws {
    for _ in 0..<Self.scripted.walks {
      try await Self.walk(steps: Self.scripted.steps) { ScriptedSoakWorld(clock: $0, seed: $1) }
    }
  }

  @Test("the same over a faulty server, an HTTP cache and a disk store ends with no connection and no open file")
  func faultyServer() async throws {
    for _ in 0..<Self.http.walks {
      try await Self.walk(steps: Self.http.steps) { try HTTPSoakWorld(clock: $0, seed: $1) }
    }
  }

  private static func walk(
    steps: Int, _ makeWorld: (ManualClock, UInt64) throws -> any SoakWorld
  ) async throws {
    let clock = ManualClock()
    let random = SeededRandom()
    print("soak: seed \(random.seed), \(steps) steps")
    let world = try makeWorld(clock, random.seed)
    var run: SoakRun? = try SoakRun(world, clock: clock, random: random)
    await run?.walk(steps: steps)
    try await run?.finish()
    let isGone = run?.watch()
    run = nil
    if let isGone { await eventually(isGone) }
    try await world.close()
  }
}
