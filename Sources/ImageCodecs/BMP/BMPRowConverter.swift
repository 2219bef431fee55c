import Pixels

/// Stored rows of a BMP to premultiplied RGBA.
enum BMPRowConverter {
  typealias Convert = (_ stored: UnsafeRawPointer, _ row: UnsafeMutablePointer<UInt8>) -> Void

  /// The way to convert rows of a file: one of run lengths has been unpacked to a byte a pixel.
  /// - Throws: `image.corrupt` for impossible masks.
  static func make(_ header: BMPHeader, bytes: UnsafeRawBufferPointer, isOpaque: Bool) throws -> Convert {
    switch header.bitsPerPixel {
    case 1, 2, 4, 8:
      return try indexed(header, bits: header.compression == .runs ? 8 : header.bitsPerPixel, bytes)
    case 24: return { [width = header.size.width] in blueGreenRed($0, $1, width) }
    default: return try masked(header, isOpaque: isOpaque)
    }
  }

  /// Colours that the palette does not have are black.
  private static func indexed(_ header: BMPHeader, bits: Int, _ bytes: UnsafeRawBufferPointer) throws -> Convert {
    let colors = try ScratchMemory<UInt32>(count: 256)
    for index in 0..<256 { colors.start[index] = UInt32(littleEndian: 0xFF00_0000) }
    var reader = ByteReader(bytes, at: header.palette.lowerBound)
    for index in 0..<min(256, header.palette.count / header.bytesPerColor) {
      guard let blue = reader.uint8(), let green = reader.uint8(), let red = reader.uint8() else { break }
      if header.bytesPerColor == 4 { reader.skip(1) }
      let color = 0xFF00_0000 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red)
      colors.start[index] = UInt32(littleEndian: color)
    }
    let width = header.size.width
    return { stored, row in
      let indices = stored.assumingMemoryBound(to: UInt8.self)
      row.withMemoryRebound(to: UInt32.self, capacity: width) { pixels in
        if bits == 8 {
          for x in 0..<width { pixels[x] = colors.start[Int(indices[x])] }
        } else {
          // The leftmost pixel is in the highest bits.
          let mask = 1 << bits - 1
          for x in 0..<width {
            let bit = x &* bits
            pixels[x] = colors.start[Int(indices[bit >> 3]) >> (8 &- bits &- bit & 7) & mask]
          }
        }
      }
    }
  }

  private static func blueGreenRed(_ stored: UnsafeRawPointer, _ row: UnsafeMutablePointer<UInt8>, _ width: Int) {
    var source = stored.assumingMemoryBound(to: UInt8.self)
    var pixel = row
    for _ in 0..<width {
      (pixel[0], pixel[1], pixel[2], pixel[3]) = (source[2], source[1], source[0], 255)
      source += 3
      pixel += 4
    }
  }

  private static func masked(_ header: BMPHeader, isOpaque: Bool) throws -> Convert {
    let (red, green) = (try BMPChannel(mask: header.red), try BMPChannel(mask: header.green))
    let blue = try BMPChannel(mask: header.blue)
    let alpha = try BMPChannel(mask: isOpaque ? 0 : header.alpha, absent: 255)
    let width = header.size.width
    if header.bitsPerPixel == 32, red.isByte(at: 16), green.isByte(at: 8), blue.isByte(at: 0), isOpaque {
      return { stored, row in
        let (source, pixels) = (stored, UnsafeMutableRawPointer(row))
        for x in 0..<width {
          let color = UInt32(littleEndian: source.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self))
          let swapped = color & 0xFF00 | color >> 16 & 0xFF | color << 16 & 0xFF_0000 | 0xFF00_0000
          pixels.storeBytes(of: swapped.littleEndian, toByteOffset: x &* 4, as: UInt32.self)
        }
      }
    }
    let isShort = header.bitsPerPixel == 16
    return { stored, row in
      var pixel = row
      for x in 0..<width {
        let color =
          isShort
          ? UInt32(UInt16(littleEndian: stored.loadUnaligned(fromByteOffset: x &* 2, as: UInt16.self)))
          : UInt32(littleEndian: stored.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self))
        pixel[0] = red.value(in: color)
        pixel[1] = green.value(in: color)
        pixel[2] = blue.value(in: color)
        pixel[3] = alpha.value(in: color)
        pixel += 4
      }
      if !isOpaque { Alpha.premultiply(row, count: width) }
    }
  }
}
