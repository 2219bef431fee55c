import Testing
import VignetteTesting

@testable import Vignette

@Suite("A place that is taken when the network is used", .timeLimit(.minutes(5)))
struct SourceLeaseTests {
  private let coordinator = Coordinator.small()

  private func lease(_ urgency: Urgency = .fixed(.visible)) -> SourceLease {
    SourceLease(coordinator, host: "a", urgency: urgency)
  }

  @Test("a response that uses no network takes no place")
  func unused() {
    let lease = lease()
    #expect(coordinator.isIdle)
    lease.end()
    #expect(coordinator.isIdle)
  }

  @Test("asked for again, one place is enough")
  func twice() async throws {
    let lease = lease()
    try await lease.admit()
    try await lease.admit()
    #expect(!coordinator.isIdle)
    lease.end()
    #expect(coordinator.isIdle)
  }

  @Test("the second transfer waits for the end of the first")
  func waits() async throws {
    let (first, second) = (lease(), lease())
    try await first.admit()
    let waiting = Task { try await second.admit() }
    await coordinator.waits(1, at: .download)
    first.end()
    try await waiting.value
    second.end()
    #expect(coordinator.isIdle)
  }

  @Test("a place that comes after the end is given back")
  func afterTheEnd() async throws {
    let (first, second) = (lease(), lease())
    try await first.admit()
    let waiting = Task { try await second.admit() }
    await coordinator.waits(1, at: .download)
    second.end()
    first.end()
    try await waiting.value
    #expect(coordinator.isIdle)
  }

  @Test("let go of, a lease gives its place back")
  func lettingGo() async throws {
    var first: SourceLease? = lease()
    try await first?.admit()
    #expect(!coordinator.isIdle)
    first = nil
    #expect(coordinator.isIdle)
  }

  @Test("a cancelled wait takes no place")
  func cancelled() async throws {
    let (first, second) = (lease(), lease())
    try await first.admit()
    let waiting = Task { try await second.admit() }
    await coordinator.waits(1, at: .download)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    first.end()
    second.end()
    #expect(coordinator.isIdle)
  }

  @Test("the transfer is told when it is wanted sooner or later")
  func priority() async throws {
    let (handle, seen) = (LivePriority(.normal), Journal<ImagePriority>())
    let lease = lease(.live(handle))
    try await lease.admit()
    handle.set(.visible)
    lease.followPriority { seen.add($0) }
    handle.set(.urgent)
    handle.set(.prefetch)
    lease.end()
    handle.set(.urgent)
    #expect(seen.entries == [.visible, .urgent, .prefetch])
  }
}
