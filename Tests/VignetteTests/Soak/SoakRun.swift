import Foundation
import HTTPCaching
import ImageCodecs
import Pixels
import Synchronized
import Testing
import VignetteTesting

@testable import Vignette

/// One random walk over everything a pipeline can be asked, and the end of it.
///
/// A walk is a number of steps, not a time, and what it asks for follows from its seed. (When things happen is up to the
/// scheduler; the checks hold whatever the order.) Invariant: no more than `limit` loads are waited for at a time.
final class SoakRun {
  private struct Load {
    let request: ImageRequest
    let picture: Int
    /// `nil` for a plain `image(for:)`.
    let handle: ImageTask?
    let task: Task<ImageResponse, any Error>

    func cancel() {
      // A handle's own task only waits for it.
      if let handle { handle.cancel() } else { task.cancel() }
    }
  }

  private static let limit = 48

  private let world: any SoakWorld
  private let clock: ManualClock
  private let requests: SoakRequests
  private let pipeline: ImagePipeline
  private let pressure = Locked<MemoryPressureSource.Handler?>(nil)
  private let views: [SoakView]
  private let prefetchers: [ImagePrefetcher]
  private let fold: Task<PipelineCounters, Never>
  private var random: SeededRandom
  private var loads: [Load] = []
  private let comment: Comment

  private static let lastAddress = "http://pictures.test/last"
  private static let budget = 200 << 10

  init(_ world: any SoakWorld, clock: ManualClock, random: SeededRandom) throws {
    self.world = world
    self.clock = clock
    self.random = random
    comment = "seed \(random.seed)"
    requests = try SoakRequests(world)
    var configuration = ImagePipeline.Configuration(loader: world.loader)
    if let decoder = world.decoder { configuration.decoder = decoder }
    configuration.memoryBudget = Self.budget
    configuration.concurrentDecodes = 2
    configuration.concurrentDownloads = 8
    configuration.concurrentDownloadsPerHost = 5
    configuration.clock = clock.pipeline
    // A wait for the next try is over at once, unless it is cancelled.
    configuration.clock.sleep = { _ in
      await Task.yield()
      try Task.checkCancellation()
    }
    configuration.memoryPressure = MemoryPressureSource { [pressure] handler in
      pressure.withLock { $0 = handler }
      return MemoryPressureSource.Subscription { pressure.withLock { $0 = nil } }
    }
    let pipeline = ImagePipeline(configuration: configuration)
    self.pipeline = pipeline
    views = (0..<12).map { _ in SoakView(pipeline) }
    prefetchers = [
      ImagePrefetcher(pipeline: pipeline, limit: 3), ImagePrefetcher(pipeline: pipeline, destination: .disk, limit: 2),
    ]
    fold = Self.sum(pipeline.events(limit: .max))
  }

  /// All that is told, as counters, up to the failure of the last address.
  private static func sum(_ events: AsyncStream<PipelineEvent>) -> Task<PipelineCounters, Never> {
    Task {
      var counters = PipelineCounters()
      for await event in events {
        counters.add(event.kind)
        if case .failed = event.kind, event.url?.absoluteString == lastAddress { break }
      }
      return counters
    }
  }

  func walk(steps: Int) async {
    for _ in 0..<steps {
      await step()
      #expect(pipeline.memory.cost <= pipeline.memory.budget, comment)
      if loads.count >= Self.limit { await waitForOne() }
    }
  }

  // MARK: Steps

