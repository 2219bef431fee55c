import Foundation

/// The colour properties of an AVIF file (ISO/IEC 14496-12, section 12.1.5).
enum AVIFColor {
  private static let codingPoints: UInt32 = 0x6E63_6C78  // nclx
  private static let profiles: [UInt32] = [0x7072_6F66, 0x7249_4343]  // prof, rICC

  /// - Parameter content: of a `colr` box.
  static func summary(_ content: ByteReader) -> ColorSpaceSummary {
    var reader = content
    guard let type = reader.uint32(.big) else { return .untagged }
    if profiles.contains(type) { return .profile(name: ICCProfile.name(reader)) }
    guard type == codingPoints, let primaries = reader.uint16(.big), let transfer = reader.uint16(.big) else {
      return .untagged
    }
    return CodingPoints(primaries: Int(primaries), transfer: Int(transfer)).color == nil ? .sRGB : .parameters
  }
}
