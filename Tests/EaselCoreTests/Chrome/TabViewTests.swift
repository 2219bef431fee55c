import EaselCore
import Testing

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

@MainActor @Suite("The pages of a tab view")
struct TabPageTests {
  final class Model: ObservableObject {
    @MainActor init(_ journal: Journal, _ name: String) { journal.note("made \(name)") }
  }

  struct Owner: View {
    @StateObject private var model: Model
    init(_ journal: Journal, _ name: String) { _model = StateObject(wrappedValue: Model(journal, name)) }
    var body: some View { Text("text") }
  }

  @Test("a page with a tab item is made when it is first selected, once")
  func laziness() {
    let journal = Journal()
    let host = ViewHost(
      phone: TabView {
        Owner(journal, "one").tabItem { Text("1") }
        Group {
          Owner(journal, "two").tabItem { Text("2") }
          Owner(journal, "three").tabItem { Text("3") }
        }
      })
    host.update()
    #expect(journal.take() == ["made one"])
    host.activate("3")
    host.update()
    host.activate("1")
    host.update()
    host.activate("3")
    host.update()
    #expect(journal.take() == ["made three"])
  }

  @Test("tasks around a tab item start at selection and are cancelled when another tab is selected")
  func tasks() async {
    let journal = Journal()
    let host = ViewHost(
      phone: TabView {
        ForEach(["a", "b"], id: \.self) { name in
          Color.red.tabItem { Text(name) }.task {
            journal.note("start \(name)")
            while !Task.isCancelled { await Task.yield() }
            journal.note("end \(name)")
          }
        }
      })
    host.update()
    #expect(await eventually { !journal.entries.isEmpty })
    #expect(journal.entries == ["start a"])
    host.activate("b")
    host.update()
    #expect(await eventually { journal.entries.count == 3 })
    #expect(Set(journal.entries) == ["start a", "end a", "start b"])
    host.unmount()
    #expect(await eventually { journal.entries.count == 4 })
    #expect(journal.entries.last == "end b")
  }

  @Test("pages in a group and behind a view of their own appear one by one")
  func nestedScopes() {
    struct Two: View {
      let journal: Journal
      var body: some View {
        ForEach(0..<2) { index in
          Color.red.onAppear { journal.note("+\(index)") }.onDisappear { journal.note("-\(index)") }
            .tabItem { Text("T\(index)") }
        }
      }
    }
    let journal = Journal()
    let host = ViewHost(
      phone: TabView {
        Two(journal: journal)
        Group {
          Color.blue.tabItem { Text("T2") }
          Color.blue.tabItem { Text("T3") }
        }
        .onAppear { journal.note("group") }
      })
    #expect(host.tabs == ["T0", "T1", "T2", "T3"])
    #expect(journal.take() == ["+0"])
    host.activate("T1")
    host.update()
    #expect(journal.take() == ["-0", "+1"])
    host.activate("T3")
    host.update()
    #expect(journal.take() == ["-1", "group"])
  }

  @Test("pages without a tab item are pages all the same")
  func noItems() {
    let journal = Journal()
    let host = ViewHost(
      phone: TabView {
        Text("one").onAppear { journal.note("one") }
        Text("two").onAppear { journal.note("two") }
      })
    #expect(host.tabs.count == 2)
    #expect(host.texts == ["one"])
    host.tap(at: CGPoint(x: 300, y: 590))
    #expect(host.texts == ["two"])
    #expect(journal.take() == ["one", "two"])
  }

  @Test("a tab item may be text, picture, both, or change with state")
  func labels() {
    struct Counting: View {
      @State private var count = 0
      var body: some View {
        Button("Count") { count += 1 }.tabItem {
          Image(systemName: "bolt")
          Text("Count \(count)")
        }
      }
    }
    let host = ViewHost(
      phone: TabView {
        Counting()
        Color.red.tabItem { Text("Text") }
        Color.red.tabItem { Image(systemName: "leaf") }
      })
    #expect(host.tabs.map { $0.hasSuffix("Count 0") } == [true, false, false])
    #expect(host.tabs[1...] == ["Text", "Leaf"])
    host.activate("Count")
    #expect(host.tabs[0].hasSuffix("Count 1"))
  }

