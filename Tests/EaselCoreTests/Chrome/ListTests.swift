import EaselCore
import Testing

@MainActor @Suite("A list")
struct ListTests {
  @Test("shows static rows, rows of data and of ranges, at least 44 points high")
  func rows() throws {
    struct Item: Identifiable { let id: String }
    let host = ViewHost(
      phone: List {
        Text("a"); ForEach(0..<2) { Text("\($0)") }; Text("z")
      })
    #expect(host.texts == ["a", "0", "1", "z"])
    let frames = frames(in: host)
    #expect(try #require(frames["0"]).midY - #require(frames["a"]).midY == 44)
    #expect(ViewHost(phone: List([Item(id: "x"), Item(id: "y")]) { Text($0.id) }).texts == ["x", "y"])
    #expect(ViewHost(phone: List(["x", "y"], id: \.self) { Text($0) }).texts == ["x", "y"])
    #expect(ViewHost(phone: List(0..<3) { Text("\($0)") }).texts == ["0", "1", "2"])
    #expect(ViewHost(phone: List {}).texts == [])
  }

  @Test("makes only the rows near the window, wherever it is scrolled")
  func laziness() {
    let journal = Journal()
    let host = ViewHost(
      phone: List(0..<100_000) { index in
        Text("row \(index)").onAppear { journal.note("\(index)") }
      })
    _ = host.render()
    #expect(journal.take().count < 20)
    host.scroll(to: CGPoint(x: 0, y: 1_000_000), at: CGPoint(x: 100, y: 100))
    #expect(host.texts.count < 20)
    #expect(host.texts.contains("row 22730"))
  }

  @Test("sections in loops, loops in sections")
  func sections() {
    let host = ViewHost(
      phone: List {
        ForEach(0..<2) { section in
          Section("head \(section)") {
            ForEach(0..<2) { Text("row \(section)\($0)") }
            Text("last \(section)")
          }
        }
        Section(header: Text("H"), footer: Text("F")) { Text("only") }
      })
    #expect(
      host.texts == [
        "head 0", "row 00", "row 01", "last 0", "head 1", "row 10", "row 11", "last 1", "H", "only", "F",
      ])
  }

  @Test("a section outside of a list is its parts")
  func sectionAlone() {
    let host = ViewHost(
      phone: VStack {
        Section(header: Text("H"), footer: Text("F")) {
          Text("a"); Text("b")
        }
      })
    #expect(host.texts == ["H", "a", "b", "F"])
  }

  @Test("inset groups have round corners on a grey ground, plain rows go from edge to edge")
  func looks() {
    let view = List(0..<2) { _ in Color.red.frame(height: 44).listRowInsets(EdgeInsets()) }
    let inset = ViewHost(phone: view).render()
    #expect(inset.rgb(2, 40) == [242, 242, 247])
    // The corner of the first row, and the same edge further down.
    #expect(inset.rgb(16, 16) == [242, 242, 247])
    #expect(inset.rgb(16, 40) == [255, 59, 48])
    #expect(inset.rgb(16, 16 + 88 - 1) == [242, 242, 247])
    let plain = ViewHost(phone: view.listStyle(.plain)).render()
    #expect(plain.rgb(0, 0) == [255, 59, 48])
    #expect(plain.rgb(389, 40) == [255, 59, 48])
  }

  @Test("lines are between rows, not below the last of a group, and can be hidden")
  func separators() {
    func lines(_ view: some View) -> Int {
      let picture = ViewHost(phone: List { view }).render()
      return (0..<599).count { picture.rgb(200, $0) != picture.rgb(200, $0 + 1) }
    }
    // Each group has two edges and each line two more.
    #expect(lines(ForEach(0..<1) { _ in Color.clear }) == 2)
    #expect(lines(ForEach(0..<3) { _ in Color.clear }) == 6)
    #expect(lines(ForEach(0..<3) { _ in Color.clear.listRowSeparator(.hidden) }) == 2)
  }

  struct Growing: View {
    @State private var items = ["a", "b", "c"]

    var body: some View {
      List {
        Button("Add") { items.append("n\(items.count)") }
        Button("Reverse") { items.reverse() }
        Section("Items") { ForEach(items, id: \.self) { Row(name: $0) } }
      }
    }

    struct Row: View {
      let name: String
      @State private var isMarked = false
      var body: some View { Button(isMarked ? "\(name)!" : name) { isMarked = true } }
    }
  }

  @Test("rows come and move with their state")
  func changes() {
    let host = ViewHost(phone: Growing())
    #expect(host.activate("b"))
    host.activate("Add")
    host.activate("Reverse")
    let buttons = host.accessibilityTree().filter { $0.role == .button }.map(\.label)
    #expect(buttons == ["Add", "Reverse", "n3", "c", "b!", "a"])
  }

  @Test("a row with one button is a button all over; with two, each is its own")
  func taps() throws {
    let journal = Journal()
    let host = ViewHost(
      phone: List {
        Button("One") { journal.note("one") }
        HStack {
          Button("Left") { journal.note("left") }
          Spacer()
          Button("Right") { journal.note("right") }
        }
      })
    let one = try #require(host.element(labeled: "One"))
    #expect(host.tap(at: CGPoint(x: 370, y: one.frame.midY + 18)))
    let left = try #require(host.element(labeled: "Left"))
    #expect(!host.tap(at: CGPoint(x: 195, y: left.frame.midY)))
    #expect(host.tap(at: left.frame.middle))
    #expect(journal.take() == ["one", "left"])
  }

  @Test("a link in a row pushes its page")
  func links() {
    let host = ViewHost(
      phone: NavigationStack {
        List(0..<30) { index in NavigationLink("row \(index)") { Text("page \(index)") } }.navigationTitle("Rows")
      })
    #expect(host.activate("row 3"))
    host.update()
    host.advance(by: 1)
    #expect(host.texts.contains("page 3"))
    #expect(!host.scroll(by: CGSize(width: 0, height: 100), at: CGPoint(x: 100, y: 400)))
    #expect(host.activate("Rows"))
    host.update()
    host.advance(by: 1)
    #expect(host.scroll(by: CGSize(width: 0, height: 100), at: CGPoint(x: 100, y: 400)))
  }
}

