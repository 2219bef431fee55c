import EaselCore
import Pixels
import Testing

@MainActor @Suite("Taps and accessibility")
struct InteractionTests {
  @Test("the front-most control answers, a disabled one swallows the tap")
  func frontMost() {
    let journal = Journal()
    let view = ZStack {
      Button("behind") { journal.note("behind") }.frame(width: 100, height: 100).contentShape(Rectangle())
      Button("front") { journal.note("front") }
      Button("off") { journal.note("off") }.disabled(true).offset(y: 40)
    }
    let host = ViewHost(view, size: CGSize(width: 100, height: 100))
    #expect(host.tap(at: CGPoint(x: 50, y: 50)))
    #expect(!host.tap(at: CGPoint(x: 50, y: 90)))
    #expect(!host.activate("off"))
    #expect(journal.take() == ["front"])
  }

  @Test("a tap gesture answers only where something is drawn")
  func drawn() {
    let journal = Journal()
    let view = VStack(spacing: 40) {
      Color.red.frame(width: 20, height: 20)
      Color.red.frame(width: 20, height: 20)
    }
    .onTapGesture { journal.note("tap") }
    let host = ViewHost(view, size: CGSize(width: 100, height: 100))
    #expect(host.tap(at: CGPoint(x: 50, y: 20)))
    #expect(!host.tap(at: CGPoint(x: 50, y: 50)))
    #expect(!host.tap(at: CGPoint(x: 5, y: 5)))
  }

  @Test("hidden, transparent and untouchable views let taps through")
  func through() {
    let journal = Journal()
    let view = ZStack {
      Color.red.onTapGesture { journal.note("behind") }
      Color.blue.opacity(0)
      Color.blue.hidden()
      Color.blue.allowsHitTesting(false)
    }
    ViewHost(view, size: CGSize(width: 100, height: 100)).tap(at: CGPoint(x: 50, y: 50))
    #expect(journal.take() == ["behind"])
  }

  @Test("a press shows while it lasts and counts only when it ends inside")
  func press() {
    let journal = Journal()
    struct Style: ButtonStyle {
      func makeBody(configuration: Configuration) -> some View {
        configuration.label.accessibilityLabel(configuration.isPressed ? "pressed" : "released")
      }
    }
    let host = ViewHost(
      Button("x") { journal.note("action") }.buttonStyle(Style()), size: CGSize(width: 100, height: 100))
    host.pointerDown(at: CGPoint(x: 50, y: 50))
    #expect(host.element(labeled: "pressed") != nil)
    #expect(!host.pointerUp(at: CGPoint(x: 0, y: 0)))
    #expect(host.element(labeled: "released") != nil)
    host.tap(at: CGPoint(x: 50, y: 50))
    #expect(journal.take() == ["action"])
  }

  @Test("taps find what is scrolled and scaled")
  func transformed() {
    let journal = Journal()
    let view = ScrollView {
      VStack(spacing: 0) {
        ForEach(0..<20) { row in Color.red.frame(height: 50).onTapGesture { journal.note("\(row)") } }
      }
    }
    let host = ViewHost(view, size: CGSize(width: 100, height: 100))
    host.scroll(by: CGSize(width: 0, height: 120), at: CGPoint(x: 50, y: 50))
    host.tap(at: CGPoint(x: 50, y: 10))
    #expect(journal.take() == ["2"])
    let scaled = ViewHost(
      Color.red.frame(width: 10, height: 10).onTapGesture { journal.note("scaled") }.scaleEffect(5),
      size: CGSize(width: 100, height: 100))
    scaled.tap(at: CGPoint(x: 30, y: 70))
    #expect(journal.take() == ["scaled"])
  }

  @Test("the tree says role, label, place and state, in reading order")
  func tree() {
    let bitmap = TestPictures.plain(width: 10, height: 10, 0, 0, 0, 255)
    let view = VStack(spacing: 0) {
      Text("Title")
      Image(bitmap)
      Image(bitmap, label: Text("A picture"))
      Button {
      } label: {
        HStack {
          Image(systemName: "heart")
          Text("Like")
        }
      }
      Button("Off") {}.disabled(true)
      ProgressView()
      ProgressView(value: 0.25)
      Text("secret").accessibilityHidden(true)
      Color.red.accessibilityLabel("Swatch")
    }
    let tree = ViewHost(view, size: CGSize(width: 200, height: 400)).accessibilityTree()
    #expect(tree.map(\.role) == [.text, .image, .button, .button, .progress, .progress, .image])
    #expect(tree.map(\.label) == ["Title", "A picture", "Heart, Like", "Off", "In progress", "Progress", "Swatch"])
    #expect(tree.map(\.isEnabled) == [true, true, true, false, true, true, true])
    #expect(tree[5].value == "25%")
    #expect(zip(tree, tree.dropFirst()).allSatisfy { $0.frame.minY <= $1.frame.minY })
  }
}
