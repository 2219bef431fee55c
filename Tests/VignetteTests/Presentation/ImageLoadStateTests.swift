import Foundation
import ImageCodecs
import Pixels
import Testing

@testable import Vignette

@Suite("The load state of one picture view")
struct ImageLoadStateTests {
  private let now = Date(timeIntervalSince1970: 0)
  private let wide = DecodeTarget.box(PixelSize(width: 128, height: 64), .fill)

  private func request(_ name: String = "a") -> ImageRequest { ImageRequest(id: name) { Data() } }

  private func response(_ width: Int, _ height: Int, of source: PixelSize? = nil) -> ImageResponse {
    let size = PixelSize(width: width, height: height)
    let image = DecodedImage(
      bitmap: Bitmap(size: size) { _ in }, info: ImageInfo(format: .png, storedSize: source ?? size))
    return ImageResponse(image: image, origin: .network, bytes: 1, decodeTime: 0)
  }

  private func entry(_ response: ImageResponse, freshUntil: Date? = nil) -> ImageMemoryCache.Entry {
    ImageMemoryCache.Entry(image: response.image, freshUntil: freshUntil)
  }

  /// A state that has appeared with a source and a size, and what it then does.
  private func started(
    _ name: String = "a", cached: ImageMemoryCache.Entry? = nil, target: DecodeTarget? = nil
  ) -> (state: ImageLoadState, action: ImageLoadState.Action) {
    var state = ImageLoadState()
    _ = state.setSource(request(name), now: now) { _ in cached }
    state.want(target ?? wide)
    state.appear()
    let action = state.reconcile()
    return (state, action)
  }

  private func generation(_ action: ImageLoadState.Action) throws -> Int {
    guard case .start(let generation, _) = action else {
      throw CodecError(.corrupt, "expected a start, got \(action)")
    }
    return generation
  }

  private func bitmapWidth(_ state: ImageLoadState) -> Int? {
    guard case .success(let shown) = state.phase else { return nil }
    return shown.bitmap.size.width
  }

  private func isEmpty(_ state: ImageLoadState) -> Bool {
    if case .empty = state.phase { return true }
    return false
  }

  private func isNone(_ action: ImageLoadState.Action) -> Bool {
    if case .none = action { return true }
    return false
  }

  private func priority(_ action: ImageLoadState.Action) -> ImagePriority? {
    if case .setPriority(let priority) = action { return priority }
    return nil
  }

  private func isCancel(_ action: ImageLoadState.Action) -> Bool {
    if case .cancel = action { return true }
    return false
  }

  @Test("nothing starts before the view has appeared and its size is known")
  func waits() throws {
    var state = ImageLoadState()
    _ = state.setSource(request(), now: now) { _ in nil }
    #expect(isNone(state.reconcile()))
    state.appear()
    #expect(isNone(state.reconcile()))
    state.want(wide)
    _ = try generation(state.reconcile())
    #expect(isNone(state.reconcile()), "it is already running")
  }

  @Test("no source is empty, and gives up the running load")
  func noSource() {
    var (state, _) = started()
    #expect((state.setSource(nil, now: now) { _ in nil }) == false)
    #expect(isCancel(state.reconcile()))
    #expect(isEmpty(state))
  }

  @Test("a fresh, large enough picture in memory shows at once and starts nothing")
  func memoryHit() {
    let (state, action) = started(cached: entry(response(128, 64)))
    #expect(bitmapWidth(state) == 128)
    #expect(isNone(action))
  }

  @Test("a small variant in memory shows at once and is refined")
  func refines() throws {
    var (state, action) = started(cached: entry(response(16, 8, of: PixelSize(width: 400, height: 200))))
    #expect(bitmapWidth(state) == 16)
    let changed = state.finish(
      generation: try generation(action), target: wide,
      .success(response(128, 64, of: PixelSize(width: 400, height: 200))))
    #expect(changed)
    #expect(bitmapWidth(state) == 128)
    #expect(isNone(state.reconcile()))
  }

  @Test("a stale picture in memory shows at once and is asked for again, once")
  func revalidates() throws {
    let cached = response(128, 64)
    var (state, action) = started(cached: entry(cached, freshUntil: now.addingTimeInterval(-1)))
    #expect(bitmapWidth(state) == 128)
    let changed = state.finish(generation: try generation(action), target: wide, .success(cached))
    #expect(!changed, "the same bitmap is no change")
    #expect(isNone(state.reconcile()))
  }

