import CompatSample
import EaselCore
import ExampleSupport
import Foundation
import Pixels
import Testing
import VignetteTesting
import VignetteUITesting

@MainActor
@Suite("AsyncImageCompat beside AsyncImage")
struct CompatTests {
  /// The columns, as far as their pictures go: 128 points each, 16 apart, in the middle.
  private let left = CGRect(x: 34, y: 0, width: 128, height: 600)
  private let distance = 144

  private func harness(_ stage: Stage, colorScheme: ColorScheme = .light) -> ViewHarness {
    ViewHarness(size: CompatView.size, colorScheme: colorScheme, pipeline: stage.pipeline) {
      CompatView(picture: stage.url, missing: URL(string: "https://example.com/missing.png"))
    }
  }

  /// The height of the middle of each row's pictures.
  private func rows(_ harness: ViewHarness) -> [Int] {
    let names = harness.host.accessibilityTree().filter { $0.role == .text && $0.label == "AsyncImage" }
    return names.map { Int($0.frame.minY) - 4 - 64 }
  }

  @Test(
    "both columns show the same in every phase: empty, mid-fade, loaded and failed", arguments: ColorScheme.allCases)
  func same(scheme: ColorScheme) async throws {
    let stage = Stage()
    try stage.serve(.green(96, 64))
    stage.loader.gate.close()
    let harness = harness(stage, colorScheme: scheme)
    let rows = rows(harness)
    try #require(rows.count == 3)
    let column = Int(left.midX)
    let blue = harness.snapshot().rgb(column, rows[2])
    #expect(blue[2] > 200 && blue[0] < 100)

    func expectSame(_ moment: String) -> Bitmap {
      let picture = harness.snapshot()
      for y in rows.flatMap({ ($0 - 64)..<($0 + 64) }) {
        for x in Int(left.minX)..<Int(left.maxX) where picture.rgb(x, y) != picture.rgb(x + distance, y) {
          Issue.record("\(moment): the columns differ at \(x), \(y)")
          return picture
        }
      }
      return picture
    }
    #expect(rows.allSatisfy { expectSame("empty").rgb(column, $0) == blue })

    stage.loader.gate.open()
    try await harness.until {
      harness.labels(.image) == ["AsyncImage", "AsyncImageCompat", "AsyncImage, failed", "AsyncImageCompat, failed"]
    }
    harness.advance(by: 1)
    let fading = expectSame("fading")
    #expect(fading.rgb(column, rows[0]) != blue && fading.rgb(column, rows[0]) != [0, 200, 0])
    for x in [Int(left.minX) + 2, Int(left.maxX) - 2] {
      #expect(fading.rgb(x, rows[0]) == fading.rgb(column, rows[0]), "the fade is even from edge to edge")
    }
    harness.advance(by: 3)
    let loaded = expectSame("loaded")
    #expect(loaded.rgb(column, rows[0]) == [0, 200, 0])
    let red = loaded.rgb(column, rows[1])
    #expect(red[0] > 200 && red[2] < 100)
    #expect(loaded.rgb(column, rows[2]) == blue, "nothing to load stays empty")
  }

  @Test("the corners are round")
  func corners() async throws {
    let stage = Stage()
    try stage.serve(.green(64, 64))
    let harness = harness(stage)
    try await harness.until { harness.labels(.image).count == 4 }
    harness.advance(by: 3)
    let top = rows(harness)[0] - 64
    let picture = harness.snapshot()
    #expect(picture.rgb(Int(left.minX) + 1, top + 1) == [255, 255, 255])
    #expect(picture.rgb(Int(left.midX), top + 1) == [0, 200, 0])
  }

  @Test("the sample draws its moments from the shipped photos")
  func moments() async throws {
    try await withTemporaryFolder { folder in
      let photos = try SamplePhotos()
      defer { photos.stop() }
      try await CompatView.moments(photos, .dark, folder)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      #expect(files == ["compat-fading-dark.png", "compat-loaded-dark.png"])
    }
  }
}
