/// How the stored rows of a picture are to be turned for display: the values of EXIF tag 0x0112
/// (CIPA DC-008, section 4.6.4).
public enum Orientation: UInt8, Hashable, Sendable, CaseIterable {
  case up = 1
  case upMirrored = 2
  case down = 3
  case downMirrored = 4
  /// Stored transposed about the main diagonal.
  case leftMirrored = 5
  /// Stored so that a quarter turn clockwise shows it upright.
  case right = 6
  case rightMirrored = 7
  /// Stored so that a quarter turn counter-clockwise shows it upright.
  case left = 8

  /// Whether the displayed width is the stored height.
  public var swapsAxes: Bool { rawValue >= 5 }
}

extension PixelSize {
  /// The size as displayed of a picture stored at this size, or the reverse (the operation is its own inverse).
  public func oriented(_ orientation: Orientation) -> PixelSize {
    orientation.swapsAxes ? transposed : self
  }
}