  @Test("a failed revalidation takes nothing away")
  func failedRevalidation() throws {
    var (state, action) = started(
      cached: entry(response(128, 64), freshUntil: now.addingTimeInterval(-1)))
    let error = ImageLoadingError(.timedOut, "late")
    #expect((state.finish(generation: try generation(action), target: wide, .failure(error))) == false)
    #expect(bitmapWidth(state) == 128)
    #expect(isNone(state.reconcile()))
  }

  @Test("a superseded load changes nothing, whenever it ends")
  func superseded() throws {
    var (state, first) = started("a")
    #expect((state.setSource(request("b"), now: now) { _ in nil }) == false)
    let second = state.reconcile()
    let late = state.finish(generation: try generation(first), target: wide, .success(response(1, 1)))
    #expect(!late)
    #expect(isEmpty(state))
    #expect((state.finish(generation: try generation(second), target: wide, .success(response(2, 2)))) == true)
    #expect(bitmapWidth(state) == 2)
  }

  @Test("a new source in memory cancels the load of the old one")
  func newSourceInMemory() {
    var (state, _) = started("a")
    #expect((state.setSource(request("b"), now: now) { _ in entry(response(128, 64)) }) == true)
    #expect(isCancel(state.reconcile()))
  }

  @Test("a new source clears the old picture, or keeps it when asked to")
  func changePolicy() throws {
    var (state, action) = started("a")
    _ = state.finish(generation: try generation(action), target: wide, .success(response(128, 64)))
    var keeping = state
    #expect((state.setSource(request("b"), now: now) { _ in nil }) == true)
    #expect(isEmpty(state))
    #expect((keeping.setSource(request("b"), policy: .keepPrevious, now: now) { _ in nil }) == false)
    #expect(bitmapWidth(keeping) == 128)
    let second = try generation(keeping.reconcile())
    #expect((keeping.finish(generation: second, target: wide, .failure(ImageLoadingError(.http(404), "gone")))) == true)
    guard case .failure = keeping.phase else {
      Issue.record("an old source's picture stands for a new source that failed")
      return
    }
  }

  @Test("disappearing cancels, keeps the phase, and the return loads again")
  func disappears() throws {
    var (state, action) = started()
    state.disappear()
    #expect(isCancel(state.reconcile()))
    let cancelled = state.finish(
      generation: try generation(action), target: wide, .failure(CancellationError()))
    #expect(!cancelled)
    #expect(isEmpty(state))
    state.appear()
    _ = try generation(state.reconcile())
  }

  @Test("a load whose view leaves may go on at a lower priority, and comes first again on return")
  func lowersPriority() throws {
    var (state, action) = started()
    let generation = try generation(action)
    state.disappear(.lowerPriority)
    #expect(priority(state.reconcile()) == .background)
    #expect(isNone(state.reconcile()), "it is lowered once")
    state.appear()
    #expect(priority(state.reconcile()) == .visible)
    #expect(isNone(state.reconcile()), "it is raised once")
    #expect((state.finish(generation: generation, target: wide, .success(response(128, 64)))) == true)
    #expect(bitmapWidth(state) == 128)
  }