@MainActor @Suite("A toggle")
struct ToggleTests {
  struct Switches: View {
    @State private var isOn = false
    var body: some View {
      VStack {
        Toggle("Sound", isOn: $isOn)
        Toggle("Never", isOn: $isOn).disabled(true)
        Toggle("Silent label", isOn: $isOn).labelsHidden()
      }
    }
  }

  @Test("turns with a tap anywhere on it and says so")
  func turning() throws {
    let host = ViewHost(phone: Switches())
    let sound = try #require(host.element(labeled: "Sound"))
    #expect(sound.role == .toggle)
    #expect(sound.value == "off")
    host.tap(at: CGPoint(x: sound.frame.minX + 5, y: sound.frame.midY))
    #expect(host.element(labeled: "Sound")?.value == "on")
    host.activate("Sound")
    #expect(host.element(labeled: "Sound")?.value == "off")
  }

  @Test("does not turn when it is disabled")
  func disabled() {
    let host = ViewHost(phone: Switches())
    #expect(host.element(labeled: "Never")?.isEnabled == false)
    #expect(!host.activate("Never"))
    #expect(host.element(labeled: "Never")?.value == "off")
  }

  @Test("without its label it is a switch of 51 by 31 points that still has a name")
  func hiddenLabel() {
    let host = ViewHost(phone: Switches())
    #expect(host.element(labeled: "Silent label")?.frame.size == CGSize(width: 51, height: 31))
  }

  @Test("the knob slides and comes to rest")
  func animation() {
    let host = ViewHost(phone: Toggle("Sound", isOn: .constant(false)).labelsHidden())
    _ = host.render()
    #expect(!host.isAnimating)
    let moving = ViewHost(phone: Switches())
    moving.activate("Sound")
    moving.update()
    #expect(moving.isAnimating)
    moving.advance(by: 1)
    moving.update()
    #expect(!moving.isAnimating)
  }
}
