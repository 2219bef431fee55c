import Testing

@testable import Vignette

@Suite("Network return")
struct NetworkReturnTests {
  @Test("nobody waits while the network is there")
  func reachable() {
    var table = ReachabilityTable<String>()
    #expect(table.update(isReachable: true, isConstrained: false) == [])
    #expect(table.enter(table.ticket(), "a", isCancelled: false) == "a")
    #expect(table.count == 0)
  }

  @Test("waiters are resumed when the network returns, each once")
  func returns() {
    var table = ReachabilityTable<String>()
    #expect(table.update(isReachable: false, isConstrained: false) == [])
    let tickets = [table.ticket(), table.ticket()]
    #expect(table.enter(tickets[0], "a", isCancelled: false) == nil)
    #expect(table.enter(tickets[1], "b", isCancelled: false) == nil)
    #expect(table.update(isReachable: false, isConstrained: false) == [])
    #expect(table.update(isReachable: true, isConstrained: false).sorted() == ["a", "b"])
    #expect(table.update(isReachable: true, isConstrained: false) == [])
    #expect(table.leave(tickets[0]) == nil)
  }

  @Test("before the system has spoken one waits for it")
  func unknown() {
    var table = ReachabilityTable<String>()
    #expect(table.isReachable == nil)
    #expect(table.enter(table.ticket(), "a", isCancelled: false) == nil)
    #expect(table.update(isReachable: true, isConstrained: false) == ["a"])
  }

  @Test("a cancelled waiter leaves alone, whether the cancellation comes before it waits or after")
  func cancelled() {
    var table = ReachabilityTable<String>()
    let (early, late, other) = (table.ticket(), table.ticket(), table.ticket())
    #expect(table.leave(early) == nil)
    #expect(table.enter(early, "early", isCancelled: true) == "early")
    #expect(table.enter(late, "late", isCancelled: false) == nil)
    #expect(table.enter(other, "other", isCancelled: false) == nil)
    #expect(table.leave(late) == "late")
    #expect(table.leave(late) == nil)
    #expect(table.update(isReachable: true, isConstrained: false) == ["other"])
  }

  @Test("a constrained network is reported as long as it is one")
  func constrained() {
    var table = ReachabilityTable<String>()
    #expect(!table.isConstrained)
    _ = table.update(isReachable: true, isConstrained: true)
    #expect(table.isConstrained)
    _ = table.update(isReachable: true, isConstrained: false)
    #expect(!table.isConstrained)
  }

  @Test("where no system tells, a wait ends with its task", .timeLimit(.minutes(5)))
  func never() async {
    #expect(!NetworkReturn.never.isConstrained())
    let waiting = Task {
      await NetworkReturn.never.wait()
      return Task.isCancelled
    }
    waiting.cancel()
    #expect(await waiting.value)
  }
}
