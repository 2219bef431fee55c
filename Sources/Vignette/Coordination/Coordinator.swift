import Foundation
import Synchronized

/// Runs the work of a pipeline once for all who want the same at the same time, each stage within its limits.
///
/// All state is one `Coordination` behind one lock; this class carries out, outside the lock, what its transitions
/// return. A cancelled waiter gets `CancellationError` at once and never disturbs the others; the last one out cancels
/// the work.
final class Coordinator: Sendable {
  typealias Graph = Coordination<Waiter<EncodedImage>, Waiter<Picture>>
  typealias Report = DataLoader.Report

  /// Somebody who waits for a piece of work.
  struct Waiter<Output: Sendable>: Sendable {
    fileprivate let continuation: CheckedContinuation<Output, any Error>
    fileprivate let report: Report?
  }

  /// One of the two kinds of work that coalesce.
  struct Kind<Key: Hashable & Sendable, Output: Sendable>: Sendable {
    fileprivate let table: any WritableKeyPath<Graph, WorkTable<Key, Waiter<Output>, WorkLink>> & Sendable
    fileprivate let link: @Sendable (WorkTicket<Key>) -> WorkLink
    fileprivate let owner: @Sendable (WorkNode<Key>) -> WorkOwner
  }

  struct State {
    var graph: Graph
    var seats: [SeatID: Seat] = [:]
  }

  let state: Locked<State>

  init(limits: Graph.Limits) { state = Locked(State(graph: Graph(limits: limits))) }

  /// Pieces of work under way.
  var count: Int { state.withLock { $0.graph.sources.count + $0.graph.pictures.count } }

  /// Claims that wait for a place at a stage.
  func waitingCount(_ stage: Stage) -> Int { state.withLock { $0.graph.waitingCount(stage) } }

  /// Whether nothing is under way and every place is free.
  var isIdle: Bool {
    state.withLock { state in
      state.seats.isEmpty && state.graph.sources.count + state.graph.pictures.count == 0
    }
  }

  /// - Parameters:
  ///   - urgency: how much the caller wants it; followed while it waits.
  ///   - joined: called when the work was already under way.
  ///   - work: runs in a task of its own.
  func value<Key, Output>(
    of kind: Kind<Key, Output>, for key: Key, urgency: Urgency, report: Report? = nil,
    joined: @Sendable () -> Void = {}, work: @escaping @Sendable (Work) async throws -> Output
  ) async throws -> Output {
    let ticket = state.withLock { $0.graph[keyPath: kind.table].makeTicket(key) }
    let link = kind.link(ticket)
    defer { detach(urgency, from: link) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let waiter = Waiter(continuation: continuation, report: report)
        switch join(kind, ticket, waiter, urgency: urgency, link: link) {
        case nil: continuation.resume(throwing: CancellationError())
        case .wait: joined()
        case .start(let node): start(kind, node, urgency: urgency, work: work)
        }
      }
    } onCancel: {
      leave(kind, ticket)
    }
  }

  /// `nil` when the task was cancelled before: the cancellation handler found nothing to take out. A task's flag is set
  /// before its handler runs, so one of the two always sees the other.
  private func join<Key, Output>(
    _ kind: Kind<Key, Output>, _ ticket: WorkTicket<Key>, _ waiter: Waiter<Output>, urgency: Urgency, link: WorkLink
  ) -> WorkTable<Key, Waiter<Output>, WorkLink>.Join? {
    let result = transition { graph -> (WorkTable<Key, Waiter<Output>, WorkLink>.Join?, Graph.Effects) in
      guard !Task.isCancelled, let priority = urgency.priority(linking: link, in: &graph) else { return (nil, .init()) }
      let join = graph[keyPath: kind.table].join(ticket, waiter, priority: priority)
      guard case .wait(_, let change) = join else { return (join, .init()) }
      return (join, graph.pass(change))
    }
    // The handle may have been set to another priority since.
    if result != nil { attach(urgency, to: link) }
    return result
  }

  private func leave<Key, Output>(_ kind: Kind<Key, Output>, _ ticket: WorkTicket<Key>) {
    let left = transition { graph in
      let left = graph[keyPath: kind.table].leave(ticket)
      return (left, graph.pass(left?.change))
    }
    left?.task?.cancel()
    left?.waiter.continuation.resume(throwing: CancellationError())
  }

  private func start<Key, Output>(
    _ kind: Kind<Key, Output>, _ node: WorkNode<Key>, urgency: Urgency,
    work: @escaping @Sendable (Work) async throws -> Output
  ) {
    let context = Work(owner: kind.owner(node)) { [self] progress in
      for waiter in state.withLock({ $0.graph[keyPath: kind.table].waiters(node) }) { waiter.report?(progress) }
    }
    let task = Task(priority: urgency.task) { [self] in
      let result: Result<Output, any Error>
      do { result = .success(try await work(context)) } catch { result = .failure(error) }
      let waiters = state.withLock { $0.graph[keyPath: kind.table].finish(node) }
      for waiter in waiters { waiter.continuation.resume(with: result) }
    }
    let isWanted = state.withLock { $0.graph[keyPath: kind.table].didStart(node, task: task) }
    if !isWanted { task.cancel() }
  }

  // MARK: Priorities

  /// From now on `link` has the handle's priority.
  func attach(_ urgency: Urgency, to link: WorkLink) {
    guard case .live(let handle) = urgency else { return }
    handle.follow(link) { [weak self, weak handle] in
      guard let self, let handle else { return }
      transition { graph in ((), graph.setPriority(link, handle.value)) }
    }
  }

  func detach(_ urgency: Urgency, from link: WorkLink) {
    switch urgency {
    case .fixed: break
    case .live(let handle): handle.unfollow(link)
    case .work(let work): state.withLock { $0.graph.unlink(work.owner, from: link) }
    }
  }

  // MARK: Effects

  /// One transition under the lock, and then what it asks for.
  @discardableResult
  func transition<Result>(_ body: (inout Graph) -> (Result, Graph.Effects)) -> Result {
    let (result, actions) = state.withLock { state -> (Result, Actions) in
      let (result, effects) = body(&state.graph)
      return (result, state.actions(for: effects))
    }
    actions.carryOut()
    return result
  }
}

/// How much somebody wants what they wait for.
enum Urgency: Sendable {
  case fixed(ImagePriority)
  /// As a handle says, now and later.
  case live(LivePriority)
  /// As much as some other work is wanted.
  case work(Work)

  var task: TaskPriority? {
    switch self {
    case .fixed(let priority): priority.task
    case .live(let handle): handle.value.task
    case .work: nil
    }
  }

  /// The priority now. `nil` when the work on whose behalf it would be waited for is wanted no more.
  func priority<One, Other>(
    linking link: WorkLink, in graph: inout Coordination<One, Other>
  ) -> ImagePriority? {
    switch self {
    case .fixed(let priority): priority
    case .live(let handle): handle.value
    case .work(let work): graph.link(work.owner, to: link)
    }
  }
}

/// A piece of work that runs: what it waits for is as urgent as it is itself.
struct Work: Sendable {
  let owner: WorkOwner
  /// Tells everybody who waits how far the transfer has come.
  let report: DataLoader.Report
}

extension Coordinator.Kind where Key == SourceWork, Output == EncodedImage {
  static var sources: Self { Self(table: \.sources, link: { .source($0) }, owner: { .source($0) }) }
}

extension Coordinator.Kind where Key == PictureWork, Output == Picture {
  static var pictures: Self { Self(table: \.pictures, link: { .picture($0) }, owner: { .picture($0) }) }
}
