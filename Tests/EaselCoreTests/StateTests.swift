import EaselCore
import Foundation
import Testing

@MainActor @Suite("State and identity")
struct StateTests {
  struct Child: View {
    let name: String
    @State private var count = 0

    var body: some View { Button("\(name) \(count)") { count += 1 } }
  }

  @Test("state survives a parent's new value and dies with the identity")
  func identity() {
    struct Parent: View {
      @State var name = "a"
      @State var identity = 0

      var body: some View {
        VStack {
          Child(name: name).id(identity)
          Button("rename") { name = "b" }
          Button("replace") { identity += 1 }
        }
      }
    }
    let host = ViewHost(Parent(), size: CGSize(width: 300, height: 300))
    host.activate("a 0")
    host.activate("rename")
    #expect(host.element(labeled: "b 1") != nil)
    host.activate("replace")
    #expect(host.element(labeled: "b 0") != nil)
  }

  @Test("each branch is an identity of its own")
  func branches() {
    struct Parent: View {
      @State var first = true

      var body: some View {
        VStack {
          if first { Child(name: "x") } else { Child(name: "x") }
          Button("switch") { first.toggle() }
        }
      }
    }
    let host = ViewHost(Parent(), size: CGSize(width: 300, height: 300))
    host.activate("x 0")
    #expect(host.element(labeled: "x 1") != nil)
    host.activate("switch")
    #expect(host.element(labeled: "x 0") != nil)
  }

  @Test("rows keep their state when they move")
  func forEachMoves() {
    struct Parent: View {
      @State var names = ["a", "b", "c"]

      var body: some View {
        VStack {
          ForEach(names, id: \.self) { Child(name: $0) }
          Button("reverse") { names.reverse() }
          Button("drop") { names.removeFirst() }
        }
      }
    }
    let host = ViewHost(Parent(), size: CGSize(width: 300, height: 300))
    host.activate("a 0")
    host.activate("reverse")
    let order = host.accessibilityTree().map(\.label)
    #expect(order == ["c 0", "b 0", "a 1", "reverse", "drop"])
    host.activate("drop")
    #expect(host.accessibilityTree().map(\.label) == ["b 0", "a 1", "reverse", "drop"])
  }

  @Test("only views that read a state are evaluated when it changes")
  func precision() {
    let journal = Journal()
    struct Reader: View {
      @Binding var value: Int
      let journal: Journal
      var body: some View {
        journal.note("reader")
        return Button("value \(value)") { value += 1 }
      }
    }
    struct Bystander: View {
      let journal: Journal
      var body: some View {
        journal.note("bystander")
        return Text("by")
      }
    }
    struct Parent: View {
      @State var value = 0
      let journal: Journal
      var body: some View {
        journal.note("parent")
        return VStack {
          Reader(value: $value, journal: journal)
          Bystander(journal: journal)
        }
      }
    }
    let host = ViewHost(Parent(journal: journal), size: CGSize(width: 300, height: 300))
    host.update()
    #expect(journal.take() == ["parent", "reader", "bystander"])
    host.activate("value 0")
    #expect(host.element(labeled: "value 1") != nil)
    #expect(journal.take() == ["reader"])
  }

  @Test("setting an equal value evaluates nothing")
  func equalValue() {
    let journal = Journal()
    struct Parent: View {
      @State var value = "a"
      let journal: Journal
      var body: some View {
        journal.note(value)
        return Button("set") { value = "a" }
      }
    }
    let host = ViewHost(Parent(journal: journal), size: CGSize(width: 300, height: 300))
    host.activate("set")
    host.update()
    #expect(journal.take() == ["a"])
  }

  final class Model: ObservableObject {
    @Published var count = 0
    @Published var names: [String] = []
  }

  @Test("a state object is made once and its changes are seen")
  func stateObject() {
    struct Parent: View {
      @StateObject var model = Model()
      var body: some View {
        VStack {
          Button("count \(model.count)") { model.count += 1 }
          Editor(names: $model.names)
        }
      }
    }
    struct Editor: View {
      @Binding var names: [String]
      var body: some View { Button("names \(names.count)") { names.append("x") } }
    }
    let host = ViewHost(Parent(), size: CGSize(width: 300, height: 300))
    host.activate("count 0")
    host.activate("count 1")
    host.activate("names 0")
    #expect(host.accessibilityTree().map(\.label) == ["count 2", "names 1"])
  }

  @Test("a published property set on another thread reaches the screen")
  func publishedFromAnotherThread() async {
    let model = Model()
    struct Parent: View {
      @ObservedObject var model: Model
      var body: some View { Text("count \(model.count)") }
    }
    let host = ViewHost(Parent(model: model), size: CGSize(width: 300, height: 300))
    host.update()
    let box = Unchecked(value: model)
    await Task.detached { box.value.count = 7 }.value
    #expect(await eventually { host.element(labeled: "count 7") != nil })
  }

  struct Unchecked<Value>: @unchecked Sendable {
    // guard: the values are safe to use from the places the tests use them.
    let value: Value
  }

  @Observable final class Modern: @unchecked Sendable {
    // guard: changed on one thread at a time.
    var count = 0
    var other = 0
  }

