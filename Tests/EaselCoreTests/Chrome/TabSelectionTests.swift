import EaselCore
import Testing

@MainActor @Suite("The selection of a tab view")
struct TabSelectionTests {
  struct Tagged: View {
    @State var selection = "b"
    var journal = Journal()

    var body: some View {
      TabView(selection: $selection) {
        Button("to c") { selection = "c" }.tabItem { Text("A") }.tag("a")
        Text("page b").tag("b").tabItem { Text("B") }
        Text("page c").tabItem { Text("C") }.tag("c").padding()
      }
      .onChange(of: selection) { journal.note($0) }
    }
  }

  @Test("starts at the binding's value and writes what is tapped")
  func binding() {
    let view = Tagged()
    let host = ViewHost(phone: view)
    #expect(host.selectedTabs == ["B"])
    #expect(host.activate("A"))
    host.update()
    #expect(view.journal.take() == ["a"])
    #expect(host.activate("to c"))
    #expect(host.selectedTabs == ["C"])
    #expect(host.texts == ["page c"])
  }

  @Test("a value that no page has shows the first page and leaves the binding alone")
  func unknown() {
    let view = Tagged(selection: "z")
    let host = ViewHost(phone: view)
    #expect(host.selectedTabs == ["A"])
    #expect(view.journal.take().isEmpty)
    host.activate("C")
    #expect(host.selectedTabs == ["C"])
  }

  struct Numbers: View {
    @State var numbers = [1, 2, 3]
    @State var selection: Int? = 2
    var journal = Journal()

    var body: some View {
      TabView(selection: $selection) {
        ForEach(numbers, id: \.self) { number in
          VStack {
            Text("page \(number)")
            Button("Drop me") { numbers.removeAll { $0 == number } }
            Button("Reverse") { numbers.reverse() }
            Button("Add") { numbers.append(numbers.count + 1) }
          }
          .tabItem { Text("\(number)") }
          .onAppear { journal.note("+\(number)") }
          .onDisappear { journal.note("-\(number)") }
        }
      }
    }
  }

  @Test("elements of a ForEach are tagged with their identifiers, of an optional selection too")
  func implicitTags() {
    let host = ViewHost(phone: Numbers())
    #expect(host.selectedTabs == ["2"])
    host.activate("3")
    #expect(host.texts == ["page 3"])
  }

  @Test("tabs come, go and move; the page shown stays the page shown")
  func dynamic() {
    let view = Numbers()
    let host = ViewHost(phone: view)
    host.activate("Add")
    #expect(host.tabs == ["1", "2", "3", "4"])
    host.activate("Reverse")
    #expect(host.tabs == ["4", "3", "2", "1"])
    #expect(host.selectedTabs == ["2"])
    host.activate("Drop me")
    #expect(host.tabs == ["4", "3", "1"])
    // Its place is taken by the one that came after it.
    #expect(host.selectedTabs == ["1"])
    #expect(view.journal.take() == ["+2", "-2", "+1"])
  }

  struct Programmatic: View {
    @State private var selection = 0
    var journal = Journal()

    var body: some View {
      VStack {
        Button("Next") { selection += 1 }
        TabView(selection: $selection) {
          ForEach(0..<6) { index in
            Text("page \(index)").onAppear { journal.note("\(index)") }.tabItem { Label("T\(index)", systemImage: "x") }
          }
        }
      }
    }
  }

  @Test("state outside the tab view selects")
  func programmatic() {
    let view = Programmatic()
    let host = ViewHost(phone: view)
    for _ in 0..<5 { host.activate("Next") }
    #expect(host.selectedTabs == ["T5"])
    host.activate("Next")
    // Nothing is tagged 6.
    #expect(host.selectedTabs == ["T5"])
    #expect(view.journal.take() == ["0", "1", "2", "3", "4", "5"])
  }
}
