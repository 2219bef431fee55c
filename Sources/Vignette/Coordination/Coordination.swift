/// Where work waits for its turn.
enum Stage: Int, CaseIterable, Sendable {
  case download, file, decode, store
}

/// A claim to one place at a stage.
struct SeatID: Hashable, Sendable {
  let stage: Stage
  fileprivate let number: UInt64
}

/// What a piece of work waits for: other work, or a place at a stage.
enum WorkLink: Hashable, Sendable {
  case source(WorkTicket<SourceWork>)
  case picture(WorkTicket<PictureWork>)
  case seat(SeatID)
}

/// On whose behalf something is waited for.
enum WorkOwner: Hashable, Sendable {
  case source(WorkNode<SourceWork>)
  case picture(WorkNode<PictureWork>)
}

/// Everything under way in a pipeline, as one pure value behind one lock: the sources being fetched, the pictures
/// being made of them, and the places at each stage.
///
/// Invariant: whatever a piece of work waits for has its priority, at every moment: a change at the top is passed down
/// through pictures and sources to the places they claim, in the same transition. Chains are as deep as a request has
/// processors, and two more.
struct Coordination<SourceWaiter, PictureWaiter> {
  /// How many may be at each stage at once.
  struct Limits: Sendable {
    var downloads = 12
    var downloadsPerHost = 6
    var files = 4
    var decodes: Int
    var stores = 1
  }

  /// What the owner does outside the lock.
  struct Effects {
    var started: [SeatID] = []
    /// These run and are asked to pause.
    var preempted: [SeatID] = []
    /// These wait or run, and are now wanted this much.
    var repriorised: [(SeatID, ImagePriority)] = []
  }

  var sources = WorkTable<SourceWork, SourceWaiter, WorkLink>()
  var pictures = WorkTable<PictureWork, PictureWaiter, WorkLink>()
  private var queues: [Scheduler<SeatID>]
  private var lastSeat: UInt64 = 0

  init(limits: Limits) {
    queues = Stage.allCases.map { stage in
      switch stage {
      case .download: Scheduler(limit: limits.downloads, laneLimit: limits.downloadsPerHost)
      case .file: Scheduler(limit: limits.files)
      case .decode: Scheduler(limit: limits.decodes)
      case .store: Scheduler(limit: limits.stores)
      }
    }
  }

  func waitingCount(_ stage: Stage) -> Int { queues[stage.rawValue].waitingCount }
  func runningCount(_ stage: Stage) -> Int { queues[stage.rawValue].running.count }

  // MARK: Priorities

  /// From now on `link` has the owner's priority, which is the answer; `nil` when the owner was superseded.
  mutating func link(_ owner: WorkOwner, to link: WorkLink) -> ImagePriority? {
    switch owner {
    case .source(let node): sources.link(node, to: link)
    case .picture(let node): pictures.link(node, to: link)
    }
  }

  mutating func unlink(_ owner: WorkOwner, from link: WorkLink) {
    switch owner {
    case .source(let node): sources.unlink(node, from: link)
    case .picture(let node): pictures.unlink(node, from: link)
    }
  }

  /// Gives one waiter or place another priority, and with it all that it makes more or less urgent.
  mutating func setPriority(_ link: WorkLink, _ priority: ImagePriority) -> Effects {
    var effects = Effects()
    var changes = [(link, priority)]
    while let (link, priority) = changes.popLast() {
      switch link {
      case .source(let ticket): changes += sources.setPriority(ticket, priority)?.passedOn ?? []
      case .picture(let ticket): changes += pictures.setPriority(ticket, priority)?.passedOn ?? []
      case .seat(let seat):
        effects.repriorised.append((seat, priority))
        effects.add(queues[seat.stage.rawValue].setPriority(seat, priority))
      }
    }
    return effects
  }

  /// Passes on what joining or leaving some work has changed.
  mutating func pass(_ change: PriorityChange<WorkLink>?) -> Effects {
    var effects = Effects()
    for (link, priority) in change?.passedOn ?? [] { effects.add(setPriority(link, priority)) }
    return effects
  }

  // MARK: Places

  mutating func makeSeat(_ stage: Stage) -> SeatID {
    lastSeat += 1
    return SeatID(stage: stage, number: lastSeat)
  }

  mutating func claim(_ seat: SeatID, lane: String, priority: ImagePriority) -> Effects {
    Effects(queues[seat.stage.rawValue].enqueue(seat, priority: priority, lane: lane))
  }

  /// Gives a place back, or a claim up.
  mutating func vacate(_ seat: SeatID) -> Effects { Effects(queues[seat.stage.rawValue].finish(seat)) }

  /// Gives a claim up. Answers `false` when the place has been taken already.
  mutating func withdraw(_ seat: SeatID) -> Bool { queues[seat.stage.rawValue].cancel(seat) }

  /// Makes way for more urgent work; see `Scheduler.pause`.
  mutating func pause(_ seat: SeatID) -> (isPaused: Bool, effects: Effects) {
    let (isPaused, outcome) = queues[seat.stage.rawValue].pause(seat)
    return (isPaused, Effects(outcome))
  }
}

extension Coordination.Effects {
  fileprivate init(_ outcome: Scheduler<SeatID>.Outcome) {
    self.init(started: outcome.started, preempted: outcome.preempted)
  }

  fileprivate mutating func add(_ outcome: Scheduler<SeatID>.Outcome) { add(Self(outcome)) }

  mutating func add(_ other: Self) {
    started += other.started
    preempted += other.preempted
    repriorised += other.repriorised
  }
}
