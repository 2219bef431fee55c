import EaselCore
import Testing

@MainActor @Suite("Layout")
struct LayoutTests {
  let box = Color.red

  @Test("a fixed frame is centred in the window")
  func fixedFrame() {
    let frames = frames(box.frame(width: 40, height: 20).named("a"))
    #expect(frames["a"] == CGRect(x: 30, y: 40, width: 40, height: 20))
  }

  @Test("a colour takes what it is offered, and 10 points where nothing is offered")
  func colour() {
    #expect(frames(box.named("a"))["a"] == CGRect(x: 0, y: 0, width: 100, height: 100))
    #expect(frames(box.fixedSize().named("a"))["a"]?.size == CGSize(width: 10, height: 10))
  }

  @Test("equal shares of a stack, 8 points apart")
  func equalShares() {
    let frames = frames(
      HStack {
        box.named("a")
        box.named("b")
        box.named("c")
      }, in: CGSize(width: 116, height: 50))
    let width: CGFloat = (116 - 16) / 3
    #expect(frames["a"]?.width == width)
    #expect(abs((frames["b"]?.minX ?? 0) - (width + 8)) < 1e-9)
    #expect(abs((frames["c"]?.maxX ?? 0) - 116) < 1e-9)
  }

  @Test("the inflexible child is served first")
  func inflexibleFirst() {
    let frames = frames(
      HStack(spacing: 0) {
        box.named("a")
        box.frame(width: 70).named("b")
      })
    #expect(frames["a"]?.width == 30)
    #expect(frames["b"] == CGRect(x: 30, y: 0, width: 70, height: 100))
  }

  @Test("a spacer takes what the others leave and is at least 8 points")
  func spacer() {
    let wide = frames(
      HStack(spacing: 0) {
        box.frame(width: 30).named("a")
        Spacer()
        box.frame(width: 30).named("b")
      })
    #expect(wide["b"]?.minX == 70)
    let narrow = frames(
      HStack(spacing: 0) {
        box.frame(width: 60).named("a")
        Spacer()
        box.frame(width: 60).named("b")
      })
    // 128 points in a window of 100 hang over evenly on both sides.
    #expect(narrow["a"]?.minX == -14)
    #expect(narrow["b"]?.maxX == 114)
  }

  @Test("a child of higher layout priority takes all but the minimum of the others")
  func priority() {
    let frames = frames(
      HStack(spacing: 0) {
        box.frame(minWidth: 20).named("a")
        box.layoutPriority(1).named("b")
      })
    #expect(frames["a"]?.width == 20)
    #expect(frames["b"]?.width == 80)
  }

  @Test(
    "stacks align across their axis",
    arguments: [(HorizontalAlignment.leading, CGFloat(0)), (.center, 20), (.trailing, 40)])
  func alignment(alignment: HorizontalAlignment, x: CGFloat) {
    let frames = frames(
      VStack(alignment: alignment) {
        box.frame(width: 80, height: 10).named("wide")
        box.frame(width: 40, height: 10).named("narrow")
      })
    #expect((frames["narrow"]?.minX ?? -1) - (frames["wide"]?.minX ?? 0) == x)
  }

  @Test("padding insets the offer and adds to the answer")
  func padding() {
    let frames = frames(box.named("in").padding(.horizontal, 10).padding(.top, 5).named("out"))
    #expect(frames["out"] == CGRect(x: 0, y: 0, width: 100, height: 100))
    let inner = ViewHost(
      box.named("in").padding(EdgeInsets(top: 5, leading: 10, bottom: 0, trailing: 20)),
      size: CGSize(width: 100, height: 100))
    #expect(EaselCoreTests.frames(in: inner)["in"] == CGRect(x: 10, y: 5, width: 70, height: 95))
  }

  @Test("padding without a length is 16 points")
  func defaultPadding() {
    #expect(frames(box.named("in").padding())["in"] == CGRect(x: 16, y: 16, width: 68, height: 68))
  }

  @Test("maxWidth: .infinity takes the offer and aligns its child")
  func flexibleFrame() {
    let frames = frames(
      box.frame(width: 10, height: 10).named("in").frame(
        maxWidth: .infinity, maxHeight: .infinity, alignment: .bottomTrailing))
    #expect(frames["in"] == CGRect(x: 90, y: 90, width: 10, height: 10))
  }

  @Test("minimum and maximum clamp the offer")
  func limits() {
    #expect(frames(box.frame(minWidth: 150).named("a"))["a"]?.width == 150)
    #expect(frames(box.frame(maxWidth: 60).named("a"))["a"]?.width == 60)
    #expect(frames(box.frame(minWidth: 20, maxWidth: 60).named("a"))["a"]?.width == 60)
    let ideal = frames(box.frame(idealWidth: 33, idealHeight: 44).fixedSize().named("a"))
    #expect(ideal["a"]?.size == CGSize(width: 33, height: 44))
  }

  @Test("a minimum alone lets a small child stay at the minimum")
  func minimumAlone() {
    let view = box.frame(width: 10, height: 10).frame(minWidth: 50).named("a")
    #expect(frames(view)["a"]?.width == 50)
    #expect(frames(box.frame(width: 70, height: 10).frame(minWidth: 50).named("a"))["a"]?.width == 70)
  }

