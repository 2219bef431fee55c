#if !canImport(Darwin) && TIFF
  import Pixels

  /// Where the samples of a TIFF's picture are: in which strips or tiles, and those in which bytes of the file.
  ///
  /// Of a source within the limits: no product of sides and samples here is beyond 63 bits then.
  struct TIFFLayout {
    /// Bytes of a strip or tile, counted from the beginning of the file. They need not be there.
    struct Place {
      var offset: Int
      var count: Int
    }

    let header: TIFFHeader
    let directory: TIFFDirectory
    let photometric: TIFFHeader.Photometric
    let compression: TIFFCompression
    let isTiled: Bool
    /// A strip or a tile. The last strip may have fewer rows; tiles have them all.
    let piece: PixelSize
    let piecesAcross: Int
    let piecesDown: Int
    /// Colours, and alpha behind them: of each the place in a pixel.
    let samples: [Int]
    /// Pixels that share their chroma, across and down, where they are stored together; `nil` where every pixel has its own.
    let clusters: TIFFClusters?
    private let offsets: TIFFDirectory.Field
    private let counts: TIFFDirectory.Field?

    /// - Throws: `TIFFDirectory.Incomplete`, `image.unsupportedFormat`, or what is wrong with the file.
    init(_ directory: TIFFDirectory, limits: DecodeLimits) throws {
      let header = try TIFFHeader(directory)
      guard let photometric = header.photometric, let compression = TIFFCompression(rawValue: header.compression) else {
        throw CodecError.unsupportedVariant(of: .tiff)
      }
      let colors = photometric.colorSamples
      guard colors <= header.samplesPerPixel else { throw CodecError.corrupt(.tiff, "pixels with too few samples") }
      self.header = header
      self.directory = directory
      (self.photometric, self.compression) = (photometric, compression)
      samples = Array(0..<colors) + (header.alpha.map { [$0.sample] } ?? [])
      let isClustered = photometric == .yCbCr && compression != .jpeg
      clusters = isClustered ? try TIFFClusters(directory) : nil

      isTiled = try directory.field(.tileOffsets) != nil
      piece = try isTiled ? Self.tile(directory) : Self.strip(directory, header.size)
      piecesAcross = isTiled ? (header.size.width + piece.width - 1) / piece.width : 1
      piecesDown = (header.size.height + piece.height - 1) / piece.height
      guard let offsets = try directory.field(isTiled ? .tileOffsets : .stripOffsets) else {
        throw CodecError.corrupt(.tiff, "a picture without pixels")
      }
      self.offsets = offsets
      counts = try directory.field(isTiled ? .tileByteCounts : .stripByteCounts)
      try checkVariant()
      // What is shown of a pixel are four samples at most; all of them are unpacked.
      try limits.checkSource(header.size, samplesPerPixel: samplesPerPiecePixel)
      // Offset and length of each, of eight bytes.
      try limits.checkMetadata(piecesPerPlane * planes.count * 16)
      let needed = piecesPerPlane * (header.isPlanar ? header.samplesPerPixel : 1)
      guard offsets.count >= needed, counts?.count ?? needed >= needed else {
        throw CodecError.corrupt(.tiff, "fewer strips or tiles than the picture has")
      }
    }

    private static func tile(_ directory: TIFFDirectory) throws -> PixelSize {
      let sides = 16...DecodePlan.maximumSide
      // Section 15. libtiff takes other sizes, too, of which each pixel could be one.
      guard let width = try directory.number(.tileWidth), let height = try directory.number(.tileHeight),
        sides.contains(width), sides.contains(height), width % 16 == 0, height % 16 == 0
      else { throw CodecError.corrupt(.tiff, "tiles of an impossible size") }
      return PixelSize(width: width, height: height)
    }

    private static func strip(_ directory: TIFFDirectory, _ size: PixelSize) throws -> PixelSize {
      let rows = min(try directory.number(.rowsPerStrip) ?? size.height, size.height)
      guard rows > 0 else { throw CodecError.corrupt(.tiff, "strips without rows") }
      return PixelSize(width: size.width, height: rows)
    }

    private func checkVariant() throws {
      let bits = header.bitsPerSample
      let isSupported =
        switch photometric {
        case .whiteIsZero, .blackIsZero, .mask, .rgb: true
        case .palette: bits <= 8
        case .inks: try directory.number(.inkSet) ?? 1 == 1
        case .yCbCr: bits == 8 && !header.isPlanar && header.samplesPerPixel == 3
        default: false
        }
      let format = try directory.number(.sampleFormat) ?? 1
      guard isSupported, header.hasEqualSamples, 1...16 ~= bits,
        // Whole numbers, or nothing known.
        format == 1 || format == 4, compression != .jpeg || bits == 8,
        !compression.isBilevel || bits == 1 && samplesPerPiecePixel == 1
      else { throw CodecError.unsupportedVariant(of: .tiff) }
    }

    // MARK: Planes

    /// The samples that have planes of their own; one plane of all samples else.
    var planes: [Int] { header.isPlanar ? samples : [0] }
    var samplesPerPiecePixel: Int { header.isPlanar ? 1 : header.samplesPerPixel }
    private var piecesPerPlane: Int { piecesAcross * piecesDown }

    // MARK: Pieces

    /// Whether pieces are unpacked as a whole, and not row by row.
    var holdsPieces: Bool { isTiled || compression.isWhole || clusters != nil || isShortDeflate }

    /// A whole strip of Deflate is unpacked through libdeflate, in half the time that zlib takes for its rows.
    private var isShortDeflate: Bool {
      (compression == .deflate || compression == .oldDeflate) && pieceBytes(rows: piece.height) <= Self.shortStrip
    }

    /// In bytes.
    private static let shortStrip = 1 << 20

    /// Bytes of a row of `width` pixels.
    func rowBytes(width: Int) -> Int { (width * samplesPerPiecePixel * header.bitsPerSample + 7) / 8 }

    /// Bytes that samples take of a row which are no colour and no alpha: as stored, and as numbers of 8 bits.
    var surplusRowBytes: Int {
      let surplus = samplesPerPiecePixel - (header.isPlanar ? 1 : samples.count)
      return header.size.width * surplus * (header.bitsPerSample + 8) / 8
    }

    /// Bytes of the first rows of a piece, unpacked.
    func pieceBytes(rows: Int) -> Int {
      if let clusters { return clusters.bytes(width: piece.width, rows: rows) }
      return rowBytes(width: piece.width) * rows
    }

    /// Rows of the pieces that begin at row `first`.
    func rows(from first: Int) -> Int { isTiled ? piece.height : min(piece.height, header.size.height - first) }

    /// Where the pieces of a plane are in the file, one after the other.
    func places(plane: Int) throws -> [Place] {
      let first = header.isPlanar ? plane * piecesPerPlane : 0
      return try (0..<piecesPerPlane).map { index in
        let offset = try directory.number(offsets, at: first + index)
        let rows = rows(from: index / piecesAcross * piece.height)
        // What is not packed is as long as its rows, whatever is said of it.
        if compression == .none { return Place(offset: offset, count: pieceBytes(rows: rows)) }
        let count = try counts.map { try directory.number($0, at: first + index) }
        return Place(offset: offset, count: count ?? max(0, directory.fileLength - offset))
      }
    }
  }
#endif
