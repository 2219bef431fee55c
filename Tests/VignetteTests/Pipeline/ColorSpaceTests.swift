#if ColorManagement || canImport(Darwin)
  import Foundation
  import HTTPCaching
  import ImageCodecs
  import Pixels
  import Testing
  import VignetteTesting

  @testable import Vignette

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  @Suite("Colour spaces of sources in the pipeline", .timeLimit(.minutes(5)))
  struct ColorSpaceTests {
    /// Of a picture in Display P3, by the tests of the codecs.
    private static func displayP3() throws -> ColorProfile {
      let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../ImageCodecsTests/Fixtures/color-p3.jpg")
      let bitmap = try ImageDecoder(colors: .source).decode(Data(contentsOf: fixture)).bitmap
      return try #require(bitmap.colorProfile)
    }

    private static func picture(
      width: Int, height: Int, _ color: [UInt8] = [200, 60, 30, 255], opaque: Bool = true
    ) throws -> Bitmap {
      var bitmap = Bitmap(size: PixelSize(width: width, height: height), isOpaque: opaque) { bytes in
        for at in bytes.indices { bytes[at] = color[at % 4] }
      }
      bitmap.colorProfile = try displayP3()
      return bitmap
    }

    /// Noise, so that the file is long enough to be worth a thumbnail.
    private static func photograph() throws -> Data {
      var random = SystemRandomNumberGenerator()
      var bitmap = Bitmap(size: PixelSize(width: 400, height: 300), isOpaque: true) { bytes in
        for at in bytes.indices { bytes[at] = at % 4 == 3 ? 255 : UInt8.random(in: 0...255, using: &random) }
      }
      bitmap.colorProfile = try displayP3()
      return try ImageEncoder.jpeg(bitmap, quality: 95)
    }

    @Test("thumbnails of one store are kept apart by what becomes of colours")
    func thumbnails() async throws {
      let data = try Self.photograph()
      let server = try ScriptedServer { _ in .data(data, type: "image/jpeg").cacheControl("max-age=60") }
      defer { server.stop() }
      let loader = HTTPLoader(transport: PlatformTransport.shared, configuration: HTTPLoader.Configuration())
      let request = ImageRequest(url: server.url("/a.jpg"), target: .box(PixelSize(width: 40, height: 30), .fit))
      func load(_ colors: ColorPolicy) async throws -> ImageResponse {
        var configuration = ImagePipeline.Configuration(loader: .http(loader))
        configuration.decoder = ImagePipeline.Decoder(colors: colors)
        let pipeline = ImagePipeline(configuration: configuration)
        let response = try await pipeline.image(for: request)
        await pipeline.flush()
        return response
      }
      for origin in [ImageResponse.Origin.memory, .thumbnail] {
        for colors in ColorPolicy.allCases {
          let response = try await load(colors)
          #expect((response.origin == .thumbnail) == (origin == .thumbnail), "\(colors)")
          #expect((response.bitmap.colorProfile == nil) == (colors == .sRGB), "\(colors)")
        }
      }
    }

    @Test("what a processor gives is in the space of what it was given", arguments: ProcessorRuleTests.builtIn)
    func processors(processor: ImageProcessor) throws {
      let bitmap = try Self.picture(width: 40, height: 30)
      let context = ProcessorContext(sourceSize: bitmap.size)
      #expect(try processor.process(bitmap, context).colorProfile == bitmap.colorProfile)
      let own = ImageProcessor.custom(id: "own") { bitmap, _ in Bitmap(size: bitmap.size) { _ in } }
      #expect(try own.process(bitmap, context).colorProfile == bitmap.colorProfile)
    }

    @Test("a tint has its colour of sRGB in a picture of another space", arguments: TintMode.allCases)
    func tint(mode: TintMode) throws {
      let bitmap = try Self.picture(width: 2, height: 2, [255, 255, 255, 255])
      let tint = RGBA(red: 0.8, green: 0.3, blue: 0.2)
      let processor = ImageProcessor.tint(tint, mode: mode)
      let result = try processor.process(bitmap, ProcessorContext(sourceSize: bitmap.size))
      let pixel = try result.convertedToSRGB()[0, 0]
      // Display P3 names the same colour by less saturated numbers.
      #expect(result[0, 0].red < 200)
      for (value, wanted) in [(pixel.red, 204), (pixel.green, 77), (pixel.blue, 51)] {
        #expect(abs(Int(value) - wanted) <= 1)
      }
    }
  }
#endif