  @Test("an image keeps its ratio within the offer, or covers it")
  func aspectRatio() {
    let image = Image(TestPictures.plain(width: 200, height: 100, 0, 0, 0, 255)).resizable()
    #expect(frames(image.scaledToFit().named("a"))["a"] == CGRect(x: 0, y: 25, width: 100, height: 50))
    #expect(frames(image.scaledToFill().named("a"))["a"] == CGRect(x: -50, y: 0, width: 200, height: 100))
    #expect(frames(box.aspectRatio(0.5, contentMode: .fit).named("a"))["a"]?.size == CGSize(width: 50, height: 100))
  }

  @Test("an image is pixels / scale points large until it is made resizable")
  func imageSize() {
    let bitmap = TestPictures.plain(width: 60, height: 40, 0, 0, 0, 255)
    #expect(frames(Image(bitmap, scale: 2).named("a"))["a"]?.size == CGSize(width: 30, height: 20))
    #expect(frames(Image(bitmap, scale: 2).resizable().named("a"))["a"]?.size == CGSize(width: 100, height: 100))
    let stated = Image(bitmap, size: CGSize(width: 90, height: 60))
    #expect(frames(stated.named("a"))["a"]?.size == CGSize(width: 90, height: 60))
  }

  @Test("overlay and background take the size of what they are attached to")
  func layers() {
    let view = box.frame(width: 40, height: 40).named("main")
      .overlay(alignment: .topTrailing) { Color.blue.frame(width: 10, height: 10).named("badge") }
      .background(Color.green.named("behind"))
    let frames = frames(view)
    #expect(frames["badge"] == CGRect(x: 60, y: 30, width: 10, height: 10))
    #expect(frames["behind"] == frames["main"])
  }

  @Test("offset moves the drawing and not the layout")
  func offset() {
    let frames = frames(
      VStack(spacing: 0) {
        box.frame(width: 10, height: 10).named("a").offset(x: 5, y: 7)
        box.frame(width: 10, height: 10).named("b")
      })
    #expect(frames["a"]?.origin == CGPoint(x: 50, y: 47))
    #expect(frames["b"]?.origin == CGPoint(x: 45, y: 50))
  }

  @Test("a geometry reader knows its size in the first frame")
  func geometryReader() {
    let host = ViewHost(
      GeometryReader { proxy in
        Text("\(Int(proxy.size.width))x\(Int(proxy.size.height))")
        Text("second").offset(y: 0)
      }
      .padding(10), size: CGSize(width: 100, height: 60))
    #expect(host.element(labeled: "80x40") != nil)
    host.size = CGSize(width: 200, height: 60)
    #expect(host.element(labeled: "180x40") != nil)
  }

  struct Recorder: Layout {
    let record: @Sendable (ProposedViewSize) -> Void

    func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) -> CGSize {
      subviews.first?.sizeThatFits(proposal) ?? .zero
    }

    func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) {
      record(proposal)
      subviews.first?.place(at: bounds.origin, proposal: proposal)
    }
  }

  @Test("a custom layout is placed with the proposal that counts, and again when it changes")
  func customLayout() {
    let seen = Seen()
    let view = Recorder(record: { seen.add($0) })(content)
      .frame(height: 30)
      .padding(10)
    let host = ViewHost(view, size: CGSize(width: 100, height: 100))
    host.update()
    #expect(seen.take() == [ProposedViewSize(width: 80, height: 30)])
    host.update()
    #expect(seen.take() == [])
    host.size = CGSize(width: 60, height: 100)
    host.update()
    #expect(seen.take() == [ProposedViewSize(width: 40, height: 30)])
  }

  @ViewBuilder func content() -> some View { Color.red }

  final class Seen: @unchecked Sendable {
    // guard: used on the main actor only.
    private var proposals: [ProposedViewSize] = []
    func add(_ proposal: ProposedViewSize) { proposals.append(proposal) }
    func take() -> [ProposedViewSize] {
      defer { proposals = [] }
      return proposals
    }
  }

  @Test("text takes only the width of its lines and wraps in what it is offered")
  func text() {
    let wide = frames(Text("Short"), in: CGSize(width: 300, height: 100))["Short"]
    #expect((wide?.width ?? 0) > 30 && (wide?.width ?? 0) < 60)
    let long = "Several words that do not fit on one line"
    let wrapped = frames(Text(long), in: CGSize(width: 120, height: 400))[long]
    let line = wide?.height ?? 0
    #expect((wrapped?.width ?? 999) <= 120)
    #expect(((wrapped?.height ?? 0) / line).rounded() == 3)
    let limited = frames(Text(long).lineLimit(1), in: CGSize(width: 120, height: 400))[long]
    #expect(limited?.height == line)
  }

  @Test("interpolated texts format their values")
  func interpolation() {
    let host = ViewHost(
      Text("\(1.0 / 3, specifier: "%.2f") of \(3) \(Text("parts"))"), size: CGSize(width: 300, height: 50))
    #expect(host.element(labeled: "0.33 of 3 parts") != nil)
  }

  @Test("baselines of different sizes meet")
  func baselines() {
    let frames = frames(
      HStack(alignment: .firstTextBaseline, spacing: 0) {
        Text("Big").font(.system(size: 40))
        Text("small").font(.system(size: 10))
      }, in: CGSize(width: 300, height: 100))
    let big = frames["Big"] ?? .zero
    let small = frames["small"] ?? .zero
    // Inter's baseline lies at 0.969 of the size below the top.
    let bigBaseline = big.minY + 40 * 0.969
    let smallBaseline = small.minY + 10 * 0.969
    #expect(abs(bigBaseline - smallBaseline) < 1.5)
    #expect(small.minY > big.minY + 20)
  }
}
