/// The time animations run on, moved by the host alone, and the animations that run now.
@MainActor final class AnimationClock {
  /// Seconds since the host was made.
  private(set) var now: TimeInterval = 0
  private var running: [ObjectIdentifier: AnimationRun] = [:]
  /// Things that move as long as they are on the screen, such as a spinner: asked at each frame.
  var hasRunningAnimations: Bool { !running.isEmpty }

  /// Starts an animation of something `owner` draws; it stops with the owner.
  func start(
    _ animation: Animation, of owner: RenderNode, onTick: @escaping @MainActor () -> Void
  ) -> AnimationRun {
    let run = AnimationRun(animation, clock: self, owner: owner, onTick: onTick)
    owner.hasAnimated = true
    running[ObjectIdentifier(run)] = run
    return run
  }

  func stop(_ run: AnimationRun) {
    running[ObjectIdentifier(run)] = nil
    run.onFinish = nil
  }

  /// Ends what still moves `owner`, which is gone. One that repeats for ever would otherwise never end.
  func stopAnimations(of owner: RenderNode) {
    for run in running.values where run.owner === owner { stop(run) }
  }

  /// Time never runs backwards.
  func advance(to time: TimeInterval) {
    guard time.isFinite, time > now else { return }
    now = time
    for run in running.values { run.tick() }
  }
}

/// One animation from its start to its end.
@MainActor final class AnimationRun {
  let animation: Animation
  private let clock: AnimationClock
  fileprivate weak var owner: RenderNode?
  private let start: TimeInterval
  private let onTick: @MainActor () -> Void
  /// Called once, at the end, and let go of then: it may hold the very node that holds this run.
  var onFinish: (@MainActor () -> Void)?

  fileprivate init(
    _ animation: Animation, clock: AnimationClock, owner: RenderNode, onTick: @escaping @MainActor () -> Void
  ) {
    self.animation = animation
    self.clock = clock
    self.owner = owner
    self.onTick = onTick
    start = clock.now
  }

  var progress: Double { animation.progress(at: clock.now - start) }

  fileprivate func tick() {
    guard animation.isFinished(at: clock.now - start) else { return onTick() }
    let finish = onFinish
    clock.stop(self)
    onTick()
    finish?()
  }
}

/// A value that can lie between two others.
protocol Interpolatable {
  func interpolated(to end: Self, by fraction: Double) -> Self
}

extension Double: Interpolatable {
  func interpolated(to end: Double, by fraction: Double) -> Double { self + (end - self) * fraction }
}

extension CGFloat: Interpolatable {
  func interpolated(to end: CGFloat, by fraction: Double) -> CGFloat { self + (end - self) * CGFloat(fraction) }
}

extension CGSize: Interpolatable {
  func interpolated(to end: CGSize, by fraction: Double) -> CGSize {
    CGSize(
      width: width.interpolated(to: end.width, by: fraction),
      height: height.interpolated(to: end.height, by: fraction))
  }
}

extension Optional: Interpolatable where Wrapped: Interpolatable {
  /// What appears or vanishes does so at once.
  func interpolated(to end: Wrapped?, by fraction: Double) -> Wrapped? {
    guard let self, let end else { return end }
    return self.interpolated(to: end, by: fraction)
  }
}

/// A value that moves to its target over time. A new target starts from where the value is now.
@MainActor final class Animated<Value: Interpolatable> {
  private(set) var target: Value
  private var origin: Value
  private var run: AnimationRun?

  init(_ value: Value) {
    target = value
    origin = value
  }

  var value: Value {
    guard let run else { return target }
    return origin.interpolated(to: target, by: run.progress)
  }

  var isRunning: Bool { run != nil }

  /// Moves to `value` as the transaction says; `changed` is called now and whenever the value moves.
  func set(_ value: Value, on owner: RenderNode, changed: @escaping @MainActor () -> Void) {
    let graph = owner.graph
    guard !areEqual(value, target) else { return }
    origin = self.value
    target = value
    if let run { graph.animations.stop(run) }
    run = nil
    if let animation = graph.transaction.animation {
      let run = graph.animations.start(animation, of: owner, onTick: changed)
      run.onFinish = { [weak self, weak run] in
        if let self, self.run === run { self.run = nil }
      }
      self.run = run
    }
    changed()
  }

  /// Takes the value at once, whatever the transaction says.
  func jump(to value: Value, in graph: Graph) {
    if let run { graph.animations.stop(run) }
    run = nil
    origin = value
    target = value
  }
}
