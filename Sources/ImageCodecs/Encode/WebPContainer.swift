import Foundation
import Pixels

/// The extended form of a WebP file, which has room for alpha beside lossy colours and for a colour profile (RFC 9649,
/// section 2.7).
enum WebPContainer {
  private static let headerCount = 12
  private static let profileFlag: UInt8 = 0x20
  private static let alphaFlag: UInt8 = 0x10

  /// - Parameters:
  ///   - chunks: those of the picture: `VP8L`, or `VP8 ` with or without an `ALPH` before it.
  ///   - size: of the picture in them.
  static func file(
    _ chunks: some Collection<UInt8>, hasAlpha: Bool, profile: ColorProfile? = nil, size: PixelSize
  ) -> Data {
    let flags = (hasAlpha ? alphaFlag : 0) | (profile == nil ? 0 : profileFlag)
    var content = Data("WEBP".utf8)
    content.reserveCapacity(chunks.count + (profile?.bytes.count ?? 0) + 64)
    let header = [flags, 0, 0, 0] + littleEndian(size.width - 1).prefix(3) + littleEndian(size.height - 1).prefix(3)
    append(chunk: "VP8X", header, to: &content)
    if let profile { append(chunk: "ICCP", profile.bytes, to: &content) }
    content += chunks
    var result = Data()
    append(chunk: "RIFF", content, to: &result)
    return result
  }

  /// - Parameters:
  ///   - file: as libwebp writes it: one of the simple forms, or the extended one for lossy colours with alpha.
  ///   - size: of the picture in it.
  static func file(_ file: Data, with profile: ColorProfile, size: PixelSize) -> Data {
    let chunks = file.dropFirst(headerCount)
    let isExtended = chunks.starts(with: Data("VP8X".utf8))
    return Self.file(
      isExtended ? chunks.dropFirst(8 + 10) : chunks, hasAlpha: isExtended || isTransparentLossless(chunks),
      profile: profile, size: size)
  }

  /// By a bit behind the size (section 3.4).
  private static func isTransparentLossless(_ chunks: Data) -> Bool {
    chunks.starts(with: Data("VP8L".utf8)) && chunks.count > 12 && chunks[chunks.startIndex + 12] & 0x10 != 0
  }

  private static func append(chunk type: String, _ bytes: some Collection<UInt8>, to data: inout Data) {
    data += Data(type.utf8) + littleEndian(bytes.count)
    data += bytes
    if bytes.count % 2 == 1 { data.append(0) }
  }

  private static func littleEndian(_ value: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(clamping: value).littleEndian) { Array($0) }
  }
}
