import SwiftUI

public struct ContentView: View {
  @StateObject var client = Client()

  public init() {}

  public var body: some View {
    TabView {
      ImageList(images: $client.shibes, title: "Shibes")
        .tabItem {
          Label("Shibes", systemImage: "bolt")
        }
        .task {
          await client.fetchShibes()
        }
      ImageList(images: $client.birds, title: "Birds")
        .tabItem {
          Label("Birds", systemImage: "flame")
        }
        .task {
          await client.fetchBirds()
        }
      ImageList(images: $client.cats, title: "Cats")
        .tabItem {
          Label("Cats", systemImage: "leaf")
        }
        .task {
          await client.fetchCats()
        }
    }
  }
}
