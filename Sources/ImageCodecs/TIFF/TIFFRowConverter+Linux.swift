#if !canImport(Darwin) && TIFF
  import Pixels

  /// Rows of samples, of any length up to 16 bits, to premultiplied RGBA of 8.
  struct TIFFRowConverter {
    private let header: TIFFHeader
    private let photometric: TIFFHeader.Photometric
    private let width: Int
    private let bits: Int
    /// Samples of a pixel that stand side by side.
    private let step: Int
    /// Of colours and alpha the place in a pixel; 0 where each has a plane.
    private let places: [Int]
    /// What a colour's number of at most 8 bits stands for: a level, or a place in the palette.
    private let levels: [UInt8]
    private let alphaLevels: [UInt8]
    /// Red, green and blue, 256 of each.
    private let palette: [UInt8]
    private let inks: ColorTransform?
    /// Room for the samples of each plane as numbers of 8 bits.
    private let numbers: ScratchMemory<UInt8>

    /// - Parameter inks: what makes colours of inks, where a profile tells.
    init(_ layout: TIFFLayout, inks: ColorTransform?) throws {
      header = layout.header
      photometric = layout.photometric
      width = layout.header.size.width
      self.inks = inks
      // JPEG's and clusters of luma and chroma have become RGB.
      bits = layout.header.bitsPerSample
      step = layout.samplesPerPiecePixel
      places = layout.header.isPlanar ? layout.samples.map { _ in 0 } : layout.samples
      numbers = try ScratchMemory(count: width * step * layout.planes.count)
      alphaLevels = Self.levels(bits: bits)
      levels = photometric == .whiteIsZero ? alphaLevels.map { 255 - $0 } : alphaLevels
      palette = photometric == .palette ? try Self.palette(layout.directory, bits: bits) : []
    }

    /// What numbers of at most 8 bits stand for, rounded to nearest; longer ones have been brought to 8 bits.
    private static func levels(bits: Int) -> [UInt8] {
      let most = 1 << min(bits, 8) - 1
      return (0...255).map { UInt8((min($0, most) * 255 * 2 + most) / (2 * most)) }
    }

    /// Section 5: all reds, all greens, all blues. Programs that mistake its 16 bits for 8 are known.
    private static func palette(_ directory: TIFFDirectory, bits: Int) throws -> [UInt8] {
      let count = 1 << bits
      guard let field = try directory.field(.colorMap), field.count >= 3 * count else {
        throw CodecError.corrupt(.tiff, "a palette with too few colours")
      }
      let values = try (0..<3 * count).map { min(try directory.number(field, at: $0), 0xFFFF) }
      let isShort = values.allSatisfy { $0 < 256 }
      var palette = [UInt8](repeating: 0, count: 3 * 256)
      for (index, value) in values.enumerated() {
        palette[index / count * 256 + index % count] = isShort ? UInt8(value) : rounded(value, most: 0xFFFF)
      }
      return palette
    }

    private static func rounded(_ value: Int, most: Int) -> UInt8 { UInt8((value * 255 * 2 + most) / (2 * most)) }

    // MARK: Rows

    /// - Parameter planes: a row of each. Unsafe: each has all of its samples.
    func convert(_ planes: [UnsafePointer<UInt8>], into row: UnsafeMutablePointer<UInt8>) {
      let planes = planes.enumerated().map { narrowed($1, into: numbers.start + $0 * width * step) }
      let channels = places.enumerated().map { planes[header.isPlanar ? $0 : 0] + $1 }
      switch photometric {
      case .palette: paint(channels[0], into: row)
      case .whiteIsZero, .blackIsZero, .mask: copy([channels[0], channels[0], channels[0]], into: row)
      default: copy(channels, into: row)
      }
      if photometric == .inks {
        mix(header.alpha == nil ? nil : channels.last, row)
      } else if header.alpha != nil, let alpha = channels.last {
        apply(alpha, row)
      } else {
        Alpha.makeOpaque(row, count: width)
      }
    }

    /// The samples of a plane as numbers of 8 bits: shorter ones as they are, longer ones rounded to nearest.
    private func narrowed(
      _ stored: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
      let count = width * step
      switch bits {
      case 8: return stored
      case 16:
        // In the machine's byte order: libtiff has seen to it.
        let stored = UnsafeRawPointer(stored)
        for index in 0..<count {
          let value = UInt32(stored.loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self))
          target[index] = UInt8(truncatingIfNeeded: (value &* 255 &+ 32_895) >> 16)
        }
      default:
        // The first sample is in the highest bits. Three bytes hold any of them.
        let length = (count * bits + 7) / 8
        let most = 1 << bits - 1
        for index in 0..<count {
          let bit = index &* bits
          let byte = bit >> 3
          let next = byte &+ 1 < length ? Int(stored[byte &+ 1]) : 0
          let third = byte &+ 2 < length ? Int(stored[byte &+ 2]) : 0
          let value = (Int(stored[byte]) << 16 | next << 8 | third) >> (24 &- bits &- bit & 7) & most
          target[index] = bits < 8 ? UInt8(value) : Self.rounded(value, most: most)
        }
      }
      return UnsafePointer(target)
    }

    private func paint(_ indices: UnsafePointer<UInt8>, into row: UnsafeMutablePointer<UInt8>) {
      palette.withUnsafeBufferPointer { palette in
        for x in 0..<width {
          let index = Int(indices[x &* step])
          for channel in 0..<3 { row[x &* 4 &+ channel] = palette[channel &* 256 &+ index] }
        }
      }
    }

    private func copy(_ channels: [UnsafePointer<UInt8>], into row: UnsafeMutablePointer<UInt8>) {
      levels.withUnsafeBufferPointer { levels in
        for (channel, samples) in channels.prefix(4).enumerated() {
          for x in 0..<width { row[x &* 4 &+ channel] = levels[Int(samples[x &* step])] }
        }
      }
    }

    // MARK: Alpha

    private func apply(_ alpha: UnsafePointer<UInt8>, _ row: UnsafeMutablePointer<UInt8>) {
      let isAssociated = header.alpha?.isAssociated == true
      for x in 0..<width {
        let level = alphaLevels[Int(alpha[x &* step])]
        row[x &* 4 &+ 3] = level
        guard isAssociated else { continue }
        // No colour is brighter than its alpha.
        for channel in 0..<3 { row[x &* 4 &+ channel] = min(row[x &* 4 &+ channel], level) }
      }
      if !isAssociated { Alpha.premultiply(row, count: width) }
    }

    /// Amounts of ink to colours, of which alpha, if there is any, takes its part.
    private func mix(_ alpha: UnsafePointer<UInt8>?, _ row: UnsafeMutablePointer<UInt8>) {
      let isAssociated = header.alpha?.isAssociated == true
      for x in 0..<width {
        let level = isAssociated ? alpha.map { Int(alphaLevels[Int($0[x &* step])]) } ?? 255 : 255
        for channel in 0..<4 {
          let ink = Int(row[x &* 4 &+ channel])
          let straight = level == 255 ? ink : level == 0 ? 0 : min(255, (ink * 255 + level / 2) / level)
          row[x &* 4 &+ channel] = UInt8(255 - straight)
        }
      }
      Inks.convert(row, count: width, color: inks)
      guard let alpha else { return }
      for x in 0..<width { row[x &* 4 &+ 3] = alphaLevels[Int(alpha[x &* step])] }
      Alpha.premultiply(row, count: width)
    }
  }
#endif
