/// An RGB colour space other than sRGB, by the ICC profile that describes it (ICC.1).
///
/// Copying one copies a reference, and pictures of one source share one. What the bytes say is not looked at here.
public struct ColorProfile: Hashable, Sendable {
  /// The profile as it stands in files.
  public let bytes: [UInt8]

  public init(_ bytes: [UInt8]) { self.bytes = bytes }
}
