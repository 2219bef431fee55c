import Pixels

/// The picture of an icon that is decoded for a size: the smallest that need not be enlarged, or the largest.
///
/// Unsafe: the bytes must outlive the decoder.
struct IconDecoder {
  private let directory: ICODirectory
  private let bytes: UnsafeRawBufferPointer
  private let limits: DecodeLimits

  /// - Returns: `nil` when the bytes end within the directory.
  init?(_ bytes: UnsafeRawBufferPointer, limits: DecodeLimits) throws {
    guard let directory = try ICODirectory(bytes) else { return nil }
    self.directory = directory
    self.bytes = bytes
    self.limits = limits
  }

  func bitmap(_ icon: DecodePlan, isCancelled: () -> Bool) throws -> Bitmap {
    try directory.checkWhole(bytes)
    for entry in directory.covering(icon.output) {
      if isCancelled() { throw CancellationError() }
      guard let picture = picture(entry) else { continue }
      return try whole(picture, entry, icon, isCancelled)
    }
    return try whole(try largest(), directory.largest, icon, isCancelled)
  }

  /// What is there of an icon that is damaged: the best of its pictures that is whole, or else the best of which a part
  /// is there.
  func partialBitmap(_ icon: DecodePlan, isCancelled: () -> Bool) throws -> Bitmap? {
    var pictures = try directory.covering(icon.output).compactMap { entry in
      if isCancelled() { throw CancellationError() }
      return picture(entry).map { (picture: $0, entry: entry) }
    }
    if pictures.isEmpty { pictures = [(try largest(), directory.largest)] }
    for (picture, entry) in pictures where entry.bytes.upperBound <= bytes.count {
      if let bitmap = try ifThere({ try whole(picture, entry, icon, isCancelled) }) { return bitmap }
    }
    for (picture, entry) in pictures {
      if let bitmap = try ifThere({ try part(of: picture, entry, icon, isCancelled) }) { return bitmap }
    }
    return nil
  }

  /// `nil` for one that is not what the directory says: it might be smaller, or anything.
  private func picture(_ entry: ICODirectory.Entry) -> ICOPicture? {
    let picture = try? ICOPicture(bytes.part(entry.bytes), limits: limits)
    return picture.flatMap { $0.info.storedSize == entry.size ? $0 : nil }
  }

  private func largest() throws -> ICOPicture {
    guard let picture = try ICOPicture(bytes.part(directory.largest.bytes), limits: limits) else {
      throw CodecError.corrupt(.ico, "a picture that ends too early")
    }
    return picture
  }

  private func whole(
    _ picture: ICOPicture, _ entry: ICODirectory.Entry, _ icon: DecodePlan, _ isCancelled: () -> Bool
  ) throws -> Bitmap {
    let part = bytes.part(entry.bytes)
    let plan = DecodePlan(source: picture.info.storedSize, output: icon.output, colors: icon.colors)
    do {
      switch picture {
      case .png(let info):
        return try ImageDecoder.bitmap(from: part, info: info, plan: plan, limits: limits, isCancelled: isCancelled)
      case .bmp(let header):
        let source = try ICORowSource(header, bytes: part, limits: limits)
        return try ImageDecoder.bitmap(source, plan, isOpaque: false, isCancelled)
      }
    } catch let error as CodecError where error.code == .truncated {
      // The file is whole; what is cut is what the directory says of this picture, or the picture itself.
      throw CodecError.corrupt(.ico, "a picture that ends too early")
    }
  }

  private func part(
    of picture: ICOPicture, _ entry: ICODirectory.Entry, _ icon: DecodePlan, _ isCancelled: () -> Bool
  ) throws -> Bitmap? {
    let part = bytes.part(entry.bytes)
    let plan = DecodePlan(source: picture.info.storedSize, output: icon.output, colors: icon.colors)
    switch picture {
    case .png(let info):
      return try ImageDecoder.partialBitmap(
        from: part, info: info, plan: plan, limits: limits, isCancelled: isCancelled)
    case .bmp(let header):
      let source = try ICORowSource(header, bytes: part, limits: limits, wholeLength: entry.bytes.count)
      return try ImageDecoder.bitmap(source, plan, isOpaque: false, isCancelled)
    }
  }

  private func ifThere(_ decode: () throws -> Bitmap?) throws -> Bitmap? {
    do {
      return try decode()
    } catch let error as CodecError where error.isDamage {
      return nil
    }
  }
}
