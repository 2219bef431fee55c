import Dispatch
import Testing
import VignetteTesting

@testable import Vignette

@Suite("A claim to a place", .timeLimit(.minutes(5)))
struct SeatTests {
  private let seat: Seat

  init() {
    var graph = Coordination<Int, Int>(limits: .init(decodes: 1))
    seat = Seat(id: graph.makeSeat(.decode))
    seat.begin(.normal)
  }

  @Test("whoever waits is let go once, by the start or by the end of the claim", arguments: [true, false])
  func releasedOnce(_ starts: Bool) async throws {
    let task = Task { [seat] in
      try await withCheckedThrowingContinuation { continuation in
        seat.wait(continuation)
        if starts { seat.start() } else { seat.drop() }
        // A continuation that is resumed twice ends the process.
        seat.start()
        seat.drop()
      }
    }
    switch await task.result {
    case .success: #expect(starts)
    case .failure(let error): #expect(!starts && error is CancellationError)
    }
  }

  @Test("a thread is let go by the start or by the end of the claim", arguments: [true, false])
  func threadReleased(_ starts: Bool) {
    let semaphore = seat.waitAsThread()
    #expect(semaphore.wait(timeout: .now()) == .timedOut)
    if starts { seat.start() } else { seat.drop() }
    #expect(semaphore.wait(timeout: .now()) == .success)
  }

  @Test("a thread of cancelled work does not wait")
  func cancelledThread() {
    seat.markCancelled()
    #expect(seat.waitAsThread().wait(timeout: .now()) == .success)
  }

  @Test("work is asked once to make way, and not when it is cancelled")
  func preemption() {
    #expect(!seat.takePreemption())
    seat.preempt()
    #expect(seat.takePreemption())
    #expect(!seat.takePreemption())
    seat.preempt()
    seat.markCancelled()
    #expect(!seat.takePreemption())
  }

  // MARK: Priorities

  @Test("a listener is told the claim's priority, and then what differs")
  func told() {
    let seen = Journal<ImagePriority>()
    seat.begin(.normal)
    seat.followPriority { seen.add($0) }
    #expect(seen.entries == [.normal])
    for level in [ImagePriority.normal, .urgent, .urgent, .prefetch] {
      seat.note(level)
      seat.tellPriority()
    }
    #expect(seen.entries == [.normal, .urgent, .prefetch])
  }

  @Test("a listener that comes late is told at once what has changed")
  func late() {
    seat.note(.visible)
    seat.tellPriority()
    let seen = Journal<ImagePriority>()
    seat.followPriority { seen.add($0) }
    #expect(seen.entries == [.visible])
  }

  @Test("a listener that is slow hears the last priority last, and one at a time")
  func reentrant() {
    let seen = Journal<ImagePriority>()
    let seat = seat
    seat.followPriority { level in
      if level == .urgent {
        seat.note(.background)
        seat.tellPriority()
      }
      seen.add(level)
    }
    seat.note(.urgent)
    seat.tellPriority()
    #expect(seen.entries == [.normal, .urgent, .background])
  }
}
