#if canImport(Darwin)
  import SwiftUI
#else
  import EaselCore
#endif

/// What the default form shows: the image, or a fill of the space offered while there is none.
struct DefaultContent: View {
  let phase: RemoteImagePhase

  var body: some View {
    if case .success(let image) = phase {
      image
    } else {
      Color.placeholderFill
    }
  }
}
