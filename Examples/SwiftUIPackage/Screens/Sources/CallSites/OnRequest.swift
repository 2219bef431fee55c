import SwiftUI

/// A small picture first, and every pixel of it from the context menu.
public struct OnRequest: View {
  @State private var url: URL?
  @State private var fullResolution: Bool = false

  public init(url: URL?) { _url = State(initialValue: url) }

  public var body: some View {
    CachedAsyncImage(
      url: url,
      transaction: .init(animation: .easeIn),
      loadFullResolution: self.fullResolution
    ) { phase in
      switch phase {
      case .empty:
        ProgressView()
      case .success(let image):
        image
          .resizable()
          .scaledToFit()
      case .failure(let error):
        Text("\(error.localizedDescription)")
      @unknown default:
        Color.red
      }
    }
    .contextMenu {
      if !self.fullResolution {
        Button(
          action: {
            self.fullResolution = true
          },
          label: {
            Text("Load Full Resolution")
          })
      }
    }
  }
}
