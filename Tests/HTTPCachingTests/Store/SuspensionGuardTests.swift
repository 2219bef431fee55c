import Foundation
import Synchronized
import Testing

@testable import HTTPCaching

@Suite("The store gives up its locks before its process is suspended", .timeLimit(.minutes(5)))
struct SuspensionGuardTests {
  /// What the system is asked, and answers.
  private final class System: Sendable {
    struct State {
      var begun = 0
      var ended = 0
      var isExpired = false
    }
    let state = Locked(State())

    func suspension(isInBackground: Bool = false) -> SuspensionGuard {
      SuspensionGuard(isInBackground: isInBackground) { [state] in
        state.withLock { $0.begun += 1 }
        return SuspensionGuard.Activity(
          isExpired: { state.withLock { $0.isExpired } }, end: { state.withLock { $0.ended += 1 } })
      }
    }

    func count(_ begun: Int, _ ended: Int) -> Bool { state.withLock { $0.begun == begun && $0.ended == ended } }
  }

  private let system = System()

  @Test("in the foreground the system is not asked")
  func foreground() {
    let suspension = system.suspension()
    suspension.enqueue()
    #expect(suspension.begin())
    suspension.end { Issue.record("nothing is to be released") }
    #expect(system.count(0, 0))
  }

  @Test("in the background one activity serves all jobs that wait, and ends after the locks are released")
  func background() {
    let suspension = system.suspension()
    suspension.enterBackground()
    for _ in 0..<3 { suspension.enqueue() }
    var released = 0
    for job in 1...3 {
      #expect(suspension.begin())
      suspension.end {
        released += 1
        #expect(job == 3 && system.count(1, 0))
      }
    }
    #expect(released == 1 && system.count(1, 1))
    suspension.enterForeground()
    suspension.enqueue()
    #expect(suspension.begin() && system.count(1, 1))
  }

  @Test("an activity that expires ends after the job at hand; one that is refused lets no job take locks")
  func expiry() {
    let suspension = system.suspension(isInBackground: true)
    for _ in 0..<2 { suspension.enqueue() }
    #expect(suspension.begin())
    system.state.withLock { $0.isExpired = true }
    var released = 0
    suspension.end { released += 1 }
    #expect(released == 1 && system.count(1, 1))
    #expect(!suspension.begin())
    suspension.end { released += 1 }
    #expect(released == 2 && system.count(2, 2))
  }

  @Test("the foreground that comes during an activity ends it in good order")
  func foregroundMeanwhile() {
    let suspension = system.suspension(isInBackground: true)
    for _ in 0..<2 { suspension.enqueue() }
    #expect(suspension.begin())
    suspension.enterForeground()
    suspension.end { Issue.record("another job waits") }
    #expect(suspension.begin())
    suspension.end {}
    #expect(system.count(1, 1))
  }

  @Test("a store closes its index when the app goes to the background, opens it for a load there, and loses nothing")
  func store() async throws {
    let directory = TemporaryDirectory()
    let suspension = system.suspension()
    var configuration = DiskStore.Configuration(directory: directory.url)
    configuration.idleDelay = 1000
    let store = DiskStore(configuration: configuration, directory: directory.url, suspension: suspension)
    store.put("a", pattern(100))
    await store.flush()
    let log = directory.path("vignette-index.sqlite-wal")
    #expect(FileManager.default.fileExists(atPath: log))
    suspension.enterBackground()
    // The job that closes it is behind no other.
    while FileManager.default.fileExists(atPath: log) || !system.count(1, 1) { await Task.yield() }
    #expect(await store.get("a") == pattern(100))
    while FileManager.default.fileExists(atPath: log) || !system.count(2, 2) { await Task.yield() }
    suspension.enterForeground()
    store.put("b", pattern(100))
    #expect(await store.get("b") == pattern(100))
    #expect(FileManager.default.fileExists(atPath: log) && system.count(2, 2))
  }

  @Test("a process that is about to be suspended has nothing stored, and the store works when it comes back")
  func refused() async {
    let directory = TemporaryDirectory()
    let suspension = system.suspension()
    let lines = Locked<[String]>([])
    var configuration = DiskStore.Configuration(directory: directory.url)
    configuration.idleDelay = 1000
    configuration.log = { line in lines.withLock { $0.append(line) } }
    let store = DiskStore(configuration: configuration, directory: directory.url, suspension: suspension)
    store.put("a", pattern(100))
    await store.flush()
    system.state.withLock { $0.isExpired = true }
    suspension.enterBackground()
    for _ in 0..<3 { #expect(await store.get("a") == nil) }
    #expect(lines.withLock { $0.count } == 1)
    suspension.enterForeground()
    #expect(await store.get("a") == pattern(100))
  }
}
