#if ColorManagement || canImport(Darwin)
  import Foundation
  import ImageCodecs
  import Pixels
  import Testing

  /// Pictures whose pixels stay as their file has them. What they are in sRGB is known from `Fixtures/make-colors.py`.
  @Suite("Source colours kept")
  struct SourceColorTests {
    private static let keeping = ImageDecoder(colors: .source)
    private static let converting = ImageDecoder(colors: .sRGB)

    /// RGB pictures of the list whose colours are others than those of sRGB, stills.
    private static let kept = ColorFixture.all.filter { fixture in
      let isOther = ["p3", "adobe", "swapped", "gamma-1.png", "2020", "pq", "hlg", "long.jpg"]
      return fixture.frame == nil && isOther.contains { fixture.file.contains($0) }
        && fixture.file != "color-points-srgb.png"
    }
    /// Those that are sRGB by what they say, or say nothing that can be understood.
    private static let plain = [
      "color-untagged.png", "color-standard.png", "color-profile-srgb.png", "color-profile-damaged.png",
      "color-profile-noise.png", "color-profile-of-grey.png", "color-points-srgb.png", "color-hole.jpg", "rgb24.bmp",
      "plain.gif", "420.jpg",
    ]
    private static let converted = [
      "color-grey.jpg", "color-grey-profile.png", "color-grey-gamma.png", "color-inks.jpg",
    ]

    private func difference(_ one: [UInt8], _ other: [UInt8]) -> Int {
      guard one.count == other.count else { return 255 }
      return zip(one, other).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }

    #if !canImport(Darwin)
      @Test("the pixels are those of the file, and the profile is the file's own", arguments: kept)
      func pixels(fixture: ColorFixture) throws {
        let data = try Files.fixture(fixture.file)
        let bitmap = try Self.keeping.decode(data).bitmap
        let profile = try #require(bitmap.colorProfile)
        if fixture.file.hasSuffix(".png"), !fixture.file.contains("glass") {
          #expect(try bitmap.bytes == Self.converting.decode(Files.fixture("color-untagged.png")).bitmap.bytes)
        }
        if !fixture.file.hasSuffix(".png") {
          // Uncompressed in the file: in one piece in a WebP, in segments in a JPEG.
          let isThere = data.firstRange(of: Data(profile.bytes.prefix(400))) != nil
          #expect(isThere)
        }
      }
    #endif

    @Test("they come to the same in sRGB as a conversion while decoding", arguments: kept)
    func conversion(fixture: ColorFixture) throws {
      let bitmap = try Self.keeping.decode(Files.fixture(fixture.file)).bitmap
      let converted = try bitmap.convertedToSRGB()
      #expect(converted.colorProfile == nil)
      #expect(difference(converted.bytes, Array(fixture.pixels)) <= fixture.tolerance)
    }

    @Test("what is written has the profile, and means the same colours", arguments: kept)
    func written(fixture: ColorFixture) throws {
      let bitmap = try Self.keeping.decode(Files.fixture(fixture.file)).bitmap
      let png = try ImageEncoder.png(bitmap)
      let again = try Self.keeping.decode(png).bitmap
      #expect(again.colorProfile == bitmap.colorProfile)
      #expect(difference(try Self.converting.decode(png).bitmap.bytes, Array(fixture.pixels)) <= fixture.tolerance + 1)
      #if canImport(Darwin)
        let others = [try ImageEncoder.jpeg(bitmap, quality: 100, subsampling: .none)]
      #else
        let others = [
          try ImageEncoder.jpeg(bitmap, quality: 100, subsampling: .none), try ImageEncoder.webp(bitmap, .lossless),
          try ImageEncoder.webp(bitmap, .lossy(quality: 95)),
        ]
      #endif
      for file in others {
        let picture = try Self.keeping.decode(file)
        #expect(picture.bitmap.colorProfile == bitmap.colorProfile)
        #expect(picture.bitmap.isOpaque || picture.info.hasAlpha && !bitmap.isOpaque)
      }
    }

    @Test("sRGB has no profile, and nor has what cannot be understood", arguments: plain)
    func standard(file: String) throws {
      let data = try Files.fixture(file)
      let bitmap = try Self.keeping.decode(data).bitmap
      #expect(bitmap.colorProfile == nil)
      #expect(try bitmap.bytes == Self.converting.decode(data).bitmap.bytes)
    }

    @Test("greys and inks are converted", arguments: converted)
    func otherModels(file: String) throws {
      let fixture = try #require(ColorFixture.all.first { $0.file == file })
      let bitmap = try Self.keeping.decode(Files.fixture(file)).bitmap
      #expect(bitmap.colorProfile == nil)
      #expect(difference(bitmap.bytes, Array(fixture.pixels)) <= fixture.tolerance)
    }

    @Test("frames of animations keep them", arguments: ["color-animated.png", "color-animated.webp"])
    func frames(file: String) throws {
      let decoder = try AnimationDecoder(Files.fixture(file), colors: .source)
      for fixture in ColorFixture.all where fixture.file == file {
        let bitmap = try #require(try decoder.frame(at: fixture.frame ?? 0)).bitmap
        #if !canImport(Darwin)
          #expect(bitmap.colorProfile != nil)
        #endif
        #expect(difference(try bitmap.convertedToSRGB().bytes, Array(fixture.pixels)) <= fixture.tolerance)
      }
    }

    @Test(
      "scaled pictures and previews keep them", arguments: ["color-p3.jpg", "color-profile-p3.png", "color-p3.webp"])
    func scaled(file: String) throws {
      let data = try Files.fixture(file)
      let target = DecodeTarget.box(PixelSize(width: 12, height: 8), .fit)
      let profile = try Self.keeping.decode(data).bitmap.colorProfile
      #expect(profile != nil)
      #expect(try Self.keeping.decode(data, target: target).bitmap.colorProfile == profile)
      let arriving = ProgressiveDecoder(target: target, colors: .source, minimumInterval: 0)
      for start in stride(from: 0, to: data.count, by: 50) {
        let preview = try arriving.append(data[start..<min(data.count, start + 50)])
        #expect(preview == nil || preview?.bitmap.colorProfile == profile)
      }
      #expect(try arriving.finish().bitmap.colorProfile == profile)
    }

    @Test("pictures of one source share their profile")
    func shared() throws {
      let data = try Files.fixture("color-p3.jpg")
      let profiles = try (0..<2).map { _ in try #require(try Self.keeping.decode(data).bitmap.colorProfile) }
      let addresses = profiles.map { $0.bytes.withUnsafeBufferPointer { $0.baseAddress } }
      #expect(addresses[0] == addresses[1])
    }

    @Test("a placeholder is that of the picture in sRGB")
    func placeholder() throws {
      let data = try Files.fixture("color-profile-swapped.png")
      let (kept, converted) = (try Self.keeping.decode(data).bitmap, try Self.converting.decode(data).bitmap)
      #expect(try BlurHash(kept) == BlurHash(converted))
    }

    @Test("a profile with no room in the file is refused")
    func longProfile() throws {
      var bitmap = try Self.converting.decode(Files.fixture("color-untagged.png")).bitmap
      bitmap.colorProfile = ColorProfile([UInt8](repeating: 1, count: 255 * 65_519 + 1))
      #expect(codecError { _ = try ImageEncoder.jpeg(bitmap) }?.code == .tooLarge)
    }

    #if !canImport(Darwin)
      @Test("the longest profile fits, and a picture with a senseless one is still a picture")
      func senselessProfile() throws {
        let expected = try Self.converting.decode(Files.fixture("color-untagged.png")).bitmap
        var bitmap = expected
        var limits = DecodeLimits()
        limits.maximumProfileBytes = 1 << 30
        for count in [1, 65_519, 65_520, 255 * 65_519] {
          bitmap.colorProfile = ColorProfile([UInt8](repeating: 1, count: count))
          let files = [
            try ImageEncoder.png(bitmap), try ImageEncoder.jpeg(bitmap), try ImageEncoder.webp(bitmap, .lossless),
          ]
          for file in files {
            let picture = try ImageDecoder(limits: limits, colors: .source).decode(file)
            #expect(picture.bitmap.size == expected.size && picture.bitmap.colorProfile == nil)
            #expect(picture.info.colorSpace != .untagged)
          }
          #expect(try bitmap.convertedToSRGB().bytes == expected.bytes)
        }
      }
    #endif
  }
#endif
