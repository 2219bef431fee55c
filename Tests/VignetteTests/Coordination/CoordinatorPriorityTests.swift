import Synchronized
import Testing
import VignetteTesting

@testable import Vignette

@Suite("Priorities while work waits for its turn", .timeLimit(.minutes(5)))
struct CoordinatorPriorityTests {
  private let coordinator = Coordinator.small()
  private let order = Journal<String>()

  /// A source that notes its name when it gets the place for downloads. Returns once it waits for it.
  private func queue(_ name: String, _ urgency: Urgency) async -> Task<UInt8, any Error> {
    let count = coordinator.waitingCount(.download)
    let task = Task { [coordinator, order] in
      try await coordinator.source(name, urgency) { work in
        let place = try await coordinator.takePlace(.download, urgency: .work(work))
        order.add(name)
        place.giveBack()
        return 1
      }
    }
    await coordinator.waits(count + 1, at: .download)
    return task
  }

  /// A picture made of a source that stands in the queue under the picture's name.
  private func queuePicture(_ name: String, _ urgency: Urgency) async -> Task<Void, any Error> {
    let count = coordinator.waitingCount(.download)
    let task = Task { [coordinator, order] in
      try await coordinator.picture(name, urgency) { picture in
        _ = try await coordinator.source(name, .work(picture)) { work in
          let place = try await coordinator.takePlace(.download, urgency: .work(work))
          order.add(name)
          place.giveBack()
          return 1
        }
      }
    }
    await coordinator.waits(count + 1, at: .download)
    return task
  }

  private func occupy() async throws -> Coordinator.Place {
    try await coordinator.takePlace(.download, urgency: .fixed(.urgent))
  }

  @Test("a handle that is raised moves what waits ahead, and one that is lowered, behind")
  func live() async throws {
    let place = try await occupy()
    let handles = (0..<4).map { _ in LivePriority(.normal) }
    var tasks: [Task<UInt8, any Error>] = []
    for (number, handle) in handles.enumerated() { tasks.append(await queue("\(number)", .live(handle))) }
    handles[2].set(.visible)
    handles[3].set(.urgent)
    handles[0].set(.prefetch)
    place.giveBack()
    for task in tasks { _ = try await task.value }
    #expect(order.entries == ["3", "2", "1", "0"])
    #expect(coordinator.isIdle)
  }

  @Test("the last of many changes is the one that counts")
  func lastCounts() async throws {
    let place = try await occupy()
    let handle = LivePriority(.normal)
    var tasks = [await queue("changing", .live(handle)), await queue("steady", .fixed(.normal))]
    for level in ImagePriority.allCases.reversed() { handle.set(level) }
    tasks.append(await queue("later", .fixed(.background)))
    place.giveBack()
    for task in tasks { _ = try await task.value }
    #expect(order.entries == ["steady", "later", "changing"])
  }

  @Test("a picture's handle moves the source it waits for")
  func throughPicture() async throws {
    let place = try await occupy()
    let handle = LivePriority(.prefetch)
    let tasks = [
      await queuePicture("live", .live(handle)), await queuePicture("first", .fixed(.normal)),
      await queuePicture("second", .fixed(.normal)),
    ]
    handle.set(.visible)
    place.giveBack()
    for task in tasks { try await task.value }
    #expect(order.entries == ["live", "first", "second"])
    #expect(coordinator.isIdle)
  }

  @Test("queued work that an urgent request joins moves ahead, and falls back when that one leaves")
  func joined() async throws {
    let place = try await occupy()
    let tasks = [await queue("a", .fixed(.background)), await queue("b", .fixed(.normal))]
    let joined = Journal<Void>()
    let eager = Task { [coordinator] in
      try await coordinator.source("a", .fixed(.urgent), joined: { joined.add(()) }) { _ in 2 }
    }
    await eventually { joined.count == 1 }
    // In the queue again, behind what waits at its level already.
    let third = await queue("c", .fixed(.background))
    eager.cancel()
    await #expect(throws: CancellationError.self) { try await eager.value }
    place.giveBack()
    for task in tasks + [third] { _ = try await task.value }
    #expect(order.entries == ["b", "c", "a"])
  }

  @Test("the one who joins takes the work along when it is wanted more")
  func joinedStays() async throws {
    let place = try await occupy()
    let tasks = [await queue("a", .fixed(.background)), await queue("b", .fixed(.normal))]
    let joined = Journal<Void>()
    let eager = Task { [coordinator] in
      try await coordinator.source("a", .fixed(.visible), joined: { joined.add(()) }) { _ in 2 }
    }
    await eventually { joined.count == 1 }
    place.giveBack()
    for task in tasks + [eager] { #expect(try await task.value == 1) }
    #expect(order.entries == ["a", "b"])
  }

  @Test("a place that is waited for on nobody's behalf follows its handle too")
  func placeFollowsHandle() async throws {
    let place = try await occupy()
    let handle = LivePriority(.prefetch)
    let waiting = Task { [coordinator, order] in
      let place = try await coordinator.takePlace(.download, urgency: .live(handle))
      order.add("live")
      place.giveBack()
    }
    await coordinator.waits(1, at: .download)
    let other = await queue("fixed", .fixed(.normal))
    handle.set(.visible)
    place.giveBack()
    try await waiting.value
    _ = try await other.value
    #expect(order.entries == ["live", "fixed"])
    #expect(handle.followerCount == 0)
  }

  @Test("10,000 prefetches that wait do not delay what becomes visible")
  func manyPrefetches() async throws {
    let coordinator = Coordinator.small(downloads: 2)
    let places = [
      try await coordinator.takePlace(.download, urgency: .fixed(.visible)),
      try await coordinator.takePlace(.download, urgency: .fixed(.visible)),
    ]
    let started = Journal<Int>()
    let take: @Sendable (Int, ImagePriority) async throws -> Void = { name, level in
      let place = try await coordinator.takePlace(.download, urgency: .fixed(level))
      started.add(name)
      place.giveBack()
    }
    let prefetches = (1...10_000).map { name in Task { try await take(name, .prefetch) } }
    await coordinator.waits(10_000, at: .download)
    let visible = Task { try await take(0, .visible) }
    await coordinator.waits(10_001, at: .download)
    places[0].giveBack()
    try await visible.value
    #expect(started.entries == [0])
    places[1].giveBack()
    for task in prefetches { try await task.value }
    #expect(started.count == 10_001)
    #expect(coordinator.isIdle)
  }

  @Test("a handle set by many threads at once ends with its value in the queue", arguments: 0..<100)
  func concurrentSets(_ round: Int) async throws {
    let place = try await occupy()
    let handle = LivePriority(.normal)
    let changing = await queue("changing", .live(handle))
    await withTaskGroup(of: Void.self) { group in
      for level in [ImagePriority.background, .visible] {
        group.addTask { handle.set(level) }
      }
    }
    let steady = await queue("steady", .fixed(.normal))
    let isFirst = handle.value == .visible
    place.giveBack()
    _ = try await (changing.value, steady.value)
    #expect(order.entries == (isFirst ? ["changing", "steady"] : ["steady", "changing"]))
  }
}
