import Pixels

/// Turns a view into pixels, by SwiftUI's interface; the pictures are `Bitmap`s here.
///
/// The view is laid out at `proposedSize`, or at its ideal size where nothing is proposed, on a transparent background.
/// Appearance actions run; tasks start and are cancelled with the renderer's next picture.
@MainActor public final class ImageRenderer<Content: View>: ObservableObject {
  @Published public var content: Content
  @Published public var proposedSize: ProposedViewSize = .unspecified
  /// Pixels per point.
  @Published public var scale: CGFloat = 1
  /// Whether the picture gets the background of the colour scheme.
  @Published public var isOpaque = false
  /// The environment the view is drawn with.
  public var environment = EnvironmentValues()

  public init(content: Content) { self.content = content }

  /// The picture; nil where it would have no pixels or more than can be drawn.
  public var bitmap: Bitmap? {
    let environment = environment
    let content = content
    // A first layout tells the size the view wants.
    let host = ViewHost(content, size: .zero, scale: scale) { $0 = environment.scaled(by: scale) }
    defer { host.unmount() }
    host.update()
    let size = host.sizeThatFits(proposedSize)
    host.size = CGSize(width: size.width.rounded(toPixelsOf: scale), height: size.height.rounded(toPixelsOf: scale))
    let bitmap = host.render(background: isOpaque)
    return bitmap.size.isEmpty ? nil : bitmap
  }
}

extension EnvironmentValues {
  fileprivate func scaled(by scale: CGFloat) -> EnvironmentValues {
    var copy = self
    copy.displayScale = scale > 0 && scale.isFinite ? scale : 1
    return copy
  }
}

extension CGFloat {
  /// The nearest length that is a whole number of pixels, never less.
  fileprivate func rounded(toPixelsOf scale: CGFloat) -> CGFloat { (self * scale - 0.01).rounded(.up) / scale }
}