  @Test("a lowered load that ends while its view is away is shown without another on return")
  func endsWhileAway() throws {
    var (state, action) = started()
    state.disappear(.lowerPriority)
    _ = state.reconcile()
    #expect(
      (state.finish(generation: try generation(action), target: wide, .success(response(128, 64)))) == true)
    state.appear()
    #expect(isNone(state.reconcile()))
    #expect(bitmapWidth(state) == 128)
  }

  @Test("a view that left with its load lowered starts nothing while it is away, and a new source ends the load")
  func newSourceWhileAway() throws {
    var (state, _) = started("a")
    state.disappear(.lowerPriority)
    _ = state.reconcile()
    _ = state.setSource(request("b"), now: now) { _ in nil }
    #expect(isCancel(state.reconcile()))
    #expect(isNone(state.reconcile()))
    state.appear()
    _ = try generation(state.reconcile())
  }

  @Test(
    "on return a transient failure is tried again and a permanent one is not",
    arguments: [
      ("transport.timedOut", true), ("transport.refused", true), ("http.503", true), ("http.429", true),
      ("body.truncated", true), ("http.404", false), ("image.notAnImage", false), ("transport.tls", false),
    ])
  func returnAfterFailure(code: String, isTried: Bool) throws {
    var (state, action) = started()
    let error = ImageLoadingError(ImageLoadingError.Code(rawValue: code), "")
    #expect((state.finish(generation: try generation(action), target: wide, .failure(error))) == true)
    #expect(isNone(state.reconcile()), "a failure is not tried again by itself")
    state.disappear()
    _ = state.reconcile()
    state.appear()
    #expect(isNone(state.reconcile()) == !isTried)
  }

  @Test("retry clears a failure and loads again; it does nothing to a picture")
  func retries() throws {
    var (state, action) = started()
    #expect((state.retry()) == false)
    _ = state.finish(generation: try generation(action), target: wide, .failure(ImageLoadingError(.http(404), "")))
    #expect((state.retry()) == true)
    #expect(isEmpty(state))
    let second = try generation(state.reconcile())
    _ = state.finish(generation: second, target: wide, .success(response(128, 64)))
    #expect((state.retry()) == false)
  }

  @Test("growing loads a larger picture, shrinking nothing, and a small result is not asked for again")
  func grows() throws {
    let source = PixelSize(width: 4000, height: 2000)
    var (state, action) = started()
    _ = state.finish(generation: try generation(action), target: wide, .success(response(128, 64, of: source)))
    state.want(.box(PixelSize(width: 64, height: 64), .fill))
    #expect(isNone(state.reconcile()))
    let large = DecodeTarget.box(PixelSize(width: 256, height: 64), .fill)
    state.want(large)
    guard case .start(let generation, let request) = state.reconcile() else {
      Issue.record("a larger size starts a load")
      return
    }
    #expect(request.target == large)
    // A decoder that gives less than asked for must not be asked for ever.
    _ = state.finish(generation: generation, target: large, .success(response(130, 65, of: source)))
    #expect(isNone(state.reconcile()))
  }

  @Test("other processors are another picture, which is loaded though the source is the same")
  func otherProcessors() throws {
    var (state, action) = started()
    _ = state.finish(generation: try generation(action), target: wide, .success(response(128, 64)))
    #expect(isNone(state.reconcile()))
    let round = request().with(processors: [.circle])
    #expect(state.isAbout(request().with(target: wide)))
    #expect(!state.isAbout(round))
    #expect((state.setSource(round, now: now) { _ in nil }))
    #expect(isEmpty(state))
    guard case .start(_, let request) = state.reconcile() else {
      Issue.record("other processors start a load")
      return
    }
    #expect(request.key == round.with(target: wide).key)
  }

  @Test(
    "a picture that processors gave another shape counts as the largest of that shape within its source",
    arguments: [
      (PixelSize(width: 100, height: 100), PixelSize(width: 3000, height: 3000)),
      (PixelSize(width: 100, height: 75), PixelSize(width: 4000, height: 3000)),
      // 64 × 48 rounded at both ends.
      (PixelSize(width: 65, height: 48), PixelSize(width: 4000, height: 3000)),
      (PixelSize(width: 200, height: 100), PixelSize(width: 4000, height: 2000)),
      (PixelSize(width: 1, height: 10_000), PixelSize(width: 1, height: 3000)),
      (PixelSize(width: 10_000, height: 1), PixelSize(width: 4000, height: 1)),
    ])
  func shape(bitmap: PixelSize, expected: PixelSize) {
    #expect(PixelSize(width: 4000, height: 3000).largest(shapedLike: bitmap) == expected)
  }

  @Test("a loader that cancels by itself is not asked again until the view returns")
  func selfCancelled() throws {
    var (state, action) = started()
    #expect((state.finish(generation: try generation(action), target: wide, .failure(CancellationError()))) == false)
    #expect(isNone(state.reconcile()))
    state.disappear()
    state.appear()
    _ = try generation(state.reconcile())
  }

  @Test(
    "the box to cover comes in steps of 64; an open axis is left to the other",
    arguments: [
      (100.0 as Double?, 200.0 as Double?, DecodeTarget.box(PixelSize(width: 128, height: 256), .fill)),
      (64, 64, .box(PixelSize(width: 64, height: 64), .fill)),
      (100, nil, .box(PixelSize(width: 128, height: 1), .fill)),
      (.infinity, 30, .box(PixelSize(width: 1, height: 64), .fill)),
      (nil, nil, .full),
      (.nan, .infinity, .full),
      (.nan, -3, .box(PixelSize(width: 1, height: 64), .fill)),
      (0, .infinity, .box(PixelSize(width: 64, height: 1), .fill)),
      (0, 0, .box(PixelSize(width: 64, height: 64), .fill)),
      (1e300, 1, .box(PixelSize(width: 1_048_576, height: 64), .fill)),
    ])
  func covering(width: Double?, height: Double?, expected: DecodeTarget) {
    #expect(DecodeTarget.covering(width: width, height: height) == expected)
  }
}
