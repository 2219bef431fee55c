#if !canImport(Darwin)
  internal import CImageShims
  import Foundation
  import Pixels

  extension ImageEncoder {
    static func encodePNG(_ bitmap: Bitmap, compression: PNGCompression) throws -> Data {
      var created: OpaquePointer?
      let (width, height) = (UInt32(clamping: bitmap.size.width), UInt32(clamping: bitmap.size.height))
      let status = withProfile(of: bitmap) {
        vg_png_writer_create(width, height, !bitmap.isOpaque, compression == .fast, $0, &created)
      }
      defer { vg_png_writer_destroy(created) }
      guard let writer = created else { throw CodecError.outOfMemory(for: bitmap.size) }
      try check(status, .png)
      try forEachRow(of: bitmap) { row in
        if !bitmap.isOpaque { Alpha.unpremultiply(row, count: bitmap.size.width) }
        try check(vg_png_writer_write_row(writer, row), .png)
      }
      return try data(.png) { vg_png_writer_finish(writer, &$0, &$1) }
    }

    static func encodeJPEG(_ bitmap: Bitmap, quality: Int, subsampling: ChromaSubsampling) throws -> Data {
      var created: OpaquePointer?
      let (width, height) = (UInt32(clamping: bitmap.size.width), UInt32(clamping: bitmap.size.height))
      let status = withProfile(of: bitmap) {
        vg_jpeg_writer_create(width, height, Int32(quality), subsampling == .quarter, $0, &created)
      }
      defer { vg_jpeg_writer_destroy(created) }
      guard let writer = created else { throw CodecError.outOfMemory(for: bitmap.size) }
      try check(status, .jpeg)
      try forEachRow(of: bitmap) { row in
        if !bitmap.isOpaque { overWhite(row, count: bitmap.size.width) }
        try check(vg_jpeg_writer_write_row(writer, row), .jpeg)
      }
      return try data(.jpeg) { vg_jpeg_writer_finish(writer, &$0, &$1) }
    }

    private static func withProfile(of bitmap: Bitmap, _ body: (vg_profile) -> vg_status) -> vg_status {
      guard let profile = bitmap.colorProfile else { return body(vg_profile(bytes: nil, count: 0)) }
      return profile.bytes.withUnsafeBufferPointer { body(vg_profile(bytes: $0.baseAddress, count: $0.count)) }
    }

    /// Calls `body` with a copy of each row, which it may change.
    static func forEachRow(
      of bitmap: Bitmap, _ body: (UnsafeMutablePointer<UInt8>) throws -> Void
    ) throws {
      let row = try ScratchMemory<UInt8>(count: bitmap.bytesPerRow)
      defer { withExtendedLifetime(row) {} }
      let target = UnsafeMutableRawBufferPointer(start: row.start, count: bitmap.bytesPerRow)
      try bitmap.withUnsafeBytes { bytes in
        for y in 0..<bitmap.size.height {
          let start = y * bitmap.bytesPerRow
          target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + bitmap.bytesPerRow]))
          try body(row.start)
        }
      }
    }

    private static func overWhite(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
      for x in 0..<count {
        let white = 255 - UInt16(row[x * 4 + 3])
        for channel in 0..<3 { row[x * 4 + channel] = UInt8(min(255, UInt16(row[x * 4 + channel]) + white)) }
      }
    }

    /// The finished file, whose memory the library hands over.
    private static func data(
      _ format: ImageFormat, _ finish: (inout UnsafeMutablePointer<UInt8>?, inout Int) -> vg_status
    ) throws -> Data {
      var (bytes, count) = (UnsafeMutablePointer<UInt8>?.none, 0)
      try check(finish(&bytes, &count), format)
      guard let bytes else { return Data() }
      return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }

    private static func check(_ status: vg_status, _ format: ImageFormat) throws {
      try CodecError.check(status, format, "it cannot be written")
    }
  }
#endif
