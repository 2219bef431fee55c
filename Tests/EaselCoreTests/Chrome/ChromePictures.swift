import EaselCore
import Testing

@MainActor @Suite("Chrome pictures", .enabled(if: PNGWriter.isEnabled))
struct ChromePictures {
  struct App: View {
    var body: some View {
      TabView {
        list("Shibes").tabItem { Label("Shibes", systemImage: "bolt") }
        list("Birds").tabItem { Label("Birds", systemImage: "flame") }
        list("Cats").tabItem { Label("Cats", systemImage: "leaf") }
      }
    }

    func list(_ title: String) -> some View {
      NavigationView {
        VStack {
          ForEach(0..<3) { _ in Color.gray.opacity(0.3).frame(height: 120).cornerRadius(20).padding(.horizontal) }
          Spacer()
        }
        .navigationTitle(title)
      }
    }
  }

  struct Pushing: View {
    var body: some View {
      NavigationStack {
        VStack(alignment: .leading) {
          NavigationLink("Open") {
            ZStack { Text("The details") }.frame(maxWidth: .infinity, maxHeight: .infinity)
              .background(Color.secondary.opacity(0.1)).navigationTitle("Details")
          }
          NavigationLink("Inline") { Text("Small").navigationTitle("Details").navigationBarTitleDisplayMode(.inline) }
          Label("A label", systemImage: "star")
          Label("Title only", systemImage: "star").labelStyle(.titleOnly)
          Label("Icon only", systemImage: "star").labelStyle(.iconOnly)
        }
        .frame(maxWidth: .infinity, maxHeight: .infinity)
        .background(Color(red: 0.95, green: 0.95, blue: 0.97))
        .navigationTitle("Photographs")
      }
    }
  }

  @Test(arguments: ColorScheme.allCases)
  func navigation(scheme: ColorScheme) {
    let host = ViewHost(phone: Pushing(), scale: 2, scheme: scheme)
    PNGWriter.write(host.render(), "nav-\(scheme)-1")
    host.activate("Open")
    host.update()
    host.advance(by: 0.17)
    PNGWriter.write(host.render(), "nav-\(scheme)-2")
    host.advance(by: 1)
    PNGWriter.write(host.render(), "nav-\(scheme)-3")
    host.activate("Photographs")
    host.activate("Inline")
    host.update()
    host.advance(by: 1)
    PNGWriter.write(host.render(), "nav-\(scheme)-4")
  }

  @Test(arguments: [1.0, 2.0], ColorScheme.allCases)
  func tabs(scale: CGFloat, scheme: ColorScheme) {
    let host = ViewHost(phone: App(), scale: scale, scheme: scheme)
    PNGWriter.write(host.render(), "tabs-\(scheme)-\(Int(scale))x")
  }
}
