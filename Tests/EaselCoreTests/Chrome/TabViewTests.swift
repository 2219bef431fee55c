import EaselCore
import Testing

extension ViewHost {
  @MainActor convenience init(phone view: some View, scale: CGFloat = 1, scheme: ColorScheme = .light) {
    self.init(view, size: CGSize(width: 390, height: 600), scale: scale) { $0.colorScheme = scheme }
  }

  var tabs: [String] { accessibilityTree().filter { $0.role == .tab }.map(\.label) }
  var selectedTabs: [String] { accessibilityTree().filter { $0.role == .tab && $0.isSelected }.map(\.label) }
  var texts: [String] { accessibilityTree().filter { $0.role == .text }.map(\.label) }
}

@MainActor @Suite("A tab view")
struct TabViewTests {
  struct Page: View {
    let name: String
    var journal: Journal?
    @State private var count = 0

    var body: some View {
      VStack {
        Text("\(name) \(count)")
        Button("Count") { count += 1 }
      }
      .onAppear { journal?.note("\(name) appears") }
      .onDisappear { journal?.note("\(name) disappears") }
    }
  }

  struct Three: View {
    var journal: Journal?

    var body: some View {
      TabView {
        Page(name: "One", journal: journal).tabItem { Label("First", systemImage: "bolt") }
        Page(name: "Two", journal: journal).tabItem { Label("Second", systemImage: "flame") }
        Page(name: "Three", journal: journal).tabItem { Label("Third", systemImage: "leaf") }
      }
    }
  }

  @Test("shows the first page and a tab for each")
  func first() {
    let host = ViewHost(phone: Three())
    #expect(host.tabs == ["First", "Second", "Third"])
    #expect(host.selectedTabs == ["First"])
    #expect(host.texts == ["One 0"])
  }

  @Test("a tap on a tab shows its page; each page keeps its state")
  func state() {
    let host = ViewHost(phone: Three())
    #expect(host.activate("Count"))
    #expect(host.activate("Second"))
    #expect(host.selectedTabs == ["Second"])
    #expect(host.texts == ["Two 0"])
    #expect(host.activate("First"))
    #expect(host.texts == ["One 1"])
  }

  @Test("only the selected page has appeared, the old one disappears first")
  func lifecycle() {
    let journal = Journal()
    let host = ViewHost(phone: Three(journal: journal))
    host.update()
    #expect(journal.take() == ["One appears"])
    host.activate("Third")
    host.update()
    #expect(journal.take() == ["One disappears", "Three appears"])
    host.activate("First")
    host.update()
    #expect(journal.take() == ["Three disappears", "One appears"])
    host.unmount()
    #expect(journal.take() == ["One disappears"])
  }
}

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

  @Test(arguments: [1.0, 2.0], ColorScheme.allCases)
  func tabs(scale: CGFloat, scheme: ColorScheme) {
    let host = ViewHost(phone: App(), scale: scale, scheme: scheme)
    PNGWriter.write(host.render(), "tabs-\(scheme)-\(Int(scale))x")
  }
}
