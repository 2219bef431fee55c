import EaselCore
import Testing

@MainActor @Suite("A navigation view")
struct NavigationTests {
  @Test("shows the title that is set anywhere inside, and follows it")
  func title() {
    struct Deep: View {
      @State private var count = 0
      var body: some View {
        VStack {
          Group { Button("Count") { count += 1 } }.navigationTitle("Count \(count)")
        }
      }
    }
    let host = ViewHost(phone: NavigationView { Deep() })
    #expect(host.texts == ["Count 0"])
    host.activate("Count")
    #expect(host.texts == ["Count 1"])
  }

  @Test("a large title is 34 points bold at the leading margin, an inline one in the middle of a bar of 44")
  func modes() throws {
    let large = ViewHost(phone: NavigationView { Color.red.navigationTitle("Title") })
    let first = try #require(large.element(labeled: "Title"))
    #expect(first.frame.minX == 16)
    #expect(first.frame.height > 38)
    let inline = ViewHost(
      phone: NavigationStack { Color.red.navigationTitle("Title").navigationBarTitleDisplayMode(.inline) })
    let second = try #require(inline.element(labeled: "Title"))
    #expect(abs(second.frame.midX - 195) <= 1)
    #expect(abs(second.frame.midY - 22) <= 1)
  }

  @Test("no title, no bar")
  func untitled() throws {
    let host = ViewHost(phone: NavigationView { Button("All") {}.frame(maxWidth: .infinity, maxHeight: .infinity) })
    #expect(try #require(host.element(labeled: "All")).frame.midY == 300)
  }

  @Test("with tabs inside, the title is that of the selected tab")
  func tabsInside() {
    let host = ViewHost(
      phone: NavigationView {
        TabView {
          Color.red.navigationTitle("Red page").tabItem { Text("Red") }
          Color.blue.tabItem { Text("Blue") }.navigationTitle("Blue page")
          Color.green.tabItem { Text("Green") }
        }
      })
    #expect(host.texts == ["Red page"])
    host.activate("Blue")
    #expect(host.texts == ["Blue page"])
    host.activate("Green")
    #expect(host.texts == [])
    host.activate("Red")
    #expect(host.texts == ["Red page"])
  }

  @Test("a navigation view inside another keeps its title to itself")
  func nested() {
    let host = ViewHost(
      phone: NavigationView {
        NavigationView { Color.red.navigationTitle("Inner") }
      })
    #expect(host.texts == ["Inner"])
  }

  @Test("a large title scrolls away with the list below it and returns in the bar")
  func collapsing() throws {
    let host = ViewHost(phone: NavigationView { List(0..<50) { Text("row \($0)") }.navigationTitle("Rows") })
    let large = try #require(host.element(labeled: "Rows"))
    let first = try #require(host.element(labeled: "row 0"))
    #expect(large.frame.minX == 16)
    #expect(first.frame.minY > large.frame.maxY)
    let point = CGPoint(x: 200, y: 300)
    #expect(host.scroll(by: CGSize(width: 0, height: 20), at: point))
    #expect(host.element(labeled: "Rows")?.frame.minX == 16)
    #expect(host.element(labeled: "row 0")?.frame.minY == first.frame.minY - 20)
    #expect(host.scroll(by: CGSize(width: 0, height: 200), at: point))
    let small = try #require(host.element(labeled: "Rows"))
    #expect(abs(small.frame.midX - 195) <= 1)
    #expect(small.frame.height < 30)
    // What lies below the bar cannot be tapped through it, and the end can be reached.
    host.scroll(to: CGPoint(x: 0, y: 100_000), at: point)
    #expect(try #require(host.element(labeled: "row 49")).frame.maxY < 600)
    host.scroll(to: .zero, at: point)
    #expect(host.element(labeled: "Rows")?.frame == large.frame)
    #expect(host.element(labeled: "row 0")?.frame == first.frame)
  }

  // MARK: Links

  struct Rows: View {
    var journal = Journal()
    @State private var count = 0

