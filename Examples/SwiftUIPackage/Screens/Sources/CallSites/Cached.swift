import SwiftUI

/// A picture that comes from memory when it is shown again, and appears in an animation.
public struct Cached: View {
  let imageUrl: URL?

  public init(imageUrl: URL?) { self.imageUrl = imageUrl }

  public var body: some View {
    CachedAsyncImage(url: imageUrl, animation: .default) { phase in
      switch phase {
      case .empty:
        ProgressView()
      case .success(let image):
        image.resizable()
          .scaledToFill()
      case .failure:
        Image(systemName: "exclamationmark.triangle")
      @unknown default:
        Image(systemName: "exclamationmark.triangle")
      }
    }
  }
}
