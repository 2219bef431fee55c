#if !canImport(Darwin)
  /// A walk over the marker segments of a JPEG file (ITU-T T.81, annex B) up to where its bytes or its picture end.
  struct JPEGSegments: IteratorProtocol {
    struct Segment {
      var marker: UInt8
      /// Without marker and length.
      var content: UnsafeRawBufferPointer

      func starts(with text: StaticString) -> Bool { ByteReader(content).starts(with: text) }
    }

    static let app2: UInt8 = 0xE2
    static let startOfScan: UInt8 = 0xDA

    private var reader: ByteReader
    private let bytes: UnsafeRawBufferPointer

    /// - Parameter bytes: must outlive the walk.
    init(_ bytes: UnsafeRawBufferPointer) {
      self.bytes = bytes
      reader = ByteReader(bytes, at: 2)
    }

    /// `nil` where the bytes end, or where a segment does not hold together.
    mutating func next() -> Segment? {
      while let marker = JPEGHeader.nextMarker(&reader) {
        if JPEGHeader.isStandalone(marker) { continue }
        guard let length = reader.uint16(.big), length >= 2 else { return nil }
        let start = reader.offset
        guard reader.skip(UInt32(length - 2)) else { return nil }
        return Segment(marker: marker, content: UnsafeRawBufferPointer(rebasing: bytes[start..<reader.offset]))
      }
      return nil
    }
  }
#endif