  private func step() async {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<22: startHandle()
    case 22..<34: startPlain()
    case 34..<48: loads.randomElement(using: &random)?.cancel()
    case 48..<56:
      loads.randomElement(using: &random)?.handle?.priority =
        ImagePriority.allCases.randomElement(using: &random) ?? .visible
    case 56..<74: changeView()
    case 74..<82: changePrefetch()
    case 82..<85: await waitForOne()
    case 85..<88: world.flow(Bool.random(using: &random))
    case 88..<91: _ = pipeline.cachedImage(for: requests.random(&random).request)
    case 91..<94: clock.advance(by: Double.random(in: 0...40, using: &random))
    case 94..<96: changeMemory()
    default: await Task.yield()
    }
  }

  private func startHandle() {
    let (request, picture) = requests.random(&random)
    let handle = pipeline.task(for: request)
    loads.append(
      Load(request: request, picture: picture, handle: handle, task: Task { try await handle.response }))
  }

  private func startPlain() {
    let (request, picture) = requests.random(&random)
    loads.append(
      Load(
        request: request, picture: picture, handle: nil,
        task: Task { [pipeline] in try await pipeline.image(for: request) { _ in } }))
  }

  private func changeView() {
    guard let view = views.randomElement(using: &random) else { return }
    let (request, _) = requests.random(&random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1: view.change { $0.appear() }
    case 2: view.change { $0.disappear(.cancel) }
    case 3: view.change { $0.disappear(.lowerPriority) }
    case 4, 5: view.change { $0.want(request.target) }
    case 6: view.change { _ = $0.retry() }
    case 7: view.show(request, keepsPrevious: Bool.random(using: &random))
    default:
      // Another row: another picture, from its own size.
      view.change { $0.resetTarget(to: request.target) }
      view.show(request, keepsPrevious: false)
    }
  }

  private func changePrefetch() {
    guard let prefetcher = prefetchers.randomElement(using: &random) else { return }
    let some = (0..<Int.random(in: 1...6, using: &random)).map { _ in requests.random(&random).request }
    switch Int.random(in: 0..<8, using: &random) {
    case 0..<4: prefetcher.start(some)
    case 4, 5: prefetcher.stop(some)
    case 6: prefetcher.isPaused.toggle()
    default: prefetcher.stopAll()
    }
  }

  private func changeMemory() {
    switch Int.random(in: 0..<6, using: &random) {
    case 0..<3:
      guard let event = MemoryPressure.allCases.randomElement(using: &random) else { return }
      pressure.withLock { $0 }?(event)
    case 3: pipeline.memory.budget = [0, 20 << 10, Self.budget].randomElement(using: &random) ?? Self.budget
    case 4: pipeline.memory.remove(requests.random(&random).request.key.source)
    default: random.oneIn(4) ? world.forgetAll() : pipeline.memory.removeAll()
    }
  }

  private func waitForOne() async {
    guard let index = loads.indices.randomElement(using: &random) else { return }
    let load = loads.remove(at: index)
    world.flow(true)
    await check(load)
    world.flow(Bool.random(using: &random))
  }

  private func check(_ load: Load) async {
    do {
      requests.check(try await load.task.value, to: load.request, load.picture, comment)
    } catch let error as ImageLoadingError {
      #expect(SoakFault.codes.contains(error.code.rawValue), comment)
    } catch {
      #expect(error is CancellationError, comment)
    }
  }

  // MARK: The end

  /// Lets everything end, some of it by cancelling, and checks that nothing is left and that the numbers add up.
  func finish() async throws {
    world.flow(true)
    for load in loads where random.oneIn(2) { load.cancel() }
    for load in loads { await check(load) }
    loads = []
    for prefetcher in prefetchers { prefetcher.isPaused = false }
    if Bool.random(using: &random) { prefetchers.first?.stopAll() }
    await eventually { [prefetchers] in prefetchers.allSatisfy { $0.progress.remaining == 0 } }
    await settleViews()
    await eventually { [pipeline] in
      let counters = pipeline.counters
      return pipeline.coordinator.isIdle && pipeline.storing.count == 0
        && counters.requests == counters.successes + counters.failures + counters.cancelled
    }
    try await checkCounters()
  }

  /// What is on screen ends up with a picture or a failure; what is not, with no load.
  private func settleViews() async {
    for view in views {
      let (request, _) = requests.random(&random)
      view.show(request, keepsPrevious: false)
      view.change { state in
        state.want(request.target)
        state.appear()
      }
    }
    await eventually { [views] in views.allSatisfy(\.isSettled) }
    for view in views { view.change { $0.disappear() } }
  }

  private func checkCounters() async throws {
    var last = ImageRequest(Self.lastAddress)
    last.policy = .memoryOnly
    #expect(await failureCode(pipeline, last) == "cache.miss")
    var counted = pipeline.counters
    print("soak: \(comment.rawValue): \(counted), thumbnails stored \(counted.thumbnailsStored)")
    #expect(counted.requests == counted.successes + counted.failures + counted.cancelled, comment)
    // Evictions are the memory cache's own count, and no event.
    counted.evictions = 0
    #expect(await fold.value == counted, comment)
    for stage in Stage.allCases {
      let (waiting, running) = pipeline.coordinator.state.withLock {
        ($0.graph.waitingCount(stage), $0.graph.runningCount(stage))
      }
      #expect(waiting == 0 && running == 0, "\(stage), \(comment.rawValue)")
    }
  }

  /// For `isGone`, once the run has been let go of.
  func watch() -> @Sendable () -> Bool {
    let pipeline = WeakPipeline(pipeline)
    return { pipeline.isGone }
  }
}

/// Whether a pipeline, and with it all that it held, has been let go of.
private final class WeakPipeline: Sendable {
  private let pipeline: Locked<() -> ImagePipeline?>

  init(_ pipeline: ImagePipeline) {
    self.pipeline = Locked { [weak pipeline] in pipeline }
  }

  var isGone: Bool { pipeline.withLock { $0() } == nil }
}
