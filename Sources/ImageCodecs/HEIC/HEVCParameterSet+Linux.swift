#if !canImport(Darwin) && HEIC
  import Pixels

  /// What is needed of a sequence parameter set: how large the picture is, and of what samples (ITU-T H.265, section
  /// 7.3.2.2).
  struct HEVCParameterSet: Hashable {
    /// In whole blocks.
    let codedSize: PixelSize
    /// The part that is to be shown.
    let crop: PixelRect
    let layout: ChromaLayout
    let bitDepth: Int

    var size: PixelSize { crop.size }
    var sampleBytes: Int { bitDepth > 8 ? 2 : 1 }
    /// Of all planes as they are coded.
    var planeBytes: Int { (codedSize.area + 2 * layout.chromaSize(codedSize).area) * sampleBytes }

    /// - Parameter unit: a NAL unit.
    /// - Returns: `nil` for one that makes no sense, or that no decoder takes.
    init?(_ unit: UnsafeRawBufferPointer) {
      var reader = HEVCBitReader(unit.part(2..<unit.count))
      guard reader.skip(4), let subLayers = reader.bits(3), reader.skip(1),
        Self.skipProfile(&reader, subLayers: Int(subLayers)), reader.number() != nil,
        let chroma = reader.number(), let layout = ChromaLayout(rawValue: chroma)
      else { return nil }
      // Three planes that are coded apart have no decoder.
      if layout == .full, reader.bit() != 0 { return nil }
      guard let width = reader.number(), let height = reader.number(),
        let cropped = Self.cropped(&reader, PixelSize(width: width, height: height), layout),
        let luma = reader.number(), let depth = reader.number(), luma == depth, luma <= 8
      else { return nil }
      codedSize = PixelSize(width: width, height: height)
      crop = cropped
      self.layout = layout
      bitDepth = luma + 8
      guard Self.areBlocksPossible(&reader, codedSize, subLayers: Int(subLayers)) else { return nil }
    }

    /// Profile, tier and level, of each sub-layer too (section 7.3.3).
    private static func skipProfile(_ reader: inout HEVCBitReader, subLayers: Int) -> Bool {
      guard reader.skip(96) else { return false }
      var bits = 0
      for _ in 0..<subLayers {
        guard let hasProfile = reader.bit(), let hasLevel = reader.bit() else { return false }
        bits += (hasProfile == 1 ? 88 : 0) + (hasLevel == 1 ? 8 : 0)
      }
      if subLayers > 0 { bits += 2 * (8 - subLayers) }
      return reader.skip(bits)
    }

    private static func cropped(
      _ reader: inout HEVCBitReader, _ size: PixelSize, _ layout: ChromaLayout
    ) -> PixelRect? {
      guard let isCropped = reader.bit() else { return nil }
      guard isCropped == 1 else { return size.isEmpty ? nil : PixelRect(size) }
      guard let left = reader.number(), let right = reader.number(), let top = reader.number(),
        let bottom = reader.number()
      else { return nil }
      let shown = PixelSize(
        width: size.width - (left + right) * layout.columnStep, height: size.height - (top + bottom) * layout.rowStep)
      return shown.isEmpty ? nil : PixelRect(x: left * layout.columnStep, y: top * layout.rowStep, size: shown)
    }

    /// Whether the sizes of blocks go together. libde265 refuses others, too, but says so on standard error.
    private static func areBlocksPossible(_ reader: inout HEVCBitReader, _ size: PixelSize, subLayers: Int) -> Bool {
      guard let orderBits = reader.number(), orderBits <= 12, let isEachSaid = reader.bit() else { return false }
      for _ in 0..<3 * (isEachSaid == 1 ? subLayers + 1 : 1) where reader.number() == nil { return false }
      guard let leastCoding = reader.number(), let codingSteps = reader.number(), let leastTransform = reader.number(),
        let transformSteps = reader.number(), let interDepth = reader.number(), let intraDepth = reader.number()
      else { return false }
      // Logarithms, less the least allowed.
      guard leastCoding <= 3, codingSteps <= 3, leastTransform <= 3, transformSteps <= 3 else { return false }
      let coding = (leastCoding + 3)...(leastCoding + 3 + codingSteps)
      let transform = (leastTransform + 2)...(leastTransform + 2 + transformSteps)
      let side = 1 << coding.lowerBound
      return coding.upperBound <= 6 && transform.lowerBound < coding.lowerBound
        && transform.upperBound <= min(coding.upperBound, 5)
        && max(interDepth, intraDepth) <= coding.upperBound - transform.lowerBound
        && size.width % side == 0 && size.height % side == 0
    }
  }
#endif
