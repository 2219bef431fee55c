import Foundation
import ImageCodecs
import Pixels

/// What a view that shows one remote picture displays, and what it has to do next. Pure: no tasks, no time.
///
/// Invariants: at most one load runs; only the load with the latest generation may change the phase, so a superseded
/// load never wins; the wanted size only grows for one source; a disappearing view cancels silently and keeps its
/// phase; cancellation is never a phase. After every transition the owner calls `reconcile()` and carries out the
/// action it returns.
package struct ImageLoadState {
  package enum Phase {
    case empty
    case success(Shown)
    case failure(ImageLoadingError)
  }

  /// The picture on screen: some decoded size of a source.
  package struct Shown {
    package var bitmap: Bitmap
    /// Pixels of the source as displayed, whatever was decoded; where processors changed its shape, the largest of
    /// that shape within it.
    package var sourceSize: PixelSize
    /// See `ImageResponse.coverage`.
    package var coverage: DecodeTarget?
  }

  package enum Action {
    case none
    /// Cancel the running load, if any, and start nothing.
    case cancel
    /// Cancel the running load, if any; load this and report with `finish`, giving the number back.
    case start(generation: Int, ImageRequest)
    /// The running load goes on, wanted this much.
    case setPriority(ImagePriority)
  }

  /// What becomes of a load whose view is no longer on screen.
  package enum DisappearPolicy { case cancel, lowerPriority }

  /// What a view does with the old picture when its source changes and the new one is not in memory.
  package enum ChangePolicy { case clear, keepPrevious }

  package private(set) var phase: Phase = .empty
  private var request: ImageRequest?
  private var target: DecodeTarget?
  private var isVisible = false
  private var disappearPolicy = DisappearPolicy.cancel
  /// The running load was told to take its time.
  private var isLowered = false
  private var runningGeneration: Int?
  private var lastGeneration = 0
  /// The source and processors of the picture on screen; others than `request`'s only under `keepPrevious`.
  private var shownSource: VariantKey?
  /// The target of the last load that ended: the same one is not loaded twice, even if its result came out small.
  private var completedTarget: DecodeTarget?
  /// What is shown came from memory and its source may have changed since.
  private var needsRevalidation = false
  /// The loader itself gave up with a cancellation: nothing starts until the view returns or somebody asks.
  private var isHeld = false
  /// Somebody asked for it again: what is remembered of the failure is not an answer.
  private var isRetry = false

  package init() {}

  /// Whether a request is for what was asked for last, at whatever size.
  package func isAbout(_ other: ImageRequest?) -> Bool { request?.variant == other?.variant }

  /// The source, and what is done to it, as of this update. Answers whether the phase changed.
  ///
  /// `lookUp` gives the best decoded variant in memory; it is asked only when the source has changed.
  package mutating func setSource(
    _ new: ImageRequest?, policy: ChangePolicy = .clear, now: Date,
    lookUp: (ImageRequest) -> ImageMemoryCache.Entry?
  ) -> Bool {
    guard !isAbout(new) else {
      request = new
      return false
    }
    request = new
    completedTarget = nil
    needsRevalidation = false
    isHeld = false
    isRetry = false
    lastGeneration += 1
    // The largest variant there is: the size wanted is not known before layout.
    if let new, let entry = lookUp(new.with(target: target ?? .full)) {
      phase = .success(
        Shown(entry.image.bitmap, of: entry.image.info.size, coverage: entry.coverage, for: new))
      shownSource = new.variant
      needsRevalidation = !entry.isFresh(at: now)
      return true
    }
    if new != nil, policy == .keepPrevious, case .success = phase { return false }
    return clear()
  }

  /// The next `setSource` counts as a change even if it names the same source: another pipeline will load it.
  package mutating func forgetSource() { request = nil }

  /// Another source starts from this size: what only the old one was wanted in is forgotten.
  package mutating func resetTarget(to new: DecodeTarget?) { target = new }

  /// Layout asks for this many pixels. Growing loads a larger variant; shrinking does nothing.
  package mutating func want(_ new: DecodeTarget) {
    target = target.map { $0.union(new) } ?? new
  }

  package mutating func appear() {
    guard !isVisible else { return }
    isVisible = true
    isHeld = false
  }

  /// The load stops, or goes on behind everything that is visible; the phase stays. A transient failure is forgotten, so that the picture is tried again on return.
  package mutating func disappear(_ policy: DisappearPolicy = .cancel) {
    isVisible = false
    disappearPolicy = policy
    if case .failure(let error) = phase, error.isTransient { phase = .empty }
  }

  /// Tries again after a failure. Answers whether the phase changed.
  ///
  /// - Parameter reloads: whether the source is asked whatever is remembered of it, as a person expects who presses a
  ///   button.
  package mutating func retry(reloads: Bool = true) -> Bool {
    guard case .failure = phase else { return false }
    isHeld = false
    isRetry = reloads
    completedTarget = nil
    return clear()
  }

  /// A load ended. Answers whether the phase changed; results of superseded loads change nothing.
  package mutating func finish(
    generation: Int, target: DecodeTarget, _ result: Result<ImageResponse, any Error>
  ) -> Bool {
    guard runningGeneration == generation else { return false }
    runningGeneration = nil
    guard generation == lastGeneration else { return false }
    isRetry = false
    switch result {
    case .success(let response):
      needsRevalidation = false
      completedTarget = target
      return show(response)
    case .failure(let error):
      if error is CancellationError {
        isHeld = true
        return false
      }
      // A picture of this source that is already shown stays: a failed refinement takes nothing away.
      needsRevalidation = false
      completedTarget = target
      if case .success = phase, shownSource == request?.variant { return false }
      phase = .failure(ImageLoadingError(error, url: request?.url))
      shownSource = nil
      return true
    }
  }

  /// What to do now.
  package mutating func reconcile() -> Action {
    guard let request else { return stop() }
    guard isVisible else { return leave() }
    var idle = Action.none
    if let running = runningGeneration {
      if running == lastGeneration { return restorePriority(request.priority) }
      runningGeneration = nil
      idle = .cancel
    }
    guard let target, needsLoad(request, target) else { return idle }
    lastGeneration += 1
    runningGeneration = lastGeneration
    isLowered = false
    var next = request.with(target: target)
    if isRetry, next.policy == .standard { next.policy = .reload }
    return .start(generation: lastGeneration, next)
  }

  private func needsLoad(_ request: ImageRequest, _ target: DecodeTarget) -> Bool {
    guard !isHeld else { return false }
    switch phase {
    case .empty: return true
    case .failure: return false
    case .success(let shown):
      if shownSource != request.variant || needsRevalidation { return true }
      return completedTarget != target && !shown.satisfies(target)
    }
  }

  private mutating func show(_ response: ImageResponse) -> Bool {
    if case .success(let shown) = phase, shown.bitmap.isIdentical(to: response.bitmap) { return false }
    phase = .success(
      Shown(response.bitmap, of: response.sourceSize, coverage: response.coverage, for: request))
    shownSource = request?.variant
    return true
  }

  private mutating func clear() -> Bool {
    shownSource = nil
    if case .empty = phase { return false }
    phase = .empty
    return true
  }

  private mutating func leave() -> Action {
    guard disappearPolicy == .lowerPriority, runningGeneration == lastGeneration else { return stop() }
    guard !isLowered else { return .none }
    isLowered = true
    return .setPriority(.background)
  }

  private mutating func restorePriority(_ priority: ImagePriority) -> Action {
    guard isLowered else { return .none }
    isLowered = false
    return .setPriority(priority)
  }

  private mutating func stop() -> Action {
    guard runningGeneration != nil else { return .none }
    runningGeneration = nil
    // The number moves on, so that whatever the cancelled load still reports is recognised.
    lastGeneration += 1
    return .cancel
  }
}

