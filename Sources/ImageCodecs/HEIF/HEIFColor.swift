/// The colour properties of an item of a HEIF file (ISO/IEC 14496-12, section 12.1.5). There may be one of each kind.
struct HEIFColor {
  /// Codes of ITU-T H.273.
  struct Numbers {
    var points: CodingPoints
    var matrix: Int
    var isFullRange: Bool
  }

  /// An ICC profile, which says more than the numbers do.
  private(set) var profile: ByteReader?
  private(set) var numbers: Numbers?

  private static let numbersType: UInt32 = 0x6E63_6C78  // nclx
  private static let profileTypes: [UInt32] = [0x7072_6F66, 0x7249_4343]  // prof, rICC

  var summary: ColorSpaceSummary {
    if let profile { return .profile(name: ICCProfile.name(profile)) }
    guard let numbers else { return .untagged }
    return numbers.points.color == nil ? .sRGB : .parameters
  }

  /// - Parameter content: of a `colr` box.
  mutating func note(_ content: ByteReader) {
    var reader = content
    guard let type = reader.uint32(.big) else { return }
    if Self.profileTypes.contains(type) { profile = reader }
    guard type == Self.numbersType, let primaries = reader.uint16(.big), let transfer = reader.uint16(.big),
      let matrix = reader.uint16(.big), let range = reader.uint8()
    else { return }
    numbers = Numbers(
      points: CodingPoints(primaries: Int(primaries), transfer: Int(transfer)), matrix: Int(matrix),
      isFullRange: range & 0x80 != 0)
  }

  /// Takes over the kinds that are not said here.
  mutating func complete(from other: HEIFColor) {
    profile = profile ?? other.profile
    numbers = numbers ?? other.numbers
  }
}
