import Foundation
import ImageCodecs
import Vignette

#if canImport(Darwin)
  import SwiftUI
#else
  import EaselCore
#endif

/// What a view of the family was given: the picture, how to size it, and how its phases change.
struct RemoteImageSource: @unchecked Sendable {
  // guard: a value that never changes once its view is made, and is read on the main actor; SwiftUI does not say that
  // a `Transaction` is `Sendable`.
  var request: ImageRequest?
  /// Points are source pixels / scale.
  var scale: CGFloat
  var transaction: Transaction
  var size = Size.layout
  /// Whether every pixel of the source is asked for; what is shown stays until they are there.
  var loadsFullResolution = false

  /// How large the picture is decoded.
  enum Size {
    /// Covers what layout offers.
    case layout
    /// Covers this many points, whatever layout offers.
    case points(CGSize)
    /// In pixels, whatever layout offers.
    case target(DecodeTarget)

    static var full: Size { .target(.full) }

    /// The request's own target, where it has one.
    static func of(_ request: ImageRequest?, otherwise: Size) -> Size {
      guard let request, request.target != .full else { return otherwise }
      return .target(request.target)
    }
  }

  var takesSizeFromLayout: Bool {
    if case .layout = size { return true }
    return false
  }

  /// What to decode at whatever layout offers; `nil` leaves it to layout.
  func fixedTarget(displayScale: CGFloat) -> DecodeTarget? {
    if loadsFullResolution { return .full }
    switch size {
    case .layout: return nil
    case .target(let target): return target
    case .points(let size):
      return .covering(width: size.width * displayScale, height: size.height * displayScale)
    }
  }
}

/// What surrounds a view of the family: read from the environment before each body.
struct RemoteImageSurroundings {
  var pipeline: ImagePipeline
  var displayScale: CGFloat
  var transition: AsyncImageTransition
  var disappearance: AsyncImageDisappearance
  var retry: RetryPolicy?
  var session: URLSession?

  /// A view's request with what it does not say itself.
  func completing(_ request: ImageRequest?) -> ImageRequest? {
    guard var request else { return nil }
    if let session, request.session == nil { request = request.with(session: session) }
    if let retry, request.retry == nil { request.retry = retry }
    return request
  }
}

/// The phase of a load, before it takes the name a view of the family gives it.
enum RemoteImagePhase {
  case empty
  case success(Image)
  case failure(ImageLoadingError)
}
