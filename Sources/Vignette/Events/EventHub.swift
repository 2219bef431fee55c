import Foundation
import Synchronized

/// Counts what happens in a pipeline and tells whoever listens.
///
/// Invariants: an event is counted and given to every stream under one lock, so that the counters and what a stream
/// has seen never disagree, and streams see events in the order in which they were counted. Where nobody listens an
/// event costs one lock and no memory.
final class EventHub: Sendable {
  private struct State {
    var counters = PipelineCounters()
    var streams: [UInt64: AsyncStream<PipelineEvent>.Continuation] = [:]
    var lastID: UInt64 = 0
  }

  private let state = Locked(State())
  private let observe: (@Sendable (PipelineEvent) -> Void)?

  init(observer: PipelineObserver?) { observe = observer?.observe }

  var counters: PipelineCounters { state.withLock { $0.counters } }

  /// Streams that are read, or will be.
  var streamCount: Int { state.withLock { $0.streams.count } }

  func record(_ kind: PipelineEvent.Kind, _ request: ImageRequest? = nil) {
    state.withLock { state in
      state.counters.add(kind)
      guard !state.streams.isEmpty else { return }
      for stream in state.streams.values { stream.yield(PipelineEvent(kind: kind, url: request?.url)) }
    }
    observe?(PipelineEvent(kind: kind, url: request?.url))
  }

  func stream(limit: Int) -> AsyncStream<PipelineEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: PipelineEvent.self, bufferingPolicy: .bufferingNewest(max(1, limit)))
    let id = state.withLock { state in
      state.lastID += 1
      state.streams[state.lastID] = continuation
      return state.lastID
    }
    continuation.onTermination = { [weak self] _ in _ = self?.state.withLock { $0.streams.removeValue(forKey: id) } }
    return stream
  }

  deinit {
    for stream in state.withLock({ $0.streams.values }) { stream.finish() }
  }
}

/// Told of every event of a pipeline as it happens, on whichever thread that is: for logs and measurements. A struct
/// of closures; what it calls must be quick and must not call the pipeline.
public struct PipelineObserver: Sendable {
  public var observe: @Sendable (PipelineEvent) -> Void

  public init(observe: @escaping @Sendable (PipelineEvent) -> Void) { self.observe = observe }

  /// Several observers as one.
  public static func all(_ observers: [PipelineObserver]) -> PipelineObserver {
    PipelineObserver { event in
      for observer in observers { observer.observe(event) }
    }
  }
}
