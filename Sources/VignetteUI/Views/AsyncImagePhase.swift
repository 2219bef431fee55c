#if canImport(Darwin)
  import SwiftUI
  import Vignette

  @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
  extension AsyncImagePhase {
    init(_ phase: RemoteImagePhase) {
      switch phase {
      case .empty: self = .empty
      case .success(let image): self = .success(image)
      case .failure(let error): self = .failure(error)
      }
    }
  }
#else
  import EaselCore
  import Vignette

  /// The phase of a load, as SwiftUI names it (developer.apple.com/documentation/swiftui/asyncimagephase).
  public enum AsyncImagePhase: Sendable {
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
  }

  extension AsyncImagePhase {
    init(_ phase: RemoteImagePhase) {
      switch phase {
      case .empty: self = .empty
      case .success(let image): self = .success(image)
      case .failure(let error): self = .failure(error)
      }
    }
  }
#endif
