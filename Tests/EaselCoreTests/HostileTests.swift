import EaselCore
import Pixels
import Testing

@MainActor @Suite("Hostile views")
struct HostileTests {
  let size = CGSize(width: 200, height: 200)

  @Test("10,000 nested views are cut, reported once, and the rest is drawn")
  func deep() {
    var view = AnyView(Text("innermost"))
    for _ in 0..<10_000 { view = AnyView(VStack { view }) }
    let host = ViewHost(
      VStack {
        view
        Text("beside")
      }, size: size)
    #expect(host.element(labeled: "beside") != nil)
    #expect(host.element(labeled: "innermost") == nil)
    #expect(host.diagnostics == [.tooDeep(limit: 1_000)])
    _ = host.render()
  }

  @Test("a view that contains itself is cut")
  func recursive() {
    struct Endless: View {
      var body: some View {
        VStack {
          Text("x")
          AnyView(Endless())
        }
        .padding(0.1)
      }
    }
    let host = ViewHost(Endless(), size: size)
    #expect(host.diagnostics == [.tooDeep(limit: 1_000)])
    _ = host.render()
  }

  @Test("a deep tree that is within the limit is laid out and drawn")
  func deepEnough() {
    var view = AnyView(Text("innermost"))
    for _ in 0..<240 { view = AnyView(HStack { view }.padding(0).opacity(0.999)) }
    let host = ViewHost(view, size: size)
    _ = host.render()
    #expect(host.element(labeled: "innermost") != nil)
    #expect(host.diagnostics.isEmpty)
  }

  @Test(
    "lengths that are no numbers, negative or infinite do no harm",
    arguments: [
      CGFloat.nan, -.infinity, .infinity, -5, 1e300, 0,
    ])
  func lengths(length: CGFloat) {
    let view = VStack(spacing: length) {
      Color.red.frame(width: length, height: length)
      Color.red.frame(minWidth: length, maxWidth: length)
      Color.red.padding(length)
      Text("x").padding(.leading, length).offset(x: length, y: length)
      Circle().stroke(.red, lineWidth: length)
      RoundedRectangle(cornerRadius: length).fill(.blue)
      Color.red.scaleEffect(length).rotationEffect(.radians(length)).opacity(length)
      Color.red.shadow(radius: length).aspectRatio(length, contentMode: .fit)
      Color.red.position(x: length, y: length)
      ProgressView(value: Double(length))
      Text("y").font(.system(size: length)).lineSpacing(length)
      Text("z").kerning(length)
      GeometryReader { _ in Color.red.frame(width: length) }
      ScrollView { LazyVStack(spacing: length) { ForEach(0..<10) { _ in Color.red.frame(height: length) } } }
      LazyVGrid(columns: [GridItem(.adaptive(minimum: length)), GridItem(.fixed(length))]) {
        ForEach(0..<5) { _ in Color.red }
      }
    }
    let host = ViewHost(view, size: size)
    _ = host.render()
    host.tap(at: CGPoint(x: length, y: length))
    host.scroll(by: CGSize(width: length, height: length), at: CGPoint(x: 100, y: 100))
    host.size = CGSize(width: length, height: 100)
    _ = host.render()
  }

  @Test("windows of no size or too large a size give an empty picture")
  func windows() {
    for size in [CGSize.zero, CGSize(width: -1, height: 10), CGSize(width: 1e9, height: 1e9)] {
      let host = ViewHost(Color.red, size: size)
      #expect(host.render().size.isEmpty)
    }
  }

  @Test("state that is set in every body is bounded and reported")
  func endlessState() {
    struct Restless: View {
      @State var count = 0
      var body: some View {
        Text("\(count)").onChange(of: count, initial: true) { count += 1 }
      }
    }
    let host = ViewHost(Restless(), size: size)
    host.update()
    #expect(host.diagnostics.contains { if case .unsettled = $0 { true } else { false } })
    #expect(host.needsFrame)
  }

  @Test("duplicate identifiers show every element and are reported", arguments: [false, true])
  func duplicates(isLazy: Bool) {
    let names = ["a", "b", "a", "a"]
    let rows = ForEach(names, id: \.self) { Text($0) }
    let view = AnyView(isLazy ? AnyView(ScrollView { LazyVStack { rows } }) : AnyView(VStack { rows }))
    let host = ViewHost(view, size: size)
    #expect(host.accessibilityTree().map(\.label) == names)
    #expect(host.diagnostics == [.duplicateIdentifier("a")])
  }

  @Test("data that changes while rows are on the screen never reads beyond its end")
  func shrinking() {
    struct Parent: View {
      @State var count = 100
      var body: some View {
        VStack {
          Button("shrink") { count = count / 3 }
          ScrollView { LazyVStack { ForEach(0..<count, id: \.self) { Text("row \($0)") } } }
        }
      }
    }
    let host = ViewHost(Parent(), size: size)
    host.scroll(to: CGPoint(x: 0, y: 1e9), at: CGPoint(x: 100, y: 150))
    for _ in 0..<6 {
      host.activate("shrink")
      _ = host.render()
    }
    #expect(host.accessibilityTree().map(\.label) == ["shrink"])
  }

  @Test("a row source that shrinks behind a binding keeps its last values")
  func bindingRows() {
    struct Parent: View {
      @State var names = ["a", "b", "c"]
      var body: some View {
        VStack {
          ForEach($names, id: \.self) { $name in Text(name) }
          Button("clear") { names = [] }
        }
      }
    }
    let host = ViewHost(Parent(), size: size)
    #expect(host.accessibilityTree().count == 4)
    host.activate("clear")
    #expect(host.accessibilityTree().map(\.label) == ["clear"])
  }

  @Test("very long and odd texts are drawn")
  func texts() {
    let odd = ["", "\u{0}\u{1}", String(repeating: "long ", count: 20_000), "👩‍👩‍👧‍👦🏳️‍🌈", "\n\n\n", "\u{202E}abc", "e\u{301}"]
    for text in odd {
      let host = ViewHost(Text(verbatim: text).lineLimit(3), size: size)
      _ = host.render()
    }
  }

  @Test(
    "a megabyte of text is cut, and drawn in bounded time", .timeLimit(.minutes(10)),
    arguments: ["x", "a\n", "\u{2067}a\u{2069}"], [nil, 1])
  func endlessText(unit: String, lineLimit: Int?) {
    let text = String(repeating: unit, count: (1 << 20) / unit.utf8.count)
    let host = ViewHost(Text(verbatim: text).lineLimit(lineLimit), size: size)
    #expect(host.accessibilityTree().map(\.label.utf8.count) == [text.utf8.count])
    _ = host.render()
  }

  @Test("a thousand children in one stack")
  func wide() {
    let host = ViewHost(VStack(spacing: 0) { ForEach(0..<1_000) { Text("\($0)") } }, size: size)
    #expect(host.accessibilityTree().count == 1_000)
    _ = host.render()
  }
}
