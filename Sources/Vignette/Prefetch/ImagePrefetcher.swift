import Synchronized

/// Loads pictures before they are wanted, behind everything else: no prefetch takes the last connection or the last
/// decode, and a view that asks for the same picture takes the work over at its own priority.
///
/// Starting and stopping are cheap, so call them as rows come near and go. Items that have not started are dropped
/// without a trace by `stop`; those under way are cancelled unless somebody else waits for them. Letting go of the
/// prefetcher stops it.
public final class ImagePrefetcher: Sendable {
  public enum Destination: Sendable {
    /// Decoded at the request's size and kept in the memory cache. The default.
    case memory
    /// Fetched into the HTTP cache and not decoded.
    case disk
  }

  /// How far it is. Counts begin anew when something is started after everything was done.
  public struct Progress: Hashable, Sendable {
    public var finished = 0
    public var failed = 0
    public var remaining = 0

    public var total: Int { finished + failed + remaining }
    /// 0...1; 1 when there is nothing to do.
    public var fraction: Double { total == 0 ? 1 : Double(finished + failed) / Double(total) }
  }

  private struct State {
    var queue: PrefetchQueue<PictureWork, ImageRequest>
    var tasks: [UInt64: Task<Void, Never>] = [:]
    var watchers: [UInt64: AsyncStream<Progress>.Continuation] = [:]
    var lastWatcher: UInt64 = 0

    var progress: Progress {
      Progress(finished: queue.finished, failed: queue.failed, remaining: queue.remaining)
    }

    func tellWatchers() {
      guard !watchers.isEmpty else { return }
      for watcher in watchers.values { watcher.yield(progress) }
    }
  }

  private let pipeline: ImagePipeline
  private let destination: Destination
  private let state: Locked<State>

  /// - Parameters:
  ///   - destination: default `.memory`.
  ///   - limit: items under way at once. Default 4.
  public init(pipeline: ImagePipeline = .shared, destination: Destination = .memory, limit: Int = 4) {
    self.pipeline = pipeline
    self.destination = destination
    state = Locked(State(queue: PrefetchQueue(limit: limit)))
  }

  deinit {
    let (tasks, watchers) = state.withLock { (Array($0.tasks.values), Array($0.watchers.values)) }
    for task in tasks { task.cancel() }
    for watcher in watchers { watcher.finish() }
  }

  /// Adds requests to the end of the line, in this order; those that are there already stay where they are. Their own
  /// priorities do not matter.
  public func start(_ requests: [ImageRequest]) {
    change { queue in
      for var request in requests {
        request.priority = .prefetch
        _ = queue.add(PictureWork(request), request)
      }
    }
  }

  /// Takes requests out of the line, and cancels those under way that nobody else waits for.
  public func stop(_ requests: [ImageRequest]) {
    cancel { queue in requests.compactMap { queue.remove(PictureWork($0)) } }
  }

  public func stopAll() { cancel { $0.removeAll() } }

  /// While paused nothing more starts; what is under way goes on. Default `false`.
  public var isPaused: Bool {
    get { state.withLock { $0.queue.isPaused } }
    set { change { $0.setPaused(newValue) } }
  }

  public var progress: Progress { state.withLock { $0.progress } }

  /// The progress now and after every change, for as long as the stream is read; a slow reader sees the latest.
  public func progressUpdates() -> AsyncStream<Progress> {
    let (stream, continuation) = AsyncStream.makeStream(of: Progress.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.lastWatcher += 1
      state.watchers[state.lastWatcher] = continuation
      continuation.yield(state.progress)
      return state.lastWatcher
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.watchers.removeValue(forKey: id) }
    }
    return stream
  }

  // MARK: Running

  private func cancel(_ body: (inout PrefetchQueue<PictureWork, ImageRequest>) -> [UInt64]) {
    var runs: [UInt64] = []
    change { runs = body(&$0) }
    let tasks = state.withLock { state in runs.compactMap { state.tasks.removeValue(forKey: $0) } }
    for task in tasks { task.cancel() }
  }

  private func change(_ body: (inout PrefetchQueue<PictureWork, ImageRequest>) -> Void) {
    state.withLock { state in
      body(&state.queue)
      for (key, run, request) in state.queue.startable() {
        // Made under the lock, so that whoever stops it finds it.
        state.tasks[run] = Task(priority: .background) { [weak self, pipeline, destination] in
          let succeeded = await Self.load(request, into: destination, pipeline)
          self?.finish(key, run: run, succeeded: succeeded)
        }
      }
      state.tellWatchers()
    }
  }

  private static func load(
    _ request: ImageRequest, into destination: Destination, _ pipeline: ImagePipeline
  ) async -> Bool {
    do {
      switch destination {
      case .memory: _ = try await pipeline.image(for: request)
      case .disk: try await pipeline.fetch(request)
      }
      return true
    } catch {
      return false
    }
  }

  private func finish(_ key: PictureWork, run: UInt64, succeeded: Bool) {
    state.withLock { $0.tasks[run] = nil }
    change { $0.finish(key, run: run, succeeded: succeeded) }
  }
}

extension PictureWork {
  init(_ request: ImageRequest) { self.init(key: request.key, mode: LoadMode(policy: request.policy)) }
}
