#if !canImport(Darwin) && TIFF
  /// One plane of a TIFF's picture as a file of its own: a directory of the fields that its samples depend on, and behind it
  /// the whole file, whose strips or tiles it refers to.
  ///
  /// libtiff reads nothing else, so that it keeps no metadata in memory, follows no other directory and cannot guess.
  /// Unsafe: the bytes of the file must outlive the excerpt.
  struct TIFFExcerpt {
    private let beginning: [UInt8]
    private let file: UnsafeRawBufferPointer

    var count: Int { beginning.count + file.count }

    init(_ layout: TIFFLayout, places: [TIFFLayout.Place], file: UnsafeRawBufferPointer) throws {
      self.file = file
      var writer = DirectoryWriter(layout.directory.order)
      writer.describe(layout)
      try writer.copyFields(of: layout)
      beginning = writer.file(places, isTiled: layout.isTiled)
    }

    /// Copies bytes from `position` on, as far as there are any.
    /// - Returns: how many.
    func read(at position: Int, into target: UnsafeMutableRawBufferPointer) -> Int {
      guard position < beginning.count else { return copy(file, position - beginning.count, target) }
      return beginning.withUnsafeBytes { beginning in
        let count = copy(beginning, position, target)
        return count + copy(file, 0, UnsafeMutableRawBufferPointer(rebasing: target[count...]))
      }
    }

    private func copy(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ target: UnsafeMutableRawBufferPointer) -> Int {
      let count = min(target.count, bytes.count - start)
      guard count > 0 else { return 0 }
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
      return count
    }
  }

  /// Writes a BigTIFF of one directory, in the byte order of the file that its samples are in.
  private struct DirectoryWriter {
    private struct Entry {
      var tag: UInt16
      var kind: UInt16
      var count: Int
      var content: [UInt8]
    }

    private let order: ByteReader.ByteOrder
    private var entries: [Entry] = []

    init(_ order: ByteReader.ByteOrder) { self.order = order }

    /// The form of the pixels. Orientation is left out: it is applied elsewhere.
    mutating func describe(_ layout: TIFFLayout) {
      let samples = layout.samplesPerPiecePixel
      add(.width, long: layout.header.size.width)
      add(.height, long: layout.header.size.height)
      add(.bitsPerSample, shorts: [Int](repeating: layout.header.bitsPerSample, count: samples))
      add(.compression, shorts: [layout.compression.rawValue])
      add(.photometric, shorts: [photometric(layout).rawValue])
      add(.samplesPerPixel, shorts: [samples])
      if layout.isTiled {
        add(.tileWidth, long: layout.piece.width)
        add(.tileHeight, long: layout.piece.height)
      } else {
        add(.rowsPerStrip, long: layout.piece.height)
      }
      let extra = samples - photometric(layout).colorSamples
      if extra > 0 { add(.extraSamples, shorts: [Int](repeating: 0, count: extra)) }
    }

    /// Palettes and inverse greys are numbers like any others here.
    private func photometric(_ layout: TIFFLayout) -> TIFFHeader.Photometric {
      switch layout.photometric {
      case .rgb, .inks,
        .yCbCr where !layout.header.isPlanar:
        layout.photometric
      default: .blackIsZero
      }
    }

    mutating func copyFields(of layout: TIFFLayout) throws {
      for tag in [TIFFDirectory.Tag.fillOrder, .predictor] {
        if let number = try layout.directory.number(tag) { add(tag, shorts: [number]) }
      }
      for tag in [TIFFDirectory.Tag.group3Options, .group4Options] where layout.compression.isBilevel {
        if let number = try layout.directory.number(tag) { add(tag, long: number) }
      }
      if layout.photometric == .yCbCr, let field = try layout.directory.field(.chromaSubsampling) {
        add(.chromaSubsampling, shorts: try (0..<2).map { try layout.directory.number(field, at: $0) })
      }
      if layout.compression == .jpeg, let field = try layout.directory.field(.jpegTables) {
        let content = try layout.directory.content(field)
        entries.append(
          Entry(tag: TIFFDirectory.Tag.jpegTables.rawValue, kind: 7, count: content.count, content: Array(content)))
      }
    }

    private mutating func add(_ tag: TIFFDirectory.Tag, shorts: [Int]) {
      entries.append(Entry(tag: tag.rawValue, kind: 3, count: shorts.count, content: shorts.flatMap { bytes($0, 2) }))
    }

    private mutating func add(_ tag: TIFFDirectory.Tag, long: Int) {
      entries.append(Entry(tag: tag.rawValue, kind: 4, count: 1, content: bytes(long, 4)))
    }

    private static let headerLength = 16
    private static let entryLength = 20

    /// Header, directory and values, behind which the bytes are to follow that `places` count from 0.
    func file(_ places: [TIFFLayout.Place], isTiled: Bool) -> [UInt8] {
      // A count in front, the place of no other directory behind.
      let values = Self.headerLength + 8 + (entries.count + 2) * Self.entryLength + 8
      let arrays = [places.count * 8, places.count * 8].filter { $0 > 8 }
      let length = values + (entries.map(\.content.count).filter { $0 > 8 } + arrays).reduce(0, +)
      var all = entries
      func add(_ tag: TIFFDirectory.Tag, _ number: (TIFFLayout.Place) -> Int) {
        var content: [UInt8] = []
        content.reserveCapacity(places.count * 8)
        for place in places { append(number(place), 8, to: &content) }
        all.append(Entry(tag: tag.rawValue, kind: 16, count: places.count, content: content))
      }
      // What is behind the end of the file stays there.
      add(isTiled ? .tileOffsets : .stripOffsets) { $0.offset > Int.max - length ? .max : $0.offset + length }
      add(isTiled ? .tileByteCounts : .stripByteCounts) { $0.count }
      all.sort { $0.tag < $1.tag }

      var directory = bytes(all.count, 8)
      var rest: [UInt8] = []
      for entry in all {
        directory += bytes(Int(entry.tag), 2) + bytes(Int(entry.kind), 2) + bytes(entry.count, 8)
        if entry.content.count <= 8 {
          directory += entry.content + [UInt8](repeating: 0, count: 8 - entry.content.count)
        } else {
          directory += bytes(values + rest.count, 8)
          rest += entry.content
        }
      }
      let mark: [UInt8] = order == .little ? [0x49, 0x49] : [0x4D, 0x4D]
      let header = mark + bytes(43, 2) + bytes(8, 2) + bytes(0, 2) + bytes(Self.headerLength, 8)
      return header + directory + bytes(0, 8) + rest
    }

    private func bytes(_ value: Int, _ length: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      append(value, length, to: &bytes)
      return bytes
    }

    private func append(_ value: Int, _ length: Int, to bytes: inout [UInt8]) {
      for index in 0..<length {
        bytes.append(UInt8(truncatingIfNeeded: value >> (8 * (order == .little ? index : length - 1 - index))))
      }
    }
  }
#endif
