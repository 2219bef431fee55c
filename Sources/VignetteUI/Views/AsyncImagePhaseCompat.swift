import Vignette

#if canImport(Darwin)
  import SwiftUI
#else
  import EaselCore
#endif

/// The phase of `AsyncImageCompat`: SwiftUI's `AsyncImagePhase` without its OS requirement.
public enum AsyncImagePhaseCompat: Sendable {
  /// No picture: the URL is `nil`, or the load has not ended.
  case empty
  case success(Image)
  /// The error is an `ImageLoadingError`; never a cancellation.
  case failure(any Error)

  public var image: Image? {
    guard case .success(let image) = self else { return nil }
    return image
  }

  public var error: (any Error)? {
    guard case .failure(let error) = self else { return nil }
    return error
  }

  init(_ phase: RemoteImagePhase) {
    switch phase {
    case .empty: self = .empty
    case .success(let image): self = .success(image)
    case .failure(let error): self = .failure(error)
    }
  }
}
