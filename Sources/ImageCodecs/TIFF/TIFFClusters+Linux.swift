#if !canImport(Darwin) && TIFF
  /// Luma of several pixels with the chroma that they share, stored together (TIFF 6.0, sections 20 and 21).
  struct TIFFClusters {
    private let across: Int
    private let down: Int
    /// Of each channel the number that is its zero, and what a step from there is worth.
    private let zero: SIMD3<Float>
    private let scale: SIMD3<Float>
    /// What a step of chroma adds to each of red, green and blue.
    private let blueChroma: SIMD3<Float>
    private let redChroma: SIMD3<Float>

    init(_ directory: TIFFDirectory) throws {
      let steps = try directory.field(.chromaSubsampling).map { field in
        try (0..<2).map { try directory.number(field, at: $0) }
      }
      (across, down) = (steps?[0] ?? 2, steps?[1] ?? 2)
      guard [1, 2, 4].contains(across), [1, 2, 4].contains(down) else {
        throw CodecError.corrupt(.tiff, "chroma of an impossible size")
      }
      let weights = try Self.fractions(directory, .lumaWeights, [0.299, 0.587, 0.114])
      let bounds = try Self.fractions(directory, .referenceBlackAndWhite, [0, 255, 128, 255, 128, 255])
      zero = SIMD3(bounds[0], bounds[2], bounds[4])
      // Luma is 0...255, chroma as far from its zero as 127.
      scale = SIMD3(255, 127, 127) / (SIMD3(bounds[1], bounds[3], bounds[5]) - zero)
      let (red, green, blue) = (weights[0], weights[1], weights[2])
      blueChroma = SIMD3(0, -blue * (2 - 2 * blue) / green, 2 - 2 * blue)
      redChroma = SIMD3(2 - 2 * red, -red * (2 - 2 * red) / green, 0)
      let all = [scale.x, scale.y, scale.z, blueChroma.y, redChroma.y]
      guard all.allSatisfy(\.isFinite) else { throw CodecError.corrupt(.tiff, "colours of impossible weights") }
    }

    private static func fractions(
      _ directory: TIFFDirectory, _ tag: TIFFDirectory.Tag, _ standard: [Float]
    ) throws -> [Float] {
      guard let field = try directory.field(tag) else { return standard }
      return try standard.indices.map { Float(try directory.fraction(field, at: $0)) }
    }

    private var bytesPerCluster: Int { across * down + 2 }

    /// Bytes of the first rows of a strip or tile.
    func bytes(width: Int, rows: Int) -> Int { bytesPerRow(width: width) * ((rows + down - 1) / down) }

    /// Bytes of a row of clusters.
    private func bytesPerRow(width: Int) -> Int { (width + across - 1) / across * bytesPerCluster }

    /// Writes row `y` of a strip or tile as red, green and blue. Unsafe: all of its bytes are there.
    func convert(
      _ piece: UnsafePointer<UInt8>, width: Int, row y: Int, into row: UnsafeMutablePointer<UInt8>, count: Int
    ) {
      let clusters = piece + y / down * bytesPerRow(width: width)
      let line = y % down * across
      for x in 0..<count {
        let cluster = clusters + x / across * bytesPerCluster
        let stored = SIMD3(
          Float(cluster[line + x % across]), Float(cluster[across * down]), Float(cluster[across * down + 1]))
        let color = (stored - zero) * scale
        let light = SIMD3(repeating: color.x) + color.y * blueChroma + color.z * redChroma
        let rounded = light.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255)).rounded(
          .toNearestOrAwayFromZero)
        (row[x * 3], row[x * 3 + 1], row[x * 3 + 2]) = (UInt8(rounded.x), UInt8(rounded.y), UInt8(rounded.z))
      }
    }
  }
#endif
