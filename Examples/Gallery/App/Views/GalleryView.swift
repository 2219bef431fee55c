import EaselCore

/// The whole app: a tab for each topic.
public struct GalleryView: View {
  @ObservedObject var model: GalleryModel

  public init(model: GalleryModel) { self.model = model }

  public var body: some View {
    TabView {
      ForEach(Topic.allCases) { topic in
        TopicPage(topic: topic, model: model)
          .tabItem { Label(topic.title, systemImage: topic.systemImage) }
          .tag(topic)
      }
    }
  }
}

/// A topic's list, whatever state it is in.
struct TopicPage: View {
  let topic: Topic
  @ObservedObject var model: GalleryModel
  @Environment(\.colorScheme) private var colorScheme

  var body: some View {
    NavigationView {
      Group {
        switch model.list(topic) {
        case .loading:
          ProgressView()
            .frame(maxWidth: .infinity, maxHeight: .infinity)
        case .loaded(let photos) where photos.isEmpty:
          FailureView(title: "No pictures here yet", message: "The server sent an empty list.", systemImage: "photo")
            .frame(maxWidth: .infinity, maxHeight: .infinity)
        case .loaded(let photos):
          PhotoList(photos: photos)
        case .failed(let message):
          FailureView(title: "The list could not be loaded", message: message, systemImage: "wifi.slash") {
            Task { await model.load(topic) }
          }
          .frame(maxWidth: .infinity, maxHeight: .infinity)
        }
      }
      .background(Palette.page(colorScheme))
      .navigationTitle(topic.title)
    }
    .task { await model.load(topic) }
  }
}
