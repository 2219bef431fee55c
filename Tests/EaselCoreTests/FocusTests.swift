import EaselCore
import Pixels
import Testing

@MainActor @Suite("The keyboard's focus")
struct FocusTests {
  private let size = CGSize(width: 200, height: 200)

  @Test("the focus goes through the enabled controls in reading order, round and round, and back")
  func order() {
    let view = VStack {
      Button("first") {}
      Text("between")
      Button("off") {}.disabled(true)
      Toggle("second", isOn: .constant(true))
    }
    let host = ViewHost(view, size: size)
    #expect(host.focusedElement == nil)
    var seen: [String] = []
    for _ in 0..<3 {
      #expect(host.moveFocus(.next))
      seen.append(host.focusedElement?.label ?? "")
    }
    #expect(seen == ["first", "second", "first"])
    #expect(host.moveFocus(.previous))
    #expect(host.focusedElement?.label == "second")
  }

  @Test("backwards, the last control comes first")
  func backwards() {
    let host = ViewHost(
      VStack {
        Button("first") {}; Button("last") {}
      }, size: size)
    #expect(host.moveFocus(.previous))
    #expect(host.focusedElement?.label == "last")
  }

  @Test("where there is nothing to reach, nothing has the focus")
  func nothing() {
    let host = ViewHost(Text("only words"), size: size)
    #expect(!host.moveFocus(.next))
    #expect(!host.activateFocus())
    #expect(host.contextMenuOfFocus().isEmpty)
  }

  @Test("activating does what a tap does")
  func activation() {
    let journal = Journal()
    let host = ViewHost(Button("press") { journal.note("pressed") }, size: size)
    #expect(!host.activateFocus())
    host.moveFocus(.next)
    #expect(host.activateFocus())
    #expect(journal.take() == ["pressed"])
  }

  @Test("an element can be activated by its identity, which leaves the focus alone; what cannot be pressed is refused")
  func activatesByIdentity() throws {
    let journal = Journal()
    let host = ViewHost(
      VStack {
        Button("one") { journal.note("one") }
        Button("two") { journal.note("two") }
        Button("off") { journal.note("off") }.disabled(true)
        Color.red.accessibilityLabel("picture").contextMenu { Button("entry") { journal.note("entry") } }
      }, size: CGSize(width: 200, height: 300))
    func id(_ label: String) -> AccessibilityElement.ID? { host.element(labeled: label)?.id }
    host.moveFocus(.next)
    #expect(host.activate(try #require(id("two"))))
    #expect(host.focusedElement?.label == "one")
    #expect(host.activate(try #require(id("off"))) == false)
    if let picture = id("picture") { #expect(host.activate(picture) == false) }
    #expect(journal.take() == ["two"])
  }

  @Test("a press with the pointer takes the focus away")
  func pointer() {
    let host = ViewHost(Button("press") {}, size: size)
    host.moveFocus(.next)
    host.tap(at: CGPoint(x: 1, y: 1))
    #expect(host.focusedElement == nil)
  }

  @Test("what has the focus is scrolled into view")
  func scrolledIntoView() throws {
    let view = ScrollView {
      VStack(spacing: 0) {
        Color.red.frame(height: 180)
        Button("below") {}.frame(height: 60)
        Color.red.frame(height: 400)
      }
    }
    let host = ViewHost(view, size: size)
    #expect(host.moveFocus(.next))
    let frame = try #require(host.focusedElement).frame
    #expect(frame.minY >= 0 && frame.maxY <= size.height)
  }

  @Test("the focus goes on to rows beyond the edge, and leaves the list at its end")
  func beyondTheEdge() {
    let view = VStack(spacing: 0) {
      ScrollView {
        LazyVStack(spacing: 0) {
          ForEach(0..<30) { row in
            Button(action: {}) { Color.red.frame(height: 60) }.accessibilityLabel("row \(row)")
          }
        }
      }
      Button("after") {}
    }
    let host = ViewHost(view, size: size)
    var seen: [String] = []
    for _ in 0..<31 {
      host.moveFocus(.next)
      seen.append(host.focusedElement?.label ?? "")
    }
    #expect(seen == (0..<30).map { "row \($0)" } + ["after"])
    host.moveFocus(.previous)
    #expect(host.focusedElement?.label == "row 29")
    host.moveFocus(.previous)
    #expect(host.focusedElement?.label == "row 28")
  }

  @Test("a list with nothing more to reach is left as it was")
  func nothingBeyond() {
    let view = VStack(spacing: 0) {
      ScrollView {
        Button("only") {}
        Color.red.frame(height: 2_000)
      }
      Button("after") {}
    }
    let host = ViewHost(view, size: size)
    host.moveFocus(.next)
    let offset = host.scrollOffset(at: CGPoint(x: 100, y: 50))
    host.moveFocus(.next)
    #expect(host.focusedElement?.label == "after")
    #expect(host.scrollOffset(at: CGPoint(x: 100, y: 50)) == offset)
  }

  @Test("a ring is drawn around what has the focus, and inside its scroll view only")
  func ring() {
    let view = VStack(spacing: 0) {
      ScrollView { Button(action: {}) { Color.green.frame(width: 100, height: 300) } }.frame(height: 100)
      Color.white.frame(height: 100)
    }
    let host = ViewHost(view, size: size)
    let before = host.render()
    host.moveFocus(.next)
    let after = host.render()
    let changed = changedRows(before, after)
    #expect(!changed.isEmpty)
    #expect(changed.allSatisfy { $0 <= 102 })
    host.focus(nil)
    #expect(changedRows(before, host.render()).isEmpty)
  }

  private func changedRows(_ one: Bitmap, _ other: Bitmap) -> [Int] {
    (0..<one.size.height).filter { y in (0..<one.size.width).contains { one.rgb($0, y) != other.rgb($0, y) } }
  }

  @Test("a control that goes away gives the focus up")
  func departure() {
    let host = ViewHost(Vanishing(), size: size)
    host.moveFocus(.next)
    #expect(host.activateFocus())
    _ = host.render()
    #expect(host.focusedElement == nil)
  }

  @Test("a picture with a menu can be reached, and its menu asked for")
  func menu() throws {
    let journal = Journal()
    let view = Color.red.accessibilityLabel("picture").contextMenu { Button("Open") { journal.note("open") } }
    let host = ViewHost(view, size: size)
    let element = try #require(host.element(labeled: "picture"))
    #expect(element.hasContextMenu && element.isFocusable)
    host.moveFocus(.next)
    #expect(!host.activateFocus())
    let items = host.contextMenuOfFocus()
    #expect(items.map(\.label) == ["Open"])
    items.first?.activate()
    #expect(journal.take() == ["open"])
  }

  @Test("a cancelled press is no tap")
  func cancelled() {
    let journal = Journal()
    let host = ViewHost(Button("press") { journal.note("pressed") }, size: size)
    host.pointerDown(at: CGPoint(x: 100, y: 100))
    host.pointerCancelled()
    #expect(!host.pointerUp(at: CGPoint(x: 100, y: 100)))
    #expect(journal.take().isEmpty)
  }
}

/// A button that takes itself away.
private struct Vanishing: View {
  @State private var isThere = true