  @Test("an observable object is followed property by property, from any thread")
  func observable() async {
    let model = Modern()
    let journal = Journal()
    struct Parent: View {
      let model: Modern
      let journal: Journal
      var body: some View {
        journal.note("body")
        return Text("count \(model.count)")
      }
    }
    let host = ViewHost(Parent(model: model, journal: journal), size: CGSize(width: 300, height: 300))
    host.update()
    model.other = 5
    host.update()
    #expect(journal.take() == ["body"])
    await Task.detached { model.count = 3 }.value
    #expect(await eventually { host.element(labeled: "count 3") != nil })
  }

  @Test("state set on another thread reaches the screen, and the host is told")
  func stateFromAnotherThread() async {
    struct Parent: View {
      @State var text = "before"
      var body: some View {
        Text(text).task {
          let binding = Unchecked(value: $text)
          await Task.detached { binding.value.wrappedValue = "after" }.value
        }
      }
    }
    let host = ViewHost(Parent(), size: CGSize(width: 300, height: 300))
    var calls = 0
    host.update()
    host.onNeedsFrame = { calls += 1 }
    #expect(await eventually { host.needsFrame })
    #expect(calls == 1)
    #expect(host.element(labeled: "after") != nil)
  }

  @Test("environment values and objects reach the views inside, and changes follow")
  func environment() {
    struct Reader: View {
      @Environment(\.colorScheme) var scheme
      @Environment(\.isEnabled) var isEnabled
      @EnvironmentObject var model: Model
      @Environment(Modern.self) var modern
      var body: some View { Text("\(scheme) \(isEnabled) \(model.count) \(modern.count)") }
    }
    let model = Model()
    let host = ViewHost(
      Reader().disabled(true).environmentObject(model).environment(Modern()), size: CGSize(width: 300, height: 300))
    #expect(host.element(labeled: "light false 0 0") != nil)
    host.colorScheme = .dark
    model.count = 4
    #expect(host.element(labeled: "dark false 4 0") != nil)
  }

  @MainActor struct Loader: DynamicProperty {
    @State private var updates = Counter()
    @StateObject private var model = Model()
    @Environment(\.colorScheme) private var scheme
    nonisolated init() {}

    nonisolated mutating func update() {
      let copy = Unchecked(value: self)
      MainActor.assumeIsolated { copy.value.updates.count += 1 }
    }

    var text: String { "\(updates.count) \(model.count) \(scheme)" }
    func increase() { model.count += 1 }
  }

  final class Counter { var count = 0 }

  @Test("dynamic properties nest, and update before each body")
  func nestedDynamicProperties() {
    struct Parent: View {
      let loader = Loader()
      var body: some View { Button(loader.text) { loader.increase() } }
    }
    let host = ViewHost(Parent(), size: CGSize(width: 300, height: 300))
    host.activate("1 0 light")
    #expect(host.accessibilityTree().map(\.label) == ["2 1 light"])
    host.colorScheme = .dark
    #expect(host.accessibilityTree().map(\.label) == ["3 1 dark"])
  }

  @Test("preferences are reduced in order and reach the reader")
  func preferences() {
    struct Names: PreferenceKey {
      static var defaultValue: [String] { [] }
      static func reduce(value: inout [String], nextValue: () -> [String]) { value += nextValue() }
    }
    struct Parent: View {
      @State var names: [String] = []
      @State var more = false
      var body: some View {
        VStack {
          VStack {
            Text("x").preference(key: Names.self, value: ["x"])
            if more { Text("y").preference(key: Names.self, value: ["y"]) }
          }
          .onPreferenceChange(Names.self) { names = $0 }
          Text("names " + names.joined())
          Button("more") { more = true }
        }
      }
    }
    let host = ViewHost(Parent(), size: CGSize(width: 300, height: 300))
    #expect(host.element(labeled: "names x") != nil)
    host.activate("more")
    #expect(host.element(labeled: "names xy") != nil)
  }

  @Test("a view modifier has state of its own")
  func viewModifier() {
    struct Counting: ViewModifier {
      @State private var count = 0
      func body(content: Content) -> some View {
        VStack {
          content
          Button("modifier \(count)") { count += 1 }
        }
      }
    }
    let host = ViewHost(Text("content").modifier(Counting()), size: CGSize(width: 300, height: 300))
    host.activate("modifier 0")
    #expect(host.accessibilityTree().map(\.label) == ["content", "modifier 1"])
  }

  @Test("a preferred colour scheme holds for the whole window")
  func preferredColorScheme() {
    struct Reader: View {
      @Environment(\.colorScheme) var scheme
      var body: some View { Text("\(scheme)") }
    }
    let host = ViewHost(
      VStack {
        Reader()
        Text("x").preferredColorScheme(.dark)
      }, size: CGSize(width: 100, height: 100))
    #expect(host.element(labeled: "dark") != nil)
    #expect(host.render().rgb(1, 1) == [0, 0, 0])
  }

  @Test("hosts do not share anything")
  func twoHosts() {
    let one = ViewHost(Child(name: "one"), size: CGSize(width: 100, height: 100))
    let other = ViewHost(Child(name: "other"), size: CGSize(width: 100, height: 100))
    one.activate("one 0")
    #expect(one.element(labeled: "one 1") != nil)
    #expect(other.element(labeled: "other 0") != nil)
  }
}
