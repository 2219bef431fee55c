import Foundation
import Vignette

#if canImport(Darwin)
  import SwiftUI
#else
  import EaselCore
#endif

/// `AsyncImage` with everything people add to it: pictures come from memory without a flash, are decoded at the size
/// they are shown, survive scrolling, and fail with an error that says why. Only the type's name differs from Apple's
/// (developer.apple.com/documentation/swiftui/asyncimage).
@available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
nonisolated public struct CachedAsyncImage<Content: View>: View {
  let source: RemoteImageSource
  /// `nil` for the default form: the image as it is, or the standard placeholder.
  let content: ((AsyncImagePhase) -> Content)?

  /// Shows the picture at its intrinsic size (pixels / `scale`, in points), or the standard placeholder until it is
  /// loaded and when it cannot be.
  ///
  /// - Parameters:
  ///   - url: http, https, file or data; `nil` shows the placeholder.
  ///   - scale: pixels of the source per point. Default 1.
  public init(url: URL?, scale: CGFloat = 1) where Content == Image {
    self.init(request: url.map { URLRequest(url: $0) }, scale: scale)
  }

  /// Shows the picture through `content`, and `placeholder` until it is loaded and when it cannot be.
  public init<I: View, P: View>(
    url: URL?, scale: CGFloat = 1, @ViewBuilder content: @escaping (Image) -> I,
    @ViewBuilder placeholder: @escaping () -> P
  ) where Content == _ConditionalContent<I, P> {
    self.init(
      request: url.map { URLRequest(url: $0) }, scale: scale, content: content, placeholder: placeholder)
  }

  /// Shows what `content` makes of each phase. Phases change in `transaction`; a picture that is already in memory is
  /// in the first phase, without one.
  public init(
    url: URL?, scale: CGFloat = 1, transaction: Transaction = Transaction(),
    @ViewBuilder content: @escaping (AsyncImagePhase) -> Content
  ) {
    self.init(
      request: url.map { URLRequest(url: $0) }, scale: scale, transaction: transaction, content: content)
  }

  /// As `init(url:scale:)`, with the method and headers of a request.
  public init(request: URLRequest?, scale: CGFloat = 1) where Content == Image {
    self.init(image: request.map { ImageRequest($0) }, scale: scale)
  }

  /// As `init(url:scale:content:placeholder:)`, with the method and headers of a request.
  public init<I: View, P: View>(
    request: URLRequest?, scale: CGFloat = 1, @ViewBuilder content: @escaping (Image) -> I,
    @ViewBuilder placeholder: @escaping () -> P
  ) where Content == _ConditionalContent<I, P> {
    self.init(
      image: request.map { ImageRequest($0) }, scale: scale, content: content, placeholder: placeholder)
  }

  /// As `init(url:scale:transaction:content:)`, with the method and headers of a request.
  public init(
    request: URLRequest?, scale: CGFloat = 1, transaction: Transaction = Transaction(),
    @ViewBuilder content: @escaping (AsyncImagePhase) -> Content
  ) {
    self.init(
      image: request.map { ImageRequest($0) }, scale: scale, transaction: transaction, content: content)
  }

  @MainActor public var body: some View {
    RemoteImageView(source) { phase in
      if let content {
        content(AsyncImagePhase(phase))
      } else {
        DefaultContent(phase: phase)
      }
    }
  }
}
