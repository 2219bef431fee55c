#if !canImport(Darwin) && HEIC
  internal import CDE265
  import Foundation
  import Pixels

  /// The memory that a decoder of libde265's has for its one picture.
  ///
  /// It is filled beforehand, so that blocks which no slice has decoded are known: libde265 says nothing of them, and would
  /// show what was in memory before.
  final class HEVCMemory {
    private struct Plane {
      var memory: ScratchMemory<UInt8>
      /// Bytes of a row.
      var stride: Int
    }

    private let samples: HEVCParameterSet
    private var planes: [Plane] = []
    /// Whether the decoder has asked for what no still picture needs.
    private(set) var wasRefused = false

    init(_ samples: HEVCParameterSet) { self.samples = samples }

    /// Unsafe: this must outlive the decoder.
    func serve(_ context: UnsafeMutableRawPointer) {
      var functions = de265_image_allocation(
        get_buffer: { _, specification, image, owner in
          guard let specification, let image, let owner else { return 0 }
          let memory = Unmanaged<HEVCMemory>.fromOpaque(owner).takeUnretainedValue()
          return memory.allocate(specification.pointee, image) ? 1 : 0
        },
        // Freed with this object.
        release_buffer: { _, _, _ in })
      de265_set_image_allocation_functions(context, &functions, Unmanaged.passUnretained(self).toOpaque())
    }

    private func allocate(_ specification: de265_image_spec, _ image: OpaquePointer) -> Bool {
      let size = PixelSize(width: Int(specification.width), height: Int(specification.height))
      // A second picture would be one that the first depends on.
      guard planes.isEmpty, size == samples.codedSize else {
        wasRefused = true
        return false
      }
      let chroma = samples.layout.chromaSize(size)
      let sizes = [size] + (samples.layout == .grey ? [] : [chroma, chroma])
      let alignment = max(Self.patternBytes, Int(specification.alignment))
      for (number, size) in sizes.enumerated() {
        let columns = (size.width + alignment - 1) / alignment * alignment
        let stride = columns * samples.sampleBytes
        guard let memory = try? ScratchMemory<UInt8>(count: stride * size.height + Self.padding) else { return false }
        planes.append(Plane(memory: memory, stride: stride))
        de265_set_image_plane(image, Int32(number), memory.start, Int32(clamping: stride), nil)
      }
      fill(planes[0])
      return true
    }

    /// libde265 reads so far behind the last row.
    private static let padding = 64

    // MARK: Blocks that are not there

    /// No file can know them.
    private static let random = SIMD8<UInt16>.random(in: 0...(.max))
    /// Of the smallest blocks.
    private static let side = 8

    /// Samples that any may be, in 16 bytes, to which rows are aligned.
    private lazy var pattern =
      Self.random & SIMD8(repeating: samples.sampleBytes == 1 ? .max : 1 << UInt16(samples.bitDepth) &- 1)

    private func fill(_ luma: Plane) {
      let target = UnsafeMutableRawPointer(luma.memory.start)
      for offset in stride(from: 0, to: luma.stride * samples.codedSize.height, by: Self.patternBytes) {
        target.storeBytes(of: pattern, toByteOffset: offset, as: SIMD8<UInt16>.self)
      }
    }

    private static let patternBytes = MemoryLayout<SIMD8<UInt16>>.size

    /// Whether all blocks have been decoded. To be asked before edges are smoothed.
    var isFilled: Bool {
      guard let luma = planes.first else { return false }
      let bytesPerBlock = Self.side * samples.sampleBytes
      return withUnsafeBytes(of: pattern) { pattern in
        for y in stride(from: 0, to: samples.codedSize.height, by: Self.side) {
          let row = UnsafeRawPointer(luma.memory.start + y * luma.stride)
          for x in stride(from: 0, to: samples.codedSize.width * samples.sampleBytes, by: bytesPerBlock) {
            let untouched = pattern.baseAddress.map { $0 + x % Self.patternBytes }
            guard let untouched,
              memcmp(row + x, untouched, bytesPerBlock) != 0
                || memcmp(row + luma.stride + x, untouched, bytesPerBlock) != 0
            else { return false }
          }
        }
        return true
      }
    }

    // MARK: The picture

    /// Calls `body` with each row of a plane, from the top.
    /// - Parameter shown: how much of the picture is wanted, of its upper left.
    func forEachRow(ofPlane number: Int, shown: PixelSize, _ body: (_ row: Int, UnsafeRawBufferPointer) -> Void) {
      guard planes.indices.contains(number) else { return }
      let (columnStep, rowStep) = number == 0 ? (1, 1) : (samples.layout.columnStep, samples.layout.rowStep)
      let size = number == 0 ? shown : samples.layout.chromaSize(shown)
      let plane = planes[number]
      let start = plane.memory.start + samples.crop.x / columnStep * samples.sampleBytes
      for row in 0..<size.height {
        let bytes = start + (samples.crop.y / rowStep + row) * plane.stride
        body(row, UnsafeRawBufferPointer(start: bytes, count: size.width * samples.sampleBytes))
      }
    }
  }
#endif
