#if !canImport(Darwin) && HEIC
  /// Rows of samples to rows of RGBA, opaque. Colour that has fewer samples than brightness is interpolated: three quarters
  /// of the nearest and a quarter of the next, as it lies between them.
  final class ChromaRows {
    private let layout: ChromaLayout
    private let matrix: YCbCr
    private let isWide: Bool
    private let chromaColumns: Int
    private let luma: ScratchMemory<Float>
    private let blue: ScratchMemory<Float>
    private let red: ScratchMemory<Float>
    /// A row of colour before it is widened, and what is mixed with it.
    private let narrow: ScratchMemory<Float>

    init(_ layout: ChromaLayout, _ matrix: YCbCr, bitDepth: Int, columns: Int, chromaColumns: Int) throws {
      self.layout = layout
      self.matrix = matrix
      isWide = bitDepth > 8
      self.chromaColumns = chromaColumns
      luma = try ScratchMemory(count: columns)
      // A column more than twice as many may come of an odd width.
      blue = try ScratchMemory(count: chromaColumns * layout.columnStep)
      red = try ScratchMemory(count: chromaColumns * layout.columnStep)
      narrow = try ScratchMemory(count: chromaColumns)
    }

    /// - Parameters:
    ///   - row: counted on the whole of the planes, in which it must be there, and those around it.
    ///   - columns: those that are wanted.
    func convert(_ planes: HEICPlanes, row: Int, columns: Range<Int>, into target: UnsafeMutablePointer<UInt8>) {
      let first = columns.lowerBound
      load(planes.row(row, ofPlane: 0), from: first, count: columns.count, into: luma.start)
      guard layout != .grey else {
        return Self.write(matrix, luma.start, luma.start, luma.start, count: columns.count, target)
      }
      loadChroma(planes, 1, row, into: blue.start)
      loadChroma(planes, 2, row, into: red.start)
      Self.write(matrix, luma.start, blue.start + first, red.start + first, count: columns.count, target)
    }

    private func loadChroma(_ planes: HEICPlanes, _ plane: Int, _ row: Int, into target: UnsafeMutablePointer<Float>) {
      let wanted = layout.columnStep == 1 ? target : narrow.start
      let nearest = row / layout.rowStep
      load(planes.row(nearest, ofPlane: plane), from: 0, count: chromaColumns, into: wanted)
      if layout.rowStep == 2 {
        let next = min(max(0, row % 2 == 0 ? nearest - 1 : nearest + 1), planes.chromaRows - 1)
        mix(planes.row(next, ofPlane: plane), count: chromaColumns, into: wanted)
      }
      if layout.columnStep == 2 { Self.widen(narrow.start, count: chromaColumns, into: target) }
    }

    private func load(
      _ samples: UnsafeRawPointer, from first: Int, count: Int, into target: UnsafeMutablePointer<Float>
    ) {
      if isWide {
        let samples = samples.assumingMemoryBound(to: UInt16.self) + first
        for index in 0..<count { target[index] = Float(samples[index]) }
      } else {
        let samples = samples.assumingMemoryBound(to: UInt8.self) + first
        for index in 0..<count { target[index] = Float(samples[index]) }
      }
    }

    /// Three quarters of what is there and a quarter of `samples`.
    private func mix(_ samples: UnsafeRawPointer, count: Int, into target: UnsafeMutablePointer<Float>) {
      if isWide {
        let samples = samples.assumingMemoryBound(to: UInt16.self)
        for index in 0..<count { target[index] = 0.75 * target[index] + 0.25 * Float(samples[index]) }
      } else {
        let samples = samples.assumingMemoryBound(to: UInt8.self)
        for index in 0..<count { target[index] = 0.75 * target[index] + 0.25 * Float(samples[index]) }
      }
    }

    /// Twice as many samples.
    private static func widen(_ row: UnsafePointer<Float>, count: Int, into target: UnsafeMutablePointer<Float>) {
      var before = row[0]
      for index in 0..<count {
        let (sample, after) = (row[index], row[min(index &+ 1, count &- 1)])
        target[index &* 2] = 0.75 * sample + 0.25 * before
        target[index &* 2 &+ 1] = 0.75 * sample + 0.25 * after
        before = sample
      }
    }

    private static func write(
      _ matrix: YCbCr, _ luma: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, _ red: UnsafePointer<Float>,
      count: Int, _ target: UnsafeMutablePointer<UInt8>
    ) {
      @inline(__always)
      func byte(_ channel: YCbCr.Channel, _ index: Int) -> UInt32 {
        let value =
          channel.luma * luma[index] + channel.blue * blue[index] + channel.red * red[index] + channel.constant
        // A number of this size has its ones in the last bit, so that adding it rounds.
        return (min(max(value, 0), 255) + 8_388_608).bitPattern & 0xFF
      }
      target.withMemoryRebound(to: UInt32.self, capacity: count) { pixels in
        for index in 0..<count {
          let pixel =
            byte(matrix.red, index) | byte(matrix.green, index) << 8 | byte(matrix.blue, index) << 16 | 0xFF00_0000
          pixels[index] = UInt32(littleEndian: pixel)
        }
      }
    }
  }
#endif
