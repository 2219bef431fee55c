import EaselCore
import Testing

/// The shape most image apps have: tabs, each with a navigation view around a list that a task fills.
@MainActor @Suite("An app of tabs and lists")
struct GalleryShapeTests {
  final class Client: ObservableObject {
    @Published var shibes: [String]?
    @Published var birds: [String]?

    @MainActor func fetchShibes() async { shibes = ["shibe 1", "shibe 2"] }
    @MainActor func fetchBirds() async { birds = ["bird 1"] }
  }

  struct ImageList: View {
    @Environment(\.colorScheme) var colorScheme
    @Binding var images: [String]?
    var title: String

    var body: some View {
      NavigationView {
        Group {
          if let images {
            ScrollView {
              LazyVStack(spacing: 15) {
                ForEach(images, id: \.self) { image in
                  Text(image).frame(height: 200).padding(.horizontal)
                }
              }
            }
            .background(colorScheme == .light ? Color(red: 245 / 255, green: 245 / 255, blue: 250 / 255) : Color.black)
          } else {
            ProgressView()
          }
        }
        .navigationTitle(title)
      }
      .navigationViewStyle(.stack)
    }
  }

  struct ContentView: View {
    @StateObject var client = Client()

    var body: some View {
      TabView {
        ImageList(images: $client.shibes, title: "Shibes")
          .tabItem { Label("Shibes", systemImage: "bolt") }
          .task { await client.fetchShibes() }
        ImageList(images: $client.birds, title: "Birds")
          .tabItem { Label("Birds", systemImage: "flame") }
          .task { await client.fetchBirds() }
      }
    }
  }

  @Test("each tab loads when it is selected, under its own title, and keeps what it has")
  func browsing() async {
    let host = ViewHost(phone: ContentView())
    #expect(host.texts == ["Shibes"])
    #expect(await eventually { host.texts == ["Shibes", "shibe 1", "shibe 2"] })
    host.activate("Birds")
    #expect(host.texts == ["Birds"])
    #expect(await eventually { host.texts == ["Birds", "bird 1"] })
    host.activate("Shibes")
    #expect(host.texts == ["Shibes", "shibe 1", "shibe 2"])
  }

  @Test("the background of the list goes on behind the title")
  func background() async {
    let host = ViewHost(phone: ContentView())
    #expect(await eventually { host.texts.count == 3 })
    let picture = host.render()
    #expect(picture.rgb(380, 5) == [245, 245, 250])
    #expect(picture.rgb(380, 540) == [245, 245, 250])
    host.colorScheme = .dark
    #expect(host.render().rgb(380, 5) == [0, 0, 0])
  }
}