  @Test("a tap beside the tabs, on the page, reaches the page")
  func hits() throws {
    let host = ViewHost(phone: TabViewTests.Three())
    let button = try #require(host.element(labeled: "Count", role: .button))
    #expect(host.tap(at: CGPoint(x: button.frame.midX, y: button.frame.midY)))
    #expect(host.texts == ["One 1"])
    #expect(!host.tap(at: CGPoint(x: 20, y: 20)))
    // Every point of the bar belongs to a tab.
    #expect(host.tap(at: CGPoint(x: 389, y: 599)))
    #expect(host.selectedTabs == ["Third"])
    #expect(host.tap(at: CGPoint(x: 1, y: 552)))
    #expect(host.selectedTabs == ["First"])
  }
}

@MainActor @Suite("Tab views under strain")
struct TabStrainTests {
  @Test("no tabs at all, then some")
  func none() {
    struct Growing: View {
      @State private var names: [String] = []
      var body: some View {
        VStack {
          Button("Add") { names.append("tab \(names.count)") }
          Button("Clear") { names = [] }
          TabView {
            ForEach(names, id: \.self) { name in Text("page of \(name)").tabItem { Text(name) } }
          }
        }
      }
    }
    let host = ViewHost(phone: Growing())
    #expect(host.tabs.isEmpty)
    host.activate("Add")
    host.activate("Add")
    #expect(host.selectedTabs == ["tab 0"])
    #expect(host.texts == ["page of tab 0"])
    host.activate("Clear")
    #expect(host.tabs.isEmpty)
    #expect(host.texts.isEmpty)
    _ = ViewHost(phone: TabView {}).render()
  }

  @Test("a hundred tabs, each one reachable")
  func hundred() {
    let host = ViewHost(
      phone: TabView {
        ForEach(0..<100) { index in Text("page \(index)").tabItem { Label("\(index)", systemImage: "bolt") } }
      })
    #expect(host.tabs.count == 100)
    for index in [99, 50, 0] {
      #expect(host.activate("\(index)"))
      #expect(host.texts == ["page \(index)"])
    }
  }

  @Test("tab views in tab views keep to themselves")
  func nested() {
    let journal = Journal()
    let host = ViewHost(
      phone: TabView {
        TabView {
          Text("aa").onAppear { journal.note("aa") }.tabItem { Text("inner a") }
          Text("ab").onAppear { journal.note("ab") }.onDisappear { journal.note("-ab") }.tabItem { Text("inner b") }
        }
        .tabItem { Text("outer a") }
        Text("b").tabItem { Text("outer b") }
      })
    #expect(host.tabs == ["inner a", "inner b", "outer a", "outer b"])
    host.activate("inner b")
    #expect(host.selectedTabs == ["inner b", "outer a"])
    host.activate("outer b")
    #expect(host.tabs == ["outer a", "outer b"])
    host.activate("outer a")
    #expect(host.selectedTabs == ["inner b", "outer a"])
    host.update()
    #expect(journal.take() == ["aa", "ab", "-ab", "ab"])
  }

  @Test("a page that changes the selection as it appears")
  func selectionDuringUpdate() {
    struct Restless: View {
      @State private var selection = 0
      var body: some View {
        TabView(selection: $selection) {
          ForEach(0..<5) { index in
            Text("page \(index)").onAppear { if index < 4 { selection = index + 1 } }.tabItem { Text("\(index)") }
          }
        }
      }
    }
    let host = ViewHost(phone: Restless())
    #expect(host.texts == ["page 4"])
    #expect(host.diagnostics.isEmpty)
  }

  @Test("pages that send the selection back and forth are stopped and reported")
  func pingPong() {
    struct PingPong: View {
      @State private var selection = 0
      var body: some View {
        TabView(selection: $selection) {
          Color.red.onAppear { selection = 1 }.tabItem { Text("0") }.tag(0)
          Color.blue.onAppear { selection = 0 }.tabItem { Text("1") }.tag(1)
        }
      }
    }
    let host = ViewHost(phone: PingPong())
    host.update()
    #expect(host.diagnostics.count == 1)
    #expect(host.selectedTabs.count == 1)
  }

  @Test("a window too small for a bar")
  func tiny() {
    for size in [CGSize(width: 390, height: 20), CGSize(width: 3, height: 600), .zero] {
      let host = ViewHost(TabViewTests.Three(), size: size)
      _ = host.render()
      #expect(host.tabs.count == 3)
    }
  }
}
