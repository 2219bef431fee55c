import CachedListSample
import EaselCore
import ExampleSupport
import Foundation
import Pixels
import Testing
import VignetteTesting
import VignetteUITesting

@MainActor
@Suite("The cached list", .serialized)
struct CachedListTests {
  private func open(
    _ store: ImageStore, photos: SamplePhotos, count: Int = 12, colorScheme: ColorScheme = .light
  ) -> ViewHarness {
    ViewHarness(size: CachedListView.size, colorScheme: colorScheme, pipeline: store.pipeline) {
      CachedListView(urls: photos.many(count), store: store)
    }
  }

  private func loaded(_ harness: ViewHarness) async throws {
    try await harness.until { CachedListView.isLoaded(harness) }
  }

  /// Until rows that the last step brought have their pictures too, and nothing fades any more.
  private func settled(_ harness: ViewHarness) async throws {
    repeat {
      try await loaded(harness)
      harness.advance(by: 1)
    } while !CachedListView.isLoaded(harness)
  }

  @Test("what is said of the caches is what they hold")
  func statistics() async throws {
    let photos = try SamplePhotos()
    defer { photos.stop() }
    let store = ImageStore()
    let harness = open(store, photos: photos)
    try await loaded(harness)
    // Rows beyond the edge load too, and what a load leaves behind is counted after it.
    try await harness.until { store.pipeline.memory.count == Int(store.pipeline.counters.networkLoads) }
    await store.pipeline.flush()
    store.refresh()
    harness.host.update()
    let counters = store.pipeline.counters
    #expect(store.statistics.counters == counters)
    #expect(store.statistics.memory == store.pipeline.memory.byteCount && store.statistics.memory > 0)
    #expect(store.statistics.pictures == Int(counters.networkLoads))
    #expect(store.statistics.disk == 0)
    #expect(harness.labels(.text).contains { $0.contains("\(counters.networkLoads) loads") })
  }

  @Test("a row that comes back takes its picture from memory, without a placeholder or another load")
  func scrollsBack() async throws {
    let photos = try SamplePhotos()
    defer { photos.stop() }
    let store = ImageStore()
    let harness = open(store, photos: photos, count: 40)
    try await settled(harness)
    let before = harness.snapshot()
    let middle = CGPoint(x: 190, y: 500)
    harness.host.scroll(by: CGSize(width: 0, height: 1500), at: middle)
    try await loaded(harness)
    harness.advance(by: 1)
    let loads = store.pipeline.counters.networkLoads
    harness.host.scroll(to: .zero, at: middle)
    harness.host.update()
    // Down to where every row shows its title, by which it is known to be loaded; below, a corner of another may show.
    let rows = CGRect(x: 0, y: 300, width: 380, height: 260)
    let after = harness.snapshot()
    #expect(store.pipeline.counters.networkLoads == loads)
    for y in Int(rows.minY)..<Int(rows.maxY) {
      for x in 0..<Int(rows.maxX) where before.rgb(x, y) != after.rgb(x, y) {
        Issue.record("another picture at \(x), \(y)")
        return
      }
    }
  }

  @Test("clear empties the caches, and what is on the screen loads again")
  func clears() async throws {
    let photos = try SamplePhotos()
    defer { photos.stop() }
    let store = ImageStore()
    let harness = open(store, photos: photos)
    try await loaded(harness)
    let loads = store.pipeline.counters.networkLoads
    #expect(harness.host.activate("Clear"))
    #expect(store.pipeline.memory.byteCount == 0)
    harness.host.update()
    #expect(harness.labels(.image).isEmpty)
    #expect(harness.labels(.text).contains("0 KB in 0 pictures"))
    try await loaded(harness)
    #expect(store.pipeline.counters.networkLoads == 2 * loads)
  }

  @Test("the list's own budget holds, and evictions are counted")
  func budget() async throws {
    let photos = try SamplePhotos()
    defer { photos.stop() }
    let store = ImageStore(memoryBudget: 150_000)
    let harness = open(store, photos: photos)
    try await loaded(harness)
    #expect(store.statistics.memory <= 150_000)
    #expect(store.statistics.counters.evictions > 0)
  }

  @Test("pictures fade in over the animation given")
  func fades() async throws {
    let photos = try SamplePhotos()
    defer { photos.stop() }
    let harness = open(ImageStore(), photos: photos, colorScheme: .dark)
    try await loaded(harness)
    let frame = try #require(harness.host.element(labeled: "Picture 2", role: .image)?.frame)
    let center = (Int(frame.midX), Int(frame.midY))
    let first = harness.snapshot().rgb(center.0, center.1)
    harness.advance(by: 0.2)
    let middle = harness.snapshot().rgb(center.0, center.1)
    harness.advance(by: 0.4)
    let last = harness.snapshot().rgb(center.0, center.1)
    #expect(first != last)
    #expect(middle != first && middle != last)
  }

  @Test("the sample draws its moments from the shipped photos")
  func moments() async throws {
    try await withTemporaryFolder { folder in
      let photos = try SamplePhotos()
      defer { photos.stop() }
      try await CachedListView.moments(photos, .light, folder)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      #expect(files == ["cached-list-cleared-light.png", "cached-list-loaded-light.png"])
    }
  }
}
