#if !canImport(Darwin) && JXL
  import Pixels

  /// The pictures of one file by number.
  ///
  /// Keeps its place and no pointer: every call is given the same bytes. Belongs to one thread at a time.
  final class JXLDecoder {
    let header: JXLHeader
    /// What brings the rows to sRGB, by what the file says of its colours.
    let transform: ColorTransform?
    private let limits: DecodeLimits
    private let codestream: JXLCodestream
    private var pass: JXLPass
    private var pictures: JXLPictures
    /// `nil` once one has failed, with which nothing goes on.
    private var picturesRead: Int? = 0

    /// - Throws: `body.truncated`, `image.corrupt`, `image.tooManyPixels`, `image.unsupportedFormat`.
    init(_ file: UnsafeRawBufferPointer, limits: DecodeLimits) throws {
      guard let header = try JXLHeader.read(file, limits: limits) else { throw CodecError.truncated(.jxl) }
      // Inks are in a channel of their own, and nothing without their profile.
      guard header.info.colorModel != .cmyk else { throw CodecError.unsupportedVariant(of: .jxl) }
      try limits.checkFull(header.size)
      self.header = header
      self.limits = limits
      codestream = try JXLCodestream(file)
      pass = try JXLPass(codestream.bytes(in: file), header, limits: limits)
      pictures = JXLPictures(header, startingAt: pass.start, limits: limits)
      transform = pass.color.flatMap { ColorTransform.toSRGB(from: $0, model: header.info.colorModel) }
    }

    /// - Parameters:
    ///   - number: of the picture, from 0. To go back is to begin anew.
    ///   - pixels: RGBA of the whole picture as the file has it, and `JXLPass.margin` bytes more.
    func decode(
      _ number: Int, of file: UnsafeRawBufferPointer, into pixels: UnsafeMutablePointer<UInt8>, isCancelled: () -> Bool
    ) throws {
      let bytes = codestream.bytes(in: file)
      if picturesRead.map({ $0 > number }) ?? true {
        pass = try JXLPass(bytes, header, limits: limits)
        pictures = JXLPictures(header, startingAt: pass.start, limits: limits)
        picturesRead = 0
      }
      while let read = picturesRead, read <= number {
        picturesRead = nil
        guard let picture = try pictures.next(in: bytes) else { throw CodecError.corrupt(.jxl, "a picture is missing") }
        try pass.decode(picture, of: bytes, into: pixels, isCancelled: isCancelled)
        picturesRead = read + 1
      }
    }

    /// The next picture as the headers of its frames tell it; `nil` behind the last one.
    func scan(_ pictures: inout JXLPictures, of file: UnsafeRawBufferPointer) throws -> JXLPictures.Picture? {
      try pictures.next(in: codestream.bytes(in: file))
    }

    /// For `scan`.
    func makePictures() -> JXLPictures { JXLPictures(header, startingAt: pass.start, limits: limits) }

    /// Throws unless all pictures that come now are there, and the file does not end within a box.
    func checkWhole(_ file: UnsafeRawBufferPointer) throws {
      var rest = pictures
      while try scan(&rest, of: file) != nil {}
      guard !JXLContainer.isContainer(file) || JXLContainer.isWhole(file) else { throw CodecError.truncated(.jxl) }
    }
  }
#endif
