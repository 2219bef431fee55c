import Pixels

// What stages ask before they allocate or read.
extension DecodeLimits {
  /// The longest side allowed. Rows of this length take some megabytes, and libpng takes no longer ones.
  var longestSide: Int { min(maximumSide, DecodePlan.maximumSide) }

  func checkLength(_ count: Int) throws {
    guard count <= maximumEncodedBytes else {
      throw CodecError(
        .tooLarge,
        "The file has \(count) bytes, more than the limit of \(maximumEncodedBytes). Use a smaller file, or raise the limit."
      )
    }
  }

  func checkMetadata(_ count: Int) throws {
    guard count <= maximumMetadataBytes else {
      throw CodecError(
        .tooMuchMetadata,
        "The file says \(count) bytes about its picture, more than the limit of \(maximumMetadataBytes). "
          + "Save it again without metadata, or raise the limit.")
    }
  }

  /// Each cell of a grid costs about a millisecond, however small it is.
  func checkCells(_ count: Int) throws {
    guard count <= maximumCells else {
      throw CodecError(
        .tooManyCells,
        "The picture is put together from \(count) others, more than the limit of \(maximumCells). "
          + "Save it again in one piece, or raise the limit.")
    }
  }

  /// Checks the size of a source.
  func checkSource(_ size: PixelSize) throws {
    guard size.area <= maximumSourcePixels, max(size.width, size.height) <= longestSide else {
      throw CodecError(
        .tooManyPixels,
        "The picture has \(size) pixels, more than the limit of \(maximumSourcePixels) in all and "
          + "\(longestSide) on a side. Use a smaller picture.")
    }
  }

  /// Checks the size of a source whose pixels may have many samples, as if every four of them were one.
  func checkSource(_ size: PixelSize, samplesPerPixel: Int) throws {
    let (samples, overflow) = size.area.multipliedReportingOverflow(by: samplesPerPixel)
    guard !overflow, samples / 4 <= maximumSourcePixels else {
      throw CodecError(
        .tooManyPixels,
        "The picture has \(size) pixels of \(samplesPerPixel) samples, more than the limit of \(maximumSourcePixels) "
          + "pixels of four. Use a smaller picture.")
    }
  }

  /// Checks pixels that are in memory as a whole.
  func checkFull(_ size: PixelSize) throws {
    guard size.area <= maximumFullPixels else {
      throw CodecError(
        .tooManyPixels,
        "The picture has \(size) pixels, and at most \(maximumFullPixels) can be held in memory at once. "
          + "Ask for a smaller size, or use a smaller picture.")
    }
  }

  /// Checks a picture that is held as a whole while it is decoded, beside the result.
  /// - Parameter bytesPerPixel: all that is held for a pixel at a time.
  func checkHeld(_ size: PixelSize, bytesPerPixel: Int) throws {
    try checkFull(size)
    let (bytes, overflow) = size.area.multipliedReportingOverflow(by: bytesPerPixel)
    try checkWorkingMemory(overflow ? .max : bytes)
  }

  /// - Parameter bytes: what is about to be held beside the file and the result.
  func checkWorkingMemory(_ bytes: Int) throws {
    guard bytes <= maximumWorkingBytes else {
      throw CodecError(
        .tooMuchMemory,
        "The picture takes \(bytes) bytes to decode, more than the limit of \(maximumWorkingBytes). "
          + "Save it without scans, passes or layers, use a smaller one, or raise the limit.")
    }
  }
}
