import EaselCore
import Testing

@MainActor @Suite("A context menu")
struct ContextMenuTests {
  struct Pictures: View {
    var journal = Journal()
    @State private var count = 0

    var body: some View {
      VStack(spacing: 0) {
        VStack(spacing: 40) {
          Text("Count \(count)")
          Text("below")
        }
        .contextMenu {
          Button("Add \(count)") { count += 1 }
          Button {
            journal.note("share")
          } label: {
            Label("Share", systemImage: "square.and.arrow.up")
          }
          Button("Never") { journal.note("never") }.disabled(true)
          Divider()
          Button("Delete", role: .destructive) { journal.note("delete") }
            .onAppear { journal.note("appeared") }
        }
        Color.red
      }
    }
  }

  @Test("is found at any point of its view, gaps included, and nowhere else")
  func finding() throws {
    let host = ViewHost(phone: Pictures())
    let text = try #require(host.element(labeled: "Count 0"))
    for dy in [0, 25] as [CGFloat] {
      let point = CGPoint(x: text.frame.midX, y: text.frame.midY + dy)
      #expect(host.contextMenu(at: point).map(\.label) == ["Add 0", "Share", "Never", "Delete"])
    }
    #expect(host.contextMenu(at: CGPoint(x: 195, y: 500)).isEmpty)
    #expect(host.contextMenu(at: CGPoint(x: -5, y: 9_999)).isEmpty)
  }

  @Test("says what its entries are")
  func entries() throws {
    let host = ViewHost(phone: Pictures())
    let items = host.contextMenu(at: try #require(host.element(labeled: "Count 0")).frame.middle)
    try #require(items.count == 4)
    #expect(items.map(\.isDisabled) == [false, false, true, false])
    #expect(items.map(\.role) == [nil, nil, nil, .destructive])
    #expect(items.map(\.startsGroup) == [false, false, false, true])
    #expect(items.map(\.systemImage) == [nil, "square.and.arrow.up", nil, nil])
  }

  @Test("does what they say, and follows the state")
  func activation() throws {
    let view = Pictures()
    let host = ViewHost(phone: view)
    let point = try #require(host.element(labeled: "Count 0")).frame.middle
    #expect(host.activateMenuItem("Add 0", at: point))
    #expect(host.element(labeled: "Count 1") != nil)
    #expect(host.contextMenu(at: point).first?.label == "Add 1")
    #expect(!host.activateMenuItem("Never", at: point))
    host.contextMenu(at: point)[2].activate()
    #expect(host.activateMenuItem("Delete", at: point))
    host.update()
    // Menus do not appear.
    #expect(view.journal.take() == ["delete"])
    let items = host.contextMenu(at: point)
    host.unmount()
    items[3].activate()
    #expect(host.contextMenu(at: point).isEmpty)
  }

  @Test("a menu on a button leaves the button alone; an inner menu comes first")
  func nesting() throws {
    let journal = Journal()
    let host = ViewHost(
      phone: VStack {
        Button("Press") { journal.note("press") }
          .contextMenu { Button("Inner") {} }
        Text("outside")
      }
      .contextMenu { Button("Outer") {} })
    #expect(host.activate("Press"))
    #expect(journal.take() == ["press"])
    #expect(host.contextMenu(at: try #require(host.element(labeled: "Press")).frame.middle).map(\.label) == ["Inner"])
    #expect(host.contextMenu(at: try #require(host.element(labeled: "outside")).frame.middle).map(\.label) == ["Outer"])
  }

  @Test("rows of a list have menus of their own")
  func rows() throws {
    let host = ViewHost(
      phone: List(0..<3) { index in Text("row \(index)").contextMenu { Button("Delete \(index)") {} } })
    let row = try #require(host.element(labeled: "row 2"))
    #expect(host.contextMenu(at: row.frame.middle).map(\.label) == ["Delete 2"])
  }
}
