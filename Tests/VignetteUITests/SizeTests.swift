import EaselCore
import Foundation
import ImageCodecs
import Pixels
import Testing
import Vignette
import VignetteTesting
import VignetteUI
import VignetteUITesting

@MainActor
@Suite("Size from layout")
struct SizeTests {
  private let url = URL(string: Stage.url)

  private func box(_ width: Int, _ height: Int) -> DecodeTarget {
    .box(PixelSize(width: width, height: height), .fill)
  }

  private func picture() -> some View {
    CachedAsyncImage(url: url) { FillingPhase(phase: $0) }
  }

  @Test(
    "the decode covers the proposed size in display pixels, in steps of 64",
    arguments: [
      (90.0, 50.0, 1.0, 128, 64), (90, 50, 2, 192, 128), (64, 64, 1, 64, 64), (65, 64, 1, 128, 64), (1, 1, 3, 64, 64),
    ])
  func covers(width: CGFloat, height: CGFloat, scale: CGFloat, boxWidth: Int, boxHeight: Int) async throws {
    let stage = Stage()
    stage.serve(4000, 3000)
    let harness = stage.harness(scale: scale) { picture().frame(width: width, height: height) }
    try await harness.until { harness.labels(.image) == ["picture"] }
    #expect(stage.targets.targets == [box(boxWidth, boxHeight)])
    #expect(CGFloat(boxWidth) >= width * scale && CGFloat(boxHeight) >= height * scale)
  }

  @Test("an axis that layout leaves open is left to the other")
  func openAxis() async throws {
    let stage = Stage()
    stage.serve(4000, 3000)
    let harness = stage.harness(width: 200) { ScrollView { picture() } }
    try await harness.until { harness.labels(.image) == ["picture"] }
    #expect(stage.targets.targets == [box(256, 1)])
  }

  @Test("the default form decodes every pixel and is pixels / scale large", arguments: [1.0, 2, 3])
  func defaultForm(scale: CGFloat) async throws {
    let stage = Stage()
    stage.serve(120, 60)
    let harness = stage.harness(scale: 2) { CachedAsyncImage(url: url, scale: scale).sizeTold() }
    #expect(harness.labels(.text) == ["200 × 100"], "the placeholder fills the space offered")
    try await harness.until { stage.pipeline.counters.decodes == 1 && harness.labels(.text) != ["200 × 100"] }
    #expect(harness.labels(.text) == ["\(Int(120 / scale)) × \(Int(60 / scale))"])
    #expect(stage.targets.targets == [.full])
  }

  @Test("the size in points never depends on the size decoded")
  func intrinsicSize() async throws {
    let stage = Stage()
    stage.serve(1200, 900)
    for (decodes, side) in [40.0, 200, 500].enumerated() {
      let harness = stage.harness(width: side, height: side) {
        CachedAsyncImage(url: url, scale: 3) { PhaseText(phase: $0) }
      }
      try await harness.until { harness.labels(.image) == ["picture"] && stage.pipeline.counters.decodes > decodes }
      #expect(harness.host.element(labeled: "picture")?.frame.size == CGSize(width: 400, height: 300))
    }
    #expect(stage.targets.targets == [box(64, 64), box(256, 256), box(512, 512)])
  }

  @Test("growing loads a larger picture while the small one stays, shrinking loads nothing")
  func grows() async throws {
    let stage = Stage()
    stage.serve(4000, 4000)
    var wasEmpty = false
    let harness = stage.harness(width: 64, height: 64) {
      CachedAsyncImage(url: url) { phase in
        let _ = wasEmpty = phase.image == nil
        FillingPhase(phase: phase)
      }
    }
    try await harness.until { harness.labels(.image) == ["picture"] }
    #expect(harness.snapshot()[32, 32].blue == TargetLog.level(width: 64))

    stage.loader.gate.close()
    harness.host.size = CGSize(width: 300, height: 300)
    harness.host.update()
    await stage.loader.gate.arrived(2)
    #expect(harness.snapshot()[150, 150].blue == TargetLog.level(width: 64), "the small one, drawn larger")
    stage.loader.gate.open()
    try await harness.until { harness.snapshot()[150, 150].blue == TargetLog.level(width: 320) }
    #expect(!wasEmpty)

    harness.host.size = CGSize(width: 100, height: 100)
    harness.host.update()
    #expect(stage.loader.counts.started == 2)
    #expect(stage.targets.targets == [box(64, 64), box(320, 320)])
  }

  @Test("the first body takes the largest picture in memory, and refines it")
  func largestFirst() async throws {
    let stage = Stage()
    stage.serve(4000, 4000)
    guard let url else { return }
    for side in [256, 64] {
      _ = try await stage.pipeline.image(for: ImageRequest(url: url).with(target: box(side, side)))
    }
    stage.loader.gate.close()
    let harness = stage.harness(width: 400, height: 400) { picture() }
    #expect(harness.snapshot()[200, 200].blue == TargetLog.level(width: 256))
    stage.loader.gate.open()
    try await harness.until { harness.snapshot()[200, 200].blue == TargetLog.level(width: 448) }
  }

  @Test("scale is part of no key: two scales of a picture are one load and one decode")
  func scaleIsNoKey() async throws {
    let stage = Stage()
    stage.serve(400, 300)
    let harness = stage.harness {
      HStack {
        ForEach([1, 2], id: \.self) { scale in
          CachedAsyncImage(url: url, scale: CGFloat(scale)) { FillingPhase(phase: $0) }
            .frame(width: 50, height: 50)
        }
      }
    }
    try await harness.until { harness.labels(.image).count == 2 }
    #expect(stage.loader.counts.started == 1)
    #expect(stage.targets.targets == [box(64, 64)])
  }
}

/// A phase that fills the space it is offered.
struct FillingPhase: View {
  let phase: AsyncImagePhase

  var body: some View {
    if let image = phase.image {
      image.resizable().accessibilityLabel("picture")
    } else {
      Color(red: 1, green: 0, blue: 0)
    }
  }
}

extension View {
  /// Says the view's size in points as a text on it.
  func sizeTold() -> some View {
    overlay(
      GeometryReader { proxy in
        Text(verbatim: "\(Int(proxy.size.width)) × \(Int(proxy.size.height))")
      })
  }
}
