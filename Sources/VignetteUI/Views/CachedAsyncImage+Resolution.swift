import Foundation
import Vignette

#if canImport(Darwin)
  import SwiftUI
#else
  import EaselCore
#endif

/// The forms beyond those of Apple's view.
@available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
extension CachedAsyncImage {
  /// Shows what `content` makes of each phase; phases change in `animation`. A picture that is already in memory is in
  /// the first phase, without it.
  public nonisolated init(
    url: URL?, scale: CGFloat = 1, animation: Animation, @ViewBuilder content: @escaping (AsyncImagePhase) -> Content
  ) {
    self.init(request: url.map { URLRequest(url: $0) }, scale: scale, animation: animation, content: content)
  }

  /// As `init(url:scale:animation:content:)`, with the method and headers of a request.
  public nonisolated init(
    request: URLRequest?, scale: CGFloat = 1, animation: Animation,
    @ViewBuilder content: @escaping (AsyncImagePhase) -> Content
  ) {
    self.init(
      request: request, scale: scale, transaction: Transaction(animation: animation), content: content)
  }

  /// Shows a small picture first and every pixel of it on request. The small one stays while the full one loads, and
  /// stays for good when that fails. Turning the request off again loads nothing: what is shown never shrinks.
  ///
  /// - Parameters:
  ///   - compressedSize: what the small picture covers at least, in points. `nil`, the default, takes it from layout.
  ///   - loadFullResolution: whether every pixel is asked for.
  public nonisolated init(
    url: URL?, scale: CGFloat = 1, transaction: Transaction = Transaction(), compressedSize: CGSize? = nil,
    loadFullResolution: Bool, @ViewBuilder content: @escaping (AsyncImagePhase) -> Content
  ) {
    self.init(
      request: url.map { URLRequest(url: $0) }, scale: scale, transaction: transaction,
      compressedSize: compressedSize, loadFullResolution: loadFullResolution, content: content)
  }

  /// As `init(url:scale:transaction:compressedSize:loadFullResolution:content:)`, with the method and headers of a
  /// request.
  public nonisolated init(
    request: URLRequest?, scale: CGFloat = 1, transaction: Transaction = Transaction(), compressedSize: CGSize? = nil,
    loadFullResolution: Bool, @ViewBuilder content: @escaping (AsyncImagePhase) -> Content
  ) {
    source = RemoteImageSource(
      request: request.map { ImageRequest($0) }, scale: scale, transaction: transaction,
      size: compressedSize.map { .points($0) } ?? .layout, loadsFullResolution: loadFullResolution)
    self.content = content
  }
}
