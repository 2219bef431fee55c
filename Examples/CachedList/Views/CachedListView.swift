import EaselCore
import Foundation
import Vignette
import VignetteUI

/// A list of pictures that appear in an animation, over what its caches hold and have done.
public struct CachedListView: View {
  let urls: [URL]
  @ObservedObject var store: ImageStore

  public init(urls: [URL], store: ImageStore) {
    self.urls = urls
    self.store = store
  }

  public var body: some View {
    VStack(spacing: 0) {
      StatisticsView(statistics: store.statistics) { store.clear() }
      Divider()
      List {
        ForEach(Array(urls.enumerated()), id: \.offset) { row, url in
          PictureRow(title: "Picture \(row + 1)", url: url) { store.refresh() }
        }
      }
      .listStyle(.plain)
      .id(store.generation)
    }
    .imagePipeline(store.pipeline)
  }
}

struct PictureRow: View {
  let title: String
  let url: URL
  let loaded: @MainActor () -> Void

  var body: some View {
    HStack(spacing: 12) {
      CachedAsyncImage(url: url, animation: .easeInOut(duration: 0.4)) { phase in
        switch phase {
        case .empty:
          ProgressView()
        case .success(let image):
          image
            .resizable()
            .scaledToFill()
            .accessibilityLabel(title)
            .onAppear(perform: loaded)
        case .failure:
          Image(systemName: "exclamationmark.triangle")
            .onAppear(perform: loaded)
        @unknown default:
          Image(systemName: "exclamationmark.triangle")
        }
      }
      .frame(width: 72, height: 72)
      .clipShape(RoundedRectangle(cornerRadius: 12))
      Text(title)
      Spacer()
    }
    .padding(.vertical, 4)
  }
}
