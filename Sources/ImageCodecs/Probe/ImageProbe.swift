import Pixels

/// Reads format, size, orientation and transparency from the beginning of a file, in plain Swift on every platform.
///
/// Nothing is allocated by what the file claims and no byte outside the buffer is read.
enum ImageProbe {
  /// - Returns: `nil` when the bytes are a valid beginning but more of them are needed.
  /// - Throws: `image.tooMuchMetadata`, or what is wrong with the bytes.
  static func probe(_ bytes: UnsafeRawBufferPointer, limits: DecodeLimits) throws -> ImageInfo? {
    guard !bytes.isEmpty else { throw CodecError.empty }
    switch Signature.match(bytes) {
    case .incomplete: return nil
    case .none:
      switch try SVGHeader.read(bytes) {
      case .drawing(let info): return info
      case .incomplete: return nil
      case .none: throw TextSniffer.error(for: bytes)
      }
    case .unsupported(let name): throw CodecError.unsupported(name)
    case .supported(.jpeg): return try JPEGHeader.read(ByteReader(bytes), limits: limits)
    case .supported(.png): return try PNGHeader.read(bytes, limits: limits)
    case .supported(.webp): return try WebPHeader.read(ByteReader(bytes), limits: limits)
    case .supported(.avif): return try HEIFHeader.read(ByteReader(bytes), as: .avif, limits: limits)
    case .supported(.heic): return try HEIFHeader.read(ByteReader(bytes), as: .heic, limits: limits)
    case .supported(.tiff): return try TIFFHeader.read(bytes, limits: limits)
    case .supported(.gif): return try GIFHeader.read(bytes)
    case .supported(.jxl): return try JXLHeader.read(bytes, limits: limits)?.info
    case .supported(.bmp): return try BMPInfo.read(bytes)
    case .supported(.ico): return try ICOInfo.read(bytes, limits: limits)
    case .supported(let format): throw CodecError.unsupported(format.displayName)
    }
  }

  /// The error for bytes that are a beginning, where no more of them come.
  static func cutOff(_ bytes: UnsafeRawBufferPointer) -> CodecError {
    guard Signature.match(bytes) == .none else { return .truncated(Signature.format(of: bytes)) }
    if case .incomplete(isNamed: true)? = try? SVGHeader.read(bytes) { return .truncated(.svg) }
    return TextSniffer.error(for: bytes)
  }
}