    var body: some View {
      NavigationStack {
        VStack {
          NavigationLink("Open") { Detail(count: count, journal: journal) }
          Button("Add") { count += 1 }
        }
        .onAppear { journal.note("+root") }
        .onDisappear { journal.note("-root") }
        .navigationTitle("Root")
      }
    }
  }

  struct Detail: View {
    let count: Int
    let journal: Journal
    @Environment(\.dismiss) private var dismiss
    @State private var own = 0

    var body: some View {
      VStack {
        Text("Detail \(count) \(own)")
        Button("Own") { own += 1 }
        Button("Done") { dismiss() }
        NavigationLink("Deeper") { Text("bottom") }
      }
      .navigationTitle("Detail")
      .onAppear { journal.note("+detail") }
      .onDisappear { journal.note("-detail") }
    }
  }

  @Test("a link pushes a page with a way back; the page below disappears and keeps its state")
  func push() {
    let view = Rows()
    let host = ViewHost(phone: view)
    host.activate("Add")
    #expect(host.element(labeled: "Root", role: .button) == nil)
    #expect(host.activate("Open"))
    host.update()
    #expect(view.journal.take() == ["+root", "-root", "+detail"])
    host.advance(by: 1)
    #expect(host.texts.contains("Detail 1 0"))
    #expect(host.texts.contains("Detail"))
    #expect(host.element(labeled: "Root", role: .button) != nil)
    #expect(host.element(labeled: "Add") == nil)
    #expect(host.activate("Root"))
    host.update()
    host.advance(by: 1)
    host.update()
    #expect(host.texts == ["Root"])
    #expect(view.journal.take() == ["+root", "-detail"])
  }

  @Test("pages slide over one another; taps during the slide reach the page on top")
  func sliding() {
    let host = ViewHost(phone: Rows())
    host.activate("Open")
    host.update()
    #expect(host.isAnimating)
    host.advance(by: 0.1)
    #expect(!host.render().isEmptyPicture)
    #expect(host.activate("Own"))
    host.advance(by: 1)
    #expect(!host.isAnimating)
    #expect(host.texts.contains("Detail 0 1"))
  }

  @Test("dismiss goes back from a page, and from a deeper one to it")
  func dismissal() {
    let host = ViewHost(phone: Rows())
    host.activate("Open")
    host.activate("Deeper")
    host.advance(by: 1)
    #expect(host.texts.contains("bottom"))
    host.activate("Detail")
    host.advance(by: 1)
    host.activate("Done")
    host.advance(by: 1)
    #expect(host.texts == ["Root"])
  }

  @Test("a link outside of a navigation view is disabled")
  func orphan() {
    let host = ViewHost(phone: NavigationLink("Open") { Text("never") })
    #expect(host.element(labeled: "Open")?.isEnabled == false)
    #expect(!host.activate("Open"))
  }

  @Test("twenty pages deep and back")
  func deep() {
    struct Level: View {
      let level: Int
      var body: some View { NavigationLink("Down \(level)") { Level(level: level + 1) }.navigationTitle("L\(level)") }
    }
    let host = ViewHost(phone: NavigationStack { Level(level: 0) })
    for level in 0..<20 { #expect(host.activate("Down \(level)")) }
    host.advance(by: 1)
    for level in (0..<20).reversed() { #expect(host.activate("L\(level)")) }
    host.advance(by: 1)
    #expect(host.texts == ["L0"])
  }

  @Observable final class Model {
    var value = 0
  }

  @Test("what a page is given changes with the page below")
  func freshness() {
    struct Ticking: View {
      let model: Model
      @State private var seen = 0
      var body: some View {
        NavigationView {
          NavigationLink("Open") { Text("value \(model.value)") }
        }
      }
    }
    let model = Model()
    let host = ViewHost(phone: Ticking(model: model))
    host.activate("Open")
    host.advance(by: 1)
    model.value = 7
    #expect(host.texts == ["value 7"])
  }
}
