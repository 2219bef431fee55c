import Foundation
import Pixels

/// Writes pictures for looking at, outside the repository: into the directory named by `EASEL_TEST_OUTPUT`, or nowhere.
enum PNGWriter {
  static var isEnabled: Bool { ProcessInfo.processInfo.environment["EASEL_TEST_OUTPUT"] != nil }

  static func write(_ bitmap: Bitmap, _ name: String) {
    guard let directory = ProcessInfo.processInfo.environment["EASEL_TEST_OUTPUT"] else { return }
    let url = URL(fileURLWithPath: directory).appendingPathComponent("\(name).png")
    try? encode(bitmap).write(to: url)
  }

  /// A PNG with stored (uncompressed) data. The pixels are written as they are, so transparent ones look dark.
  static func encode(_ bitmap: Bitmap) -> Data {
    var raw = Data()
    bitmap.withUnsafeBytes { bytes in
      for row in 0..<bitmap.size.height {
        raw.append(0)
        raw.append(contentsOf: bytes[(row * bitmap.bytesPerRow)..<((row + 1) * bitmap.bytesPerRow)])
      }
    }
    var header = bigEndian(UInt32(bitmap.size.width)) + bigEndian(UInt32(bitmap.size.height))
    header.append(contentsOf: [8, 6, 0, 0, 0])
    var png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    png.append(chunk("IHDR", header))
    png.append(chunk("IDAT", stored(raw)))
    png.append(chunk("IEND", Data()))
    return png
  }

  private static func stored(_ raw: Data) -> Data {
    var result = Data([0x78, 0x01])
    var start = 0
    repeat {
      let count = min(65_535, raw.count - start)
      let isLast = start + count == raw.count
      let length = UInt16(count)
      result.append(contentsOf: [isLast ? 1 : 0, UInt8(length & 255), UInt8(length >> 8)])
      result.append(contentsOf: [UInt8(~length & 255), UInt8(~length >> 8)])
      result.append(raw[start..<(start + count)])
      start += count
    } while start < raw.count
    var (first, second): (UInt32, UInt32) = (1, 0)
    for byte in raw {
      first = (first + UInt32(byte)) % 65_521
      second = (second + first) % 65_521
    }
    return result + bigEndian(second << 16 | first)
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
  }

  private static func chunk(_ type: String, _ data: Data) -> Data {
    let body = Data(type.utf8) + data
    let crc = body.reduce(UInt32.max) { table[Int(($0 ^ UInt32($1)) & 255)] ^ ($0 >> 8) } ^ .max
    return bigEndian(UInt32(data.count)) + body + bigEndian(crc)
  }

  private static func bigEndian(_ value: UInt32) -> Data {
    Data([UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)])
  }
}
