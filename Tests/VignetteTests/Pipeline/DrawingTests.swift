import Foundation
import ImageCodecs
import Pixels
import Testing
@testable import Vignette

@Suite("Drawings, which have no pixels of their own")
struct DrawingTests {
  /// A pipeline whose every picture is a drawing of 24 by 24 pixels.
  private func scripted() -> Scripted {
    Scripted {
      $0.decoder = ImagePipeline.Decoder(colors: .sRGB) { _, target, _ in
        let info = ImageInfo(format: .svg, storedSize: PixelSize(width: 24, height: 24), hasAlpha: true)
        var size = info.size
        if case .box(let box, let mode) = target { size = size.resized(into: box, mode: mode) }
        return DecodedImage(bitmap: Bitmap(size: size, isOpaque: false) { _ in }, info: info)
      }
    }
  }

  @Test("a larger view has them drawn anew, a smaller one shows what is there")
  func sizes() async throws {
    let scripted = scripted()
    for (side, expected, isInMemory) in [(48, 48, false), (96, 96, false), (64, 96, true)] {
      let request = ImageRequest(Scripted.address, target: .box(side, side))
      let response = try await scripted.pipeline.image(for: request)
      #expect(response.bitmap.size.width == expected, "\(side)")
      #expect((response.origin == .memory) == isInMemory, "\(side)")
      #expect(response.sourceSize.width == 24)
    }
  }
}
