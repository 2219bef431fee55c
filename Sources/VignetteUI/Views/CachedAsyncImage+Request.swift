import Foundation
import Vignette

#if canImport(Darwin)
  import SwiftUI
#else
  import EaselCore
#endif

/// The forms for what only the pipeline's own requests can say: processors, several sizes, alternatives, priorities,
/// policies, bytes from a closure.
@available(iOS 15, macOS 12, tvOS 15, watchOS 8, *) extension CachedAsyncImage {
  /// As `init(url:scale:)`, of any source.
  ///
  /// - Parameter image: decoded at its target; every pixel where it has none.
  public nonisolated init(image: ImageRequest?, scale: CGFloat = 1) where Content == Image {
    // The default form shows every pixel, as Apple's does.
    source = RemoteImageSource(
      request: image, scale: scale, transaction: Transaction(), size: .of(image, otherwise: .full))
    content = nil
  }

  /// As `init(url:scale:content:placeholder:)`, of any source.
  ///
  /// - Parameter image: decoded at its target, or as large as layout has it where that is `.full`, the default.
  public nonisolated init<I: View, P: View>(
    image: ImageRequest?, scale: CGFloat = 1, @ViewBuilder content: @escaping (Image) -> I,
    @ViewBuilder placeholder: @escaping () -> P
  ) where Content == _ConditionalContent<I, P> {
    self.init(image: image, scale: scale) { phase in
      if let image = phase.image {
        content(image)
      } else {
        placeholder()
      }
    }
  }

  /// As `init(url:scale:transaction:content:)`, of any source.
  ///
  /// - Parameter image: decoded at its target, or as large as layout has it where that is `.full`, the default.
  public nonisolated init(
    image: ImageRequest?, scale: CGFloat = 1, transaction: Transaction = Transaction(),
    @ViewBuilder content: @escaping (AsyncImagePhase) -> Content
  ) {
    source = RemoteImageSource(
      request: image, scale: scale, transaction: transaction, size: .of(image, otherwise: .layout))
    self.content = content
  }
}