extension ImageRequest {
  fileprivate var variant: VariantKey { VariantKey(key) }
}

extension ImageLoadState.Shown {
  fileprivate init(
    _ bitmap: Bitmap, of sourceSize: PixelSize, coverage: DecodeTarget?, for request: ImageRequest?
  ) {
    let size = request?.key.chain == nil ? sourceSize : sourceSize.largest(shapedLike: bitmap.size)
    self.init(bitmap: bitmap, sourceSize: size, coverage: coverage)
  }

  func satisfies(_ target: DecodeTarget) -> Bool {
    target.isSatisfied(by: bitmap.size, of: sourceSize, coverage: coverage)
  }
}

extension PixelSize {
  /// The largest size within this one that has the proportions of `other`; this one where they differ by no more than
  /// rounding to whole pixels does. Layout must not depend on how large a picture happened to be decoded.
  func largest(shapedLike other: PixelSize) -> PixelSize {
    guard !isEmpty, !other.isEmpty else { return self }
    let (across, down) = (other.width * height, other.height * width)
    if abs(across - down) <= max(width, height) { return self }
    return across > down
      ? PixelSize(width: width, height: max(1, (down + other.width / 2) / other.width))
      : PixelSize(width: max(1, (across + other.height / 2) / other.height), height: height)
  }
}

extension DecodeTarget {
  /// A target that satisfies both: the larger box, or the full picture.
  func union(_ other: DecodeTarget) -> DecodeTarget {
    guard case .box(let one, let mode) = self, case .box(let two, let otherMode) = other else { return .full }
    let size = PixelSize(width: max(one.width, two.width), height: max(one.height, two.height))
    return .box(size, mode == otherMode ? mode : .fill)
  }

  /// What a view of the family asks for when layout offers it this much, so that a prefetch has the same key.
  ///
  /// - Parameters:
  ///   - width: in points; `nil` or infinite for an axis that is left open.
  ///   - displayScale: pixels to a point.
  public static func view(width: Double?, height: Double?, displayScale: Double) -> DecodeTarget {
    covering(width: width.map { $0 * displayScale }, height: height.map { $0 * displayScale })
  }

  /// A box that covers `width` × `height` pixels, rounded up to whole steps of 64 so that small changes of layout ask
  /// for the same picture. An axis that is left open (`nil`, infinite) follows the other one; with both open it is the
  /// full picture. An axis of no length asks for little, not for everything.
  package static func covering(width: Double?, height: Double?) -> DecodeTarget {
    let width = steps(width)
    let height = steps(height)
    guard width != nil || height != nil else { return .full }
    return .box(PixelSize(width: width ?? 1, height: height ?? 1), .fill)
  }

  private static func steps(_ pixels: Double?) -> Int? {
    guard let pixels, pixels.isFinite else { return nil }
    return Int((min(max(pixels, 1), 1_048_576) / 64).rounded(.up)) * 64
  }
}

extension ImageLoadingError {
  /// Whether trying again later may help: transport failures, timeouts, and the statuses that say so (RFC 9110,
  /// sections 15.5.9 and 15.6; RFC 6585, section 4).
  public var isTransient: Bool {
    let text = code.rawValue
    if text.hasPrefix("transport.") { return code.rawValue != "transport.tls" }
    guard text.hasPrefix("http."), let status = Int(text.dropFirst(5)) else { return code.rawValue == "body.truncated" }
    return status == 408 || status == 425 || status == 429 || (500...599).contains(status)
  }
}
