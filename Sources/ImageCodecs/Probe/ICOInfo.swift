/// The header of an icon's or cursor's largest picture, as what is said of the whole.
enum ICOInfo {
  static func read(_ bytes: UnsafeRawBufferPointer, limits: DecodeLimits) throws -> ImageInfo? {
    guard let directory = try ICODirectory(bytes) else { return nil }
    let place = directory.largest.bytes
    if let picture = try ICOPicture(bytes.part(place), limits: limits) { return picture.info }
    guard place.upperBound > bytes.count else { throw CodecError.corrupt(.ico, "a picture that ends too early") }
    return nil
  }
}
