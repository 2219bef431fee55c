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

  struct Settings: View {
    @State private var first = true
    @State private var second = false

    var body: some View {
      NavigationStack {
        List {
          Section("General") {
            Toggle("Wi-Fi", isOn: $first)
            Toggle("Bluetooth", systemImage: "bolt", isOn: $second)
            Toggle("Disabled", isOn: $first).disabled(true)
            NavigationLink("About") { Text("about") }
          }
          Section(header: Text("Symbols"), footer: Text("Rows with icons begin their lines at the text, as on iOS.")) {
            Label("Flame", systemImage: "flame")
            Label("Leaf", systemImage: "leaf")
            NavigationLink(destination: Text("x")) { Label("House", systemImage: "house") }
          }
          Button("Sign out", role: .destructive) {}
          Button("Help") {}
        }
        .navigationTitle("Settings")
      }
    }
  }

  @Test(arguments: [1.0, 2.0], ColorScheme.allCases)
  func settings(scale: CGFloat, scheme: ColorScheme) throws {
    let host = ViewHost(Settings(), size: CGSize(width: 390, height: 720), scale: scale) { $0.colorScheme = scheme }
    let help = try #require(host.element(labeled: "Help"))
    host.pointerDown(at: help.frame.middle)
    PNGWriter.write(host.render(), "list-\(scheme)-\(Int(scale))x")
  }

  @Test(arguments: ColorScheme.allCases)
  func scrolledList(scheme: ColorScheme) {
    let host = ViewHost(Settings(), size: CGSize(width: 390, height: 500), scale: 2) { $0.colorScheme = scheme }
    for (index, distance) in [0, 20, 16, 60].enumerated() {
      host.scroll(by: CGSize(width: 0, height: distance), at: CGPoint(x: 200, y: 300))
      PNGWriter.write(host.render(), "scrolled-\(scheme)-\(index)")
    }
  }

  @Test(arguments: ColorScheme.allCases)
  func plainList(scheme: ColorScheme) {
    let host = ViewHost(
      phone: NavigationView {
        List {
          Section("First") {
            ForEach(0..<4) { index in
              HStack(spacing: 12) {
                RoundedRectangle(cornerRadius: 6).fill(Color.teal).frame(width: 40, height: 40)
                VStack(alignment: .leading, spacing: 2) {
                  Text("Row \(index)").font(.headline)
                  Text("A second line").font(.subheadline).foregroundColor(.secondary)
                }
              }
            }
          }
          Section("Second") { ForEach(0..<3) { Text("Row \($0)") } }
        }
        .listStyle(.plain)
        .navigationTitle("Plain")
        .navigationBarTitleDisplayMode(.inline)
      }, scale: 2, scheme: scheme)
    PNGWriter.write(host.render(), "plain-\(scheme)")
  }

  struct Buttons: View {
    var body: some View {
      VStack(spacing: 16) {
        row("default") { $0 }
        row("bordered") { $0.buttonStyle(.bordered) }
        row("prominent") { $0.buttonStyle(.borderedProminent) }
        row("plain") { $0.buttonStyle(.plain) }
        row("disabled") { $0.buttonStyle(.bordered).disabled(true) }
        row("off") { $0.buttonStyle(.borderedProminent).disabled(true) }
        Button {
        } label: {
          Label("Download", systemImage: "square.and.arrow.down")
        }
        .buttonStyle(.borderedProminent)
        Toggle("Alone", isOn: .constant(true)).labelsHidden()
      }
    }

    func row<V: View>(_ name: String, _ style: (AnyView) -> V) -> some View {
      HStack(spacing: 16) {
        style(AnyView(Button(name) {}))
        style(AnyView(Button("Delete \(name)", role: .destructive) {}))
      }
    }
  }

  @Test(arguments: [1.0, 2.0], ColorScheme.allCases)
  func buttons(scale: CGFloat, scheme: ColorScheme) throws {
    let host = ViewHost(phone: Buttons(), scale: scale, scheme: scheme)
    PNGWriter.write(host.render(), "buttons-\(scheme)-\(Int(scale))x")
    for name in ["default", "bordered", "prominent", "plain"] {
      let button = try #require(host.element(labeled: name))
      host.pointerDown(at: button.frame.middle)
    }
    PNGWriter.write(host.render(), "pressed-\(scheme)-\(Int(scale))x")
  }
}
