import Foundation
import ImageCodecs
import Pixels
import Testing
import VignetteTesting

@testable import Vignette

/// What a view measures before it has been laid out, or divides by nothing, reaches every place where a size is given.
@Suite("A size that is no size is as good as none", .timeLimit(.minutes(5)))
struct SenselessSizeTests {
  private static let lengths: [Double] = [
    .nan, .signalingNaN, 0, -0.0, -1, -.infinity, .infinity, 1e300, -1e300, 1e-300,
  ]

  @Test("a view's target has sides from 64 to about a million pixels, or is the full picture", arguments: lengths)
  func views(_ length: Double) {
    for (width, height, scale) in [(length, 10, 1), (10, length, 1), (length, length, 1), (10, 10, length)] {
      guard case .box(let size, _) = DecodeTarget.view(width: width, height: height, displayScale: scale) else {
        continue
      }
      #expect((1...1_048_576).contains(size.width) && (1...1_048_576).contains(size.height))
      #expect(size.width >= 64 || size.height >= 64)
    }
  }

  @Test(
    "a request for an empty box loads the full picture, with processors without size changing nothing",
    arguments: [(0, 0), (0, 9), (-1, 9), (9, Int.min), (Int.min, Int.min)])
  func requests(_ width: Int, _ height: Int) async throws {
    let scripted = Scripted()
    let size = PixelSize(width: width, height: height)
    let request = ImageRequest(Scripted.address, target: .box(size, .fill)).with(processors: [
      .resize(to: size), .crop(to: size), .blur(radius: Double(width)), .roundedCorners(radius: .nan),
    ])
    #expect(request.target == .full)
    let response = try await scripted.pipeline.image(for: request)
    #expect(response.bitmap.size == PixelSize(width: 40, height: 30))
  }

  @Test("a sized source without a size is its original", arguments: [(0, 0), (0, 9), (-1, 9), (9, Int.min)])
  func sizedSources(_ width: Int, _ height: Int) async throws {
    let scripted = Scripted()
    let original = try #require(URL(string: Scripted.address))
    let sized = SizedSource(original: original) { _ in URL(string: "http://pictures.test/service") }
    let request = ImageRequest(sized, target: .box(width, height))
    #expect(try await scripted.pipeline.image(for: request).bitmap.size == PixelSize(width: 40, height: 30))
    #expect(scripted.loader.requests.map(\.url) == [original])
  }
}
