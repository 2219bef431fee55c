/// The chunk types of a WebP file (RFC 9649, section 2.3 and later), read as one big-endian number.
enum WebPChunk {
  enum Kind {
    static let lossy: UInt32 = 0x5650_3820  // "VP8 "
    static let lossless: UInt32 = 0x5650_384C  // "VP8L"
    static let extended: UInt32 = 0x5650_3858  // "VP8X"
    static let alpha: UInt32 = 0x414C_5048  // "ALPH"
    static let exif: UInt32 = 0x4558_4946  // "EXIF"
    static let profile: UInt32 = 0x4943_4350  // "ICCP"
    static let animation: UInt32 = 0x414E_494D  // "ANIM"
    static let frame: UInt32 = 0x414E_4D46  // "ANMF"
  }
}
