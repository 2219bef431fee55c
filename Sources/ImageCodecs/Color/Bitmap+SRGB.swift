import Pixels

extension Bitmap {
  /// The same picture in sRGB, without a profile; itself where it has none.
  ///
  /// A profile that cannot be read counts as sRGB. Without the package trait `ColorManagement` every one does, on Linux.
  /// - Parameter isCancelled: asked between rows; when it answers `true` the call throws `CancellationError`.
  /// - Throws: `image.tooManyPixels` where there is no memory, `CancellationError`.
  public func convertedToSRGB(isCancelled: () -> Bool = { false }) throws -> Bitmap {
    guard let colorProfile, !size.isEmpty else { return self }
    var converted = try colorProfile.pixelsInSRGB(of: self, isCancelled: isCancelled) ?? self
    converted.colorProfile = nil
    return converted
  }
}
