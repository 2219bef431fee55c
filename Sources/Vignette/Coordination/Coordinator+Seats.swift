import Foundation
import Synchronized

extension Coordinator {
  /// A place at a stage that is held until it is given back, once.
  struct Place: Sendable {
    let seat: Seat
    fileprivate let coordinator: Coordinator
    fileprivate let urgency: Urgency

    func giveBack() { coordinator.leave(seat, urgency: urgency) }
  }

  /// Waits for a place at a stage, at the priority of whoever wants it.
  ///
  /// - Parameter lane: the host, where a stage limits those too.
  /// - Throws: `CancellationError` when the task was cancelled before its turn.
  func takePlace(_ stage: Stage, lane: String = "", urgency: Urgency) async throws -> Place {
    let seat = Seat(id: state.withLock { $0.graph.makeSeat(stage) })
    do {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          seat.wait(continuation)
          if !claim(seat, lane: lane, urgency: urgency) { seat.drop() }
        }
      } onCancel: {
        cancel(seat)
      }
    } catch {
      leave(seat, urgency: urgency)
      throw error
    }
    return Place(seat: seat, coordinator: self, urgency: urgency)
  }

  /// Runs work that blocks, off the threads of Swift's tasks, when there is a place for it.
  ///
  /// - Parameter body: calls its argument between rows: it tells whether nobody wants the work any more, and lets
  ///   prefetched work make way for what is visible.
  func runBlocking<Output: Sendable>(
    _ stage: Stage, urgency: Urgency, _ body: @escaping @Sendable (@escaping @Sendable () -> Bool) throws -> Output
  ) async throws -> Output {
    let place = try await takePlace(stage, urgency: urgency)
    // Given back before the caller goes on, so that a caller sees an idle stage after its own work.
    defer { place.giveBack() }
    return try await runBlocking(at: place, body)
  }

  /// The same at a place that the caller has, and gives back.
  func runBlocking<Output: Sendable>(
    at place: Place, _ body: @escaping @Sendable (@escaping @Sendable () -> Bool) throws -> Output
  ) async throws -> Output {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // A serial queue of its own each: those get threads beside the ones that Swift's tasks run on. Concurrent
        // queues share theirs with them on Linux, where a full house of decodes would hold up every task.
        DispatchQueue(label: "vignette.\(place.seat.id.stage)", qos: .userInitiated).async {
          continuation.resume(with: Result { try body { self.checkpoint(place.seat) } })
        }
      }
    } onCancel: {
      cancel(place.seat)
    }
  }

  private func claim(_ seat: Seat, lane: String, urgency: Urgency) -> Bool {
    let (isClaimed, actions) = state.withLock { state -> (Bool, Actions) in
      // Cancelled before: the handler found nothing to withdraw.
      guard !seat.isCancelled, let priority = urgency.priority(linking: .seat(seat.id), in: &state.graph) else {
        return (false, Actions())
      }
      state.seats[seat.id] = seat
      seat.begin(priority)
      let effects = state.graph.claim(seat.id, lane: lane, priority: priority)
      return (true, state.actions(for: effects))
    }
    actions.carryOut()
    // A handle may have been set to another priority since.
    if isClaimed { attach(urgency, to: .seat(seat.id)) }
    return isClaimed
  }

  private func cancel(_ seat: Seat) {
    seat.markCancelled()
    let isWithdrawn = state.withLock { $0.graph.withdraw(seat.id) }
    if isWithdrawn { seat.drop() }
  }

  fileprivate func leave(_ seat: Seat, urgency: Urgency) {
    detach(urgency, from: .seat(seat.id))
    let actions = state.withLock { state in
      state.seats[seat.id] = nil
      // Apart: in one expression the state would be read before it is changed, which copies all of it.
      let effects = state.graph.vacate(seat.id)
      return state.actions(for: effects)
    }
    actions.carryOut()
  }

  /// Between two rows of blocking work.
  private func checkpoint(_ seat: Seat) -> Bool {
    guard seat.takePreemption() else { return seat.isCancelled }
    // Made before the place is given up, so that whoever gives it back finds somebody waiting.
    let semaphore = seat.waitAsThread()
    // Cancelled before, it goes on, and ends; cancelled later, it is found waiting.
    let isPaused = transition { graph in seat.isCancelled ? (false, .init()) : graph.pause(seat.id) }
    if isPaused { semaphore.wait() }
    return seat.isCancelled
  }
}

/// What a transition asks to be done once the lock is free.
struct Actions {
  var started: [Seat] = []
  var preempted: [Seat] = []
  var repriorised: [Seat] = []

  func carryOut() {
    for seat in preempted { seat.preempt() }
    for seat in repriorised { seat.tellPriority() }
    for seat in started { seat.start() }
  }
}

extension Coordinator.State {
  func actions(for effects: Coordinator.Graph.Effects) -> Actions {
    // Noted under the lock, so that what is told last is what was decided last.
    for (seat, priority) in effects.repriorised { seats[seat]?.note(priority) }
    return Actions(
      started: effects.started.compactMap { seats[$0] }, preempted: effects.preempted.compactMap { seats[$0] },
      repriorised: effects.repriorised.compactMap { seats[$0.0] })
  }
}
