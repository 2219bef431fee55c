import Testing
import VignetteTesting

@testable import Vignette

@Suite("A priority that changes while something waits with it")
struct LivePriorityTests {
  private let link: WorkLink

  init() {
    var graph = Coordination<Int, Int>(limits: .init(decodes: 1))
    link = .seat(graph.makeSeat(.decode))
  }

  @Test("whoever follows looks at once, and again at every change")
  func follows() {
    let (handle, seen) = (LivePriority(.normal), Journal<ImagePriority>())
    handle.follow(link) { seen.add(handle.value) }
    handle.set(.urgent)
    handle.set(.prefetch)
    #expect(seen.entries == [.normal, .urgent, .prefetch])
    handle.unfollow(link)
  }

  @Test("whoever follows no more is told nothing")
  func unfollows() {
    let (handle, seen) = (LivePriority(.normal), Journal<ImagePriority>())
    handle.follow(link) { seen.add(handle.value) }
    handle.unfollow(link)
    handle.set(.urgent)
    #expect(seen.entries == [.normal])
    #expect(handle.followerCount == 0)
  }

  @Test("a handle may be set by what follows it")
  func setWhileTelling() {
    let handle = LivePriority(.normal)
    handle.follow(link) { if handle.value == .urgent { handle.set(.visible) } }
    handle.set(.urgent)
    #expect(handle.value == .visible)
    handle.unfollow(link)
  }
}
