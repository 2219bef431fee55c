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
  /// A fixed size to decode at; `nil` takes it from layout.
  var target: DecodeTarget?
  /// Whether the old picture stays while a new one loads.
  var keepsPrevious = false
}

/// The phase of a load, before it takes the name a view of the family gives it.
enum RemoteImagePhase {
  case empty
  case success(Image)
  case failure(ImageLoadingError)
}
