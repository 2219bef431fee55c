import Foundation
import Testing
import VignetteTesting

@Suite("A clock that is moved by hand", .timeLimit(.minutes(5)))
struct ManualClockTests {
  private let clock = ManualClock()

  private func sleeper(_ seconds: Double) -> Task<Void, any Error> {
    Task { [clock] in try await clock.sleep(seconds) }
  }

  @Test("wakes those whose time has come, and no others")
  func wakes() async throws {
    let short = sleeper(1)
    let long = sleeper(2)
    await clock.sleeping(2)
    clock.advance(by: 1.5)
    try await short.value
    #expect(clock.sleepers == 1)
    clock.advance(by: 0.5)
    try await long.value
    #expect(clock.sleepers == 0)
  }

  @Test("a cancelled sleeper wakes at once, whether it sleeps already or not")
  func cancels() async {
    let asleep = sleeper(1)
    await clock.sleeping(1)
    asleep.cancel()
    await #expect(throws: CancellationError.self) { try await asleep.value }
    let early = Task { [clock] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(1)
    }
    await #expect(throws: CancellationError.self) { try await early.value }
    #expect(clock.sleepers == 0)
  }

  @Test(
    "no time, less than none, and what is no number, are over at once", arguments: [0.0, -1, .nan, -Double.infinity])
  func nothing(_ seconds: Double) async throws {
    try await clock.sleep(seconds)
    #expect(clock.sleepers == 0)
  }

  @Test("going back changes the date and lengthens no wait")
  func goesBack() async throws {
    let start = clock.now
    let sleeping = sleeper(10)
    await clock.sleeping(1)
    clock.advance(by: -3_600)
    #expect(clock.now == start - 3_600 && clock.pipeline.uptime() == 0)
    clock.advance(by: 10)
    try await sleeping.value
    #expect(clock.pipeline.uptime() == 10)
  }
}