  var body: some View {
    if isThere {
      Button("leave") { isThere = false }
    } else {
      Text("gone")
    }
  }
}

@MainActor @Suite("Drawing into memory")
struct MemoryDrawingTests {
  @Test("memory gets the pixels of the window, blue first", arguments: [1.0, 2.0])
  func pixels(scale: Double) {
    let view = VStack {
      Text("Words"); Color.orange.frame(width: 20, height: 10)
    }
    let host = ViewHost(view, size: CGSize(width: 60, height: 40), scale: scale)
    let picture = host.render()
    let (width, height) = (picture.size.width, picture.size.height)
    var memory = [UInt8](repeating: 7, count: (width * 4 + 8) * height)
    let drawn = memory.withUnsafeMutableBytes {
      host.draw(into: $0, bytesPerRow: width * 4 + 8, pixelSize: picture.size)
    }
    #expect(drawn)
    for y in 0..<height {
      for x in 0..<width {
        let at = y * (width * 4 + 8) + x * 4
        let pixel = picture[x, y]
        #expect(
          [memory[at + 2], memory[at + 1], memory[at], memory[at + 3]] == [
            pixel.red, pixel.green, pixel.blue, pixel.alpha,
          ])
      }
    }
  }

  @Test(
    "memory that does not hold the picture is refused",
    arguments: [(16, 4, 5), (16, 5, 4), (15, 4, 4), (12, 4, 4), (0, 0, 0), (40_000 * 4, 40_000, 1)])
  func refusal(bytesPerRow: Int, width: Int, height: Int) {
    let host = ViewHost(Color.red, size: CGSize(width: 4, height: 4))
    var memory = [UInt8](repeating: 7, count: 64)
    let drawn = memory.withUnsafeMutableBytes {
      host.draw(into: $0, bytesPerRow: bytesPerRow, pixelSize: PixelSize(width: width, height: height))
    }
    #expect(!drawn)
    #expect(memory.allSatisfy { $0 == 7 })
  }
}
