/// The boxes that are read of a HEIF file (ISO/IEC 14496-12 and 23008-12).
enum HEIFBoxType {
  static let fileType: UInt32 = 0x6674_7970  // ftyp
  static let meta: UInt32 = 0x6D65_7461
  static let data: UInt32 = 0x6D64_6174  // mdat
  static let movie: UInt32 = 0x6D6F_6F76  // moov
  /// From a movie to the sizes of a track's samples: trak, mdia, minf, stbl, stsz.
  static let sampleSizes: [UInt32] = [0x7472_616B, 0x6D64_6961, 0x6D69_6E66, 0x7374_626C, 0x7374_737A]

  // Within meta.
  static let primaryItem: UInt32 = 0x7069_746D  // pitm
  static let items: UInt32 = 0x6969_6E66  // iinf
  static let itemEntry: UInt32 = 0x696E_6665  // infe
  static let locations: UInt32 = 0x696C_6F63  // iloc
  static let inlineData: UInt32 = 0x6964_6174  // idat
  static let references: UInt32 = 0x6972_6566  // iref
  static let properties: UInt32 = 0x6970_7270  // iprp

  // Within the references, by their kind.
  static let derivedFrom: UInt32 = 0x6469_6D67  // dimg
  static let auxiliaryTo: UInt32 = 0x6175_786C  // auxl
  static let premultipliedBy: UInt32 = 0x7072_656D  // prem

  // Within the properties.
  static let propertyContainer: UInt32 = 0x6970_636F  // ipco
  static let associations: UInt32 = 0x6970_6D61  // ipma
  static let extents: UInt32 = 0x6973_7065  // ispe
  static let channels: UInt32 = 0x7069_7869  // pixi
  static let rotation: UInt32 = 0x6972_6F74  // irot
  static let mirror: UInt32 = 0x696D_6972  // imir
  static let aperture: UInt32 = 0x636C_6170  // clap
  static let color: UInt32 = 0x636F_6C72  // colr
  static let auxiliary: UInt32 = 0x6175_7843  // auxC
  static let codecConfiguration: UInt32 = 0x6876_6343  // hvcC
}
