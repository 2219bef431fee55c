import Foundation
import Pixels
import Testing
import Vignette
import VignetteTesting

/// Against pixels worked out by an independent program.
@Suite("Processors' pixels")
struct ProcessorPixelTests {
  private func difference(_ processor: ImageProcessor, _ input: String, _ expected: String) throws -> BitmapDifference {
    let result = try processor(ProcessorPictures.bitmap(input))
    #expect(result.isPremultiplied)
    return try #require(
      try BitmapDifference(result, ProcessorPictures.bitmap("\(expected)-\(input)")), "\(result.size)")
  }

  @Test(
    "a blur is within one level of the Gaussian worked out in full", arguments: [0.4, 1, 2.5, 5.9, 6, 9.5, 14, 40],
    ProcessorPictures.inputs)
  func blur(deviation: Double, input: String) throws {
    let name = deviation == deviation.rounded() ? "\(Int(deviation))" : "\(deviation)"
    let difference = try difference(.blur(radius: deviation), input, "blur-\(name)")
    #expect(difference.maximum <= 1, "\(difference)")
  }

  @Test(
    "a resize down to an eighth, or up, is within one level of Lanczos3", arguments: [40, 17, 9, 120],
    ProcessorPictures.inputs)
  func resize(width: Int, input: String) throws {
    let box = PixelSize(width: width, height: 1_000)
    let height = [40: 29, 17: 12, 9: 6, 120: 86][width] ?? 0
    let resize = ImageProcessor.resize(to: box, upscales: true)
    let difference = try difference(resize, input, "resize-\(width)x\(height)")
    #expect(difference.maximum <= 1, "\(difference)")
  }

  @Test("a resize to less than an eighth is within 40 dB of Lanczos3", arguments: ProcessorPictures.inputs)
  func strongResize(input: String) throws {
    let resize = ImageProcessor.resize(to: PixelSize(width: 4, height: 1_000))
    let difference = try difference(resize, input, "resize-4x3")
    #expect(difference.psnr >= 40, "\(difference)")
  }

  @Test(
    "rounded corners are within one level of 4,096 samples a pixel", arguments: [0.3, 4, 7.25, 1_000],
    ProcessorPictures.inputs)
  func corners(radius: Double, input: String) throws {
    let name = radius == radius.rounded() ? "\(Int(radius))" : "\(radius)"
    let difference = try difference(.roundedCorners(radius: radius), input, "corners-\(name)")
    #expect(difference.maximum <= 1, "\(difference)")
  }

  @Test("a circle is within one level of 4,096 samples a pixel", arguments: ProcessorPictures.inputs)
  func circle(input: String) throws {
    let difference = try difference(.circle, input, "circle")
    #expect(difference.maximum <= 1, "\(difference)")
  }

  @Test(
    "a tint is the documented sum, to the nearest level", arguments: TintMode.allCases, ProcessorPictures.inputs)
  func tint(mode: TintMode, input: String) throws {
    let color = RGBA(red: 0.9, green: 0.25, blue: 0.1, alpha: 0.7)
    let difference = try difference(.tint(color, mode: mode), input, "tint-\(mode.rawValue)")
    // Values that lie on the middle between two levels may fall either way.
    #expect(difference.maximum <= 1 && difference.mean < 0.01, "\(difference)")
  }

  @Test("a crop is the part at its anchor, untouched", arguments: CropAnchor.allCases, ProcessorPictures.inputs)
  func crop(anchor: CropAnchor, input: String) throws {
    let picture = try ProcessorPictures.bitmap(input)
    let part = try ImageProcessor.crop(to: PixelSize(width: 20, height: 11), anchor: anchor)(picture)
    let origins: [CropAnchor: (Int, Int)] = [
      .topLeft: (0, 0), .top: (16, 0), .topRight: (33, 0), .left: (0, 13), .center: (16, 13), .right: (33, 13),
      .bottomLeft: (0, 27), .bottom: (16, 27), .bottomRight: (33, 27),
    ]
    let (left, top) = try #require(origins[anchor])
    #expect(part.size == PixelSize(width: 20, height: 11))
    #expect(part.isOpaque == picture.isOpaque)
    for y in 0..<11 { for x in 0..<20 { #expect(part[x, y] == picture[left + x, top + y]) } }
  }
}
