#if canImport(Darwin)
  import CoreGraphics
  import Foundation
  import Pixels
  import Synchronized

  extension Bitmap {
    /// What the numbers mean, for pictures and contexts of Core Graphics; sRGB without a profile, or with one that
    /// cannot be used.
    public var cgColorSpace: CGColorSpace? { ColorSpaces.shared.space(colorProfile) }
  }

  extension ColorProfile {
    /// - Returns: `nil` for sRGB, and for spaces without an ICC profile.
    init?(_ space: CGColorSpace) {
      guard let profile = ColorSpaces.shared.profile(of: space) else { return nil }
      self = profile
    }

    /// A picture in this space as one in sRGB; `nil` where the profile cannot be used.
    func pixelsInSRGB(of bitmap: Bitmap, isCancelled: () -> Bool) throws -> Bitmap? {
      if isCancelled() { throw CancellationError() }
      guard let image = ImageEncoder.image(bitmap) else { return nil }
      return try Bitmap(size: bitmap.size, isOpaque: bitmap.isOpaque) { bytes in
        guard let start = bytes.baseAddress else { throw CodecError.outOfMemory(for: bitmap.size) }
        try ImageIORowSource.draw(image, at: bitmap.size, in: nil, into: start)
      }
    }

    /// The numbers, 0...1, that a colour of sRGB has in this space; the nearest where it lies outside.
    /// - Returns: `nil` where the profile cannot be used.
    package func components(ofSRGB color: SIMD3<Double>) -> SIMD3<Double>? {
      guard let standard = CGColorSpace(name: CGColorSpace.sRGB), let space = ColorSpaces.shared.space(self),
        let color = CGColor(
          colorSpace: standard, components: [CGFloat(color.x), CGFloat(color.y), CGFloat(color.z), 1]),
        let converted = color.converted(to: space, intent: .defaultIntent, options: nil),
        let numbers = converted.components, numbers.count == 4
      else { return nil }
      return SIMD3(Double(numbers[0]), Double(numbers[1]), Double(numbers[2]))
        .clamped(lowerBound: .zero, upperBound: .one)
    }
  }

  extension CGColorSpace {
    /// This space, or the nearest that bitmaps of 8 bits may have; `nil` for sRGB, which greys and inks become.
    ///
    /// Numbers beyond 0...1 and those of HDR have no place in 8 bits, and some profiles work one way only.
    var forBitmaps: CGColorSpace? {
      let space = model == .indexed ? baseColorSpace ?? self : self
      guard space.model == .rgb, space.name != CGColorSpace.sRGB else { return nil }
      guard space.supportsOutput, !CGColorSpaceUsesExtendedRange(space), !space.isHDR, ColorProfile(space) != nil else {
        return space.isWideGamutRGB ? CGColorSpace(name: CGColorSpace.displayP3) : nil
      }
      return space
    }

    /// By its transfer function; before the systems that can tell, no.
    private var isHDR: Bool {
      guard #available(iOS 14, macOS 11, tvOS 14, watchOS 7, *) else { return false }
      return CGColorSpaceUsesITUR_2100TF(self)
    }
  }

  /// Which space each profile describes, so that pictures of one source share both.
  private final class ColorSpaces: Sendable {
    static let shared = ColorSpaces()

    private struct Entry: Sendable {
      var space: CGColorSpace
      var profile: ColorProfile
    }

    private static let capacity = 8

    /// The last found first.
    private let entries = Locked<[Entry]>([])

    func space(_ profile: ColorProfile?) -> CGColorSpace? {
      let standard = CGColorSpace(name: CGColorSpace.sRGB)
      guard let profile else { return standard }
      if let known = find(where: { $0.profile == profile }) { return known.space }
      guard let space = CGColorSpace(iccData: Data(profile.bytes) as CFData), space.model == .rgb else {
        return standard
      }
      keep(Entry(space: space, profile: profile))
      return space
    }

    func profile(of space: CGColorSpace) -> ColorProfile? {
      if space.name == CGColorSpace.sRGB { return nil }
      if let known = find(where: { $0.space === space || CFEqual($0.space, space) }) { return known.profile }
      guard let data = space.copyICCData() else { return nil }
      let profile = ColorProfile([UInt8](data as Data))
      keep(Entry(space: space, profile: profile))
      return profile
    }

    private func find(where isWanted: (Entry) -> Bool) -> Entry? {
      entries.withLock { entries in
        guard let index = entries.firstIndex(where: isWanted) else { return nil }
        if index > 0 { entries.insert(entries.remove(at: index), at: 0) }
        return entries[0]
      }
    }

    private func keep(_ entry: Entry) {
      entries.withLock { entries in
        entries.insert(entry, at: 0)
        if entries.count > Self.capacity { entries.removeLast() }
      }
    }
  }
#endif
