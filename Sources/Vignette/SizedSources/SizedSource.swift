import Foundation
import Pixels

/// One picture that is to be had at several sizes: from a resizing service, or as files made beforehand.
///
/// A value and a pure function from pixels to address. All sizes are one picture: they share `id`, so that the nearest
/// size in memory shows at once, whichever size it is. What fails at the size falls back to the original, which ends
/// every list of `urls(for:)`.
public struct SizedSource: Sendable {
  /// Names the picture among all others. Default: the original's URL.
  public var id: String
  /// The picture as it is, for when the service has none or fails.
  public var original: URL
  /// How a wanted box is rounded before `url` sees it. Default `.standard`.
  public var steps: SizeSteps
  /// The address for a box of these pixels, or `nil` for the original. Called on any thread; cheap and without effects,
  /// the same size always the same address.
  public var url: @Sendable (PixelSize) -> URL?

  /// - Parameter id: default the original's URL; give one where the URL itself changes, as signed ones do.
  public init(
    original: URL, id: String? = nil, steps: SizeSteps = .standard, url: @escaping @Sendable (PixelSize) -> URL?
  ) {
    self.id = id ?? original.absoluteString
    self.original = original
    self.steps = steps
    self.url = url
  }

  /// The address to load for a view of this size in pixels; the original where there is no size.
  public func url(for wanted: PixelSize) -> URL {
    guard !wanted.isEmpty else { return original }
    return url(steps.rounded(wanted)) ?? original
  }

  /// The addresses to try in order: the sized one, unless it is the original, then the original.
  public func urls(for wanted: PixelSize) -> [URL] {
    let sized = url(for: wanted)
    return sized == original ? [original] : [sized, original]
  }
}
