#if !canImport(Darwin) && TIFF
  internal import CTIFF
  import Foundation

  /// libtiff over one plane of a picture, which it reads in order.
  ///
  /// Unsafe: the file must outlive the reader. An error that libtiff tells its handler, also where it goes on, is damage;
  /// nothing goes to standard error.
  final class TIFFReader {
    private let excerpt: TIFFExcerpt
    private var position = 0
    private var tiff: OpaquePointer?
    /// The first error, or warning of damage, in libtiff's words.
    private var fault: String?

    /// - Parameter isColorConverted: whether JPEG's luma and chroma become RGB.
    init(_ excerpt: TIFFExcerpt, isColorConverted: Bool, limits: DecodeLimits) throws {
      self.excerpt = excerpt
      guard let options = TIFFOpenOptionsAlloc() else { throw Self.outOfMemory }
      defer { TIFFOpenOptionsFree(options) }
      let reader = Unmanaged.passUnretained(self).toOpaque()
      TIFFOpenOptionsSetMaxSingleMemAlloc(options, tmsize_t(limits.maximumWorkingBytes))
      TIFFOpenOptionsSetErrorHandlerExtR(options, Self.noteError, reader)
      TIFFOpenOptionsSetWarningHandlerExtR(options, Self.noteWarning, reader)
      // Read, without a map of the file in memory.
      tiff = TIFFClientOpenExt(
        "", "rm", reader, Self.read, { _, _, _ in 0 }, Self.seek, { _ in 0 }, Self.length, { _, _, _ in 0 },
        { _, _, _ in },
        options)
      guard tiff != nil else { throw CodecError.corrupt(.tiff, fault ?? "") }
      // Of strips that are not all there it says so, and goes on.
      fault = nil
      if isColorConverted {
        try check(withVaList([CInt(JPEGCOLORMODE_RGB)]) { TIFFVSetField(tiff, UInt32(TIFFTAG_JPEGCOLORMODE), $0) } == 1)
      }
    }

    deinit { if let tiff { TIFFClose(tiff) } }

    /// Bytes of a row of a strip, unpacked.
    var rowBytes: Int { tiff.map { Int(TIFFScanlineSize($0)) } ?? 0 }

    /// Unpacks a row of a strip. Unsafe: there is room for `rowBytes`.
    func readRow(_ number: Int, into row: UnsafeMutablePointer<UInt8>) throws {
      try check(TIFFReadScanline(tiff, row, UInt32(number), 0) == 1)
    }

    /// Unpacks a strip or tile.
    /// - Parameter count: the bytes it has. Unsafe: there is room for them.
    func readPiece(_ number: Int, isTile: Bool, into target: UnsafeMutablePointer<UInt8>, count: Int) throws {
      let read =
        isTile
        ? TIFFReadEncodedTile(tiff, UInt32(number), target, tmsize_t(count))
        : TIFFReadEncodedStrip(tiff, UInt32(number), target, tmsize_t(count))
      try check(read == count)
    }

    private func check(_ isRead: Bool) throws {
      guard isRead, fault == nil else { throw CodecError.corrupt(.tiff, fault ?? "") }
    }

    private static let outOfMemory = CodecError(
      .tooManyPixels, "There is not enough memory for the picture. Ask for a smaller size.")

    // MARK: What libtiff calls

    private static func reader(_ handle: UnsafeMutableRawPointer?) -> TIFFReader? {
      handle.map { Unmanaged<TIFFReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let read: TIFFReadWriteProc = { handle, target, count in
      guard let reader = reader(handle), let target, count > 0 else { return 0 }
      let room = UnsafeMutableRawBufferPointer(start: target, count: Int(count))
      let read = reader.excerpt.read(at: reader.position, into: room)
      reader.position += read
      return tmsize_t(read)
    }

    private static let seek: TIFFSeekProc = { handle, offset, origin in
      guard let reader = reader(handle) else { return .max }
      let start = origin == SEEK_CUR ? reader.position : origin == SEEK_END ? reader.excerpt.count : 0
      // An offset before the start comes as a number beyond 63 bits.
      let position = UInt64(start) &+ offset
      reader.position = Int(clamping: position)
      return position
    }

    private static let length: TIFFSizeProc = { handle in UInt64(reader(handle)?.excerpt.count ?? 0) }

    private static let noteError: TIFFErrorHandlerExtR = { _, reader, module, format, arguments in
      TIFFReader.reader(reader)?.note(format, arguments)
      return 1
    }

    private static let noteWarning: TIFFErrorHandlerExtR = { _, reader, module, format, arguments in
      let module = module.map { String(cString: $0) } ?? ""
      if damageModules.contains(where: module.hasPrefix) { TIFFReader.reader(reader)?.note(format, arguments) }
      return 1
    }

    /// Parts of libtiff whose warnings tell of pixels that are missing or made up. Others warn of what harms nothing: a
    /// strip of LZW that ends without the code that says so, a last strip that is as high as those before it.
    private static let damageModules = ["JPEGLib", "Fax", "PackBits"]

    private func note(_ format: UnsafePointer<CChar>?, _ arguments: CVaListPointer?) {
      guard fault == nil, let format, let arguments else { return }
      var text = [CChar](repeating: 0, count: 200)
      vsnprintf(&text, text.count, format, arguments)
      fault = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
#endif
