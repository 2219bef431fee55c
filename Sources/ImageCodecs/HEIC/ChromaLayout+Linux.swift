#if !canImport(Darwin) && HEIC
  import Pixels

  /// How many samples of colour there are for each of brightness, by the codes of HEVC (ITU-T H.265, table 6-1).
  enum ChromaLayout: Int, Hashable, Sendable {
    /// 4:0:0, 4:2:0, 4:2:2 and 4:4:4.
    case grey, quarter, half, full

    /// Columns and rows of brightness for one of colour.
    var columnStep: Int { self == .quarter || self == .half ? 2 : 1 }
    var rowStep: Int { self == .quarter ? 2 : 1 }
    var planes: Int { self == .grey ? 1 : 3 }

    /// The size of a plane of colour beside one of brightness.
    func chromaSize(_ size: PixelSize) -> PixelSize {
      guard self != .grey else { return .zero }
      return PixelSize(
        width: (size.width + columnStep - 1) / columnStep, height: (size.height + rowStep - 1) / rowStep)
    }
  }
#endif
