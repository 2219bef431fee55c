#if !canImport(Darwin) && TIFF
  /// The compressions that are decoded, by the numbers that TIFF has for them.
  ///
  /// Left to libtiff are neither those that nobody writes any more nor those whose decoders take memory without a bound:
  /// JBIG, old JPEG, SGI's logarithms, PixarLog, ThunderScan and NeXT.
  enum TIFFCompression: Int {
    case none = 1
    /// CCITT's of one row at a time, of group 3 and of group 4.
    case runs, group3, group4
    case lzw
    case jpeg = 7, deflate
    case runsByWords = 32771
    case packBits = 32773
    case lerc = 34887
    case lzma = 34925
    case oldDeflate = 32946
    case zstandard = 50000, webP

    /// Whether it is for pixels of one bit.
    var isBilevel: Bool {
      switch self {
      case .runs, .group3, .group4, .runsByWords: true
      default: false
      }
    }

    /// Whether a strip or tile is one piece, of which no row is known before all are.
    var isWhole: Bool { self == .webP || self == .lerc }

    /// The most bytes that one byte can become; `nil` where a few can become any number.
    var mostExpansion: Int? {
      switch self {
      case .none: 1
      case .packBits: 64
      // A code of at least 9 bits for a string of at most 3,839 bytes, the lengths of which grow by one.
      case .lzw: 2_048
      // A length of 258 in two bits.
      case .deflate, .oldDeflate: 1_032
      default: nil
      }
    }

    /// Bytes of the dictionaries that a decoder may ask for: libtiff allows those of the strongest setting of liblzma, and
    /// libzstd windows of 128 MiB.
    var dictionaryBytes: Int {
      switch self {
      case .lzma: 66 << 20
      case .zstandard: 128 << 20
      default: 0
      }
    }
  }
#endif
