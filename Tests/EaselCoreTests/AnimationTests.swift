import EaselCore
import Pixels
import Testing

@MainActor @Suite("Animation")
struct AnimationTests {
  /// A black square on white whose look follows one value; the pixel at the centre tells how far it is.
  struct Fading: View {
    @State var isOn = false
    var animation: Animation? = .linear(duration: 1)

    var body: some View {
      Color.black.opacity(isOn ? 0 : 1)
        .onTapGesture { withAnimation(animation) { isOn.toggle() } }
    }
  }

  let size = CGSize(width: 10, height: 10)

  func grey(_ host: ViewHost) -> Int { Int(host.render().rgb(5, 5)[0]) }

  @Test("opacity moves with the clock and stops at its end")
  func opacity() {
    struct Parent: View {
      @State var isOn = false
      var body: some View {
        Rectangle().fill(Color.black).opacity(isOn ? 0 : 1)
          .overlay {
            Color.clear.contentShape(Rectangle()).onTapGesture { withAnimation(.linear(duration: 1)) { isOn.toggle() } }
          }
      }
    }
    let host = ViewHost(Parent(), size: size)
    #expect(grey(host) == 0)
    #expect(host.tap(at: CGPoint(x: 5, y: 5)))
    #expect(grey(host) == 0)
    #expect(host.isAnimating)
    host.advance(by: 0.25)
    #expect(abs(grey(host) - 64) <= 1)
    host.advance(by: 0.5)
    #expect(abs(grey(host) - 191) <= 1)
    host.advance(by: 0.25)
    #expect(grey(host) == 255)
    #expect(!host.isAnimating)
  }

  @Test("a change without animation is immediate")
  func immediate() {
    let host = ViewHost(Fading(animation: nil), size: size)
    host.tap(at: CGPoint(x: 5, y: 5))
    #expect(grey(host) == 255)
    #expect(!host.isAnimating)
  }

  @Test("an interrupted animation goes on from where it is")
  func interruption() {
    struct Parent: View {
      @State var x: CGFloat = 0
      var body: some View {
        Color.black.frame(width: 10, height: 10).accessibilityLabel("box").offset(x: x)
          .onAppear {}
        Button("go") { withAnimation(.linear(duration: 1)) { x = 100 } }
        Button("back") { withAnimation(.linear(duration: 1)) { x = 0 } }
      }
    }
    let host = ViewHost(VStack(alignment: .leading) { Parent() }, size: CGSize(width: 200, height: 120))
    host.activate("go")
    host.update()
    host.advance(by: 0.5)
    host.activate("back")
    host.update()
    host.advance(by: 0.5)
    // Half of the way back from 50.
    let picture = host.render()
    let row = (0..<120).first { y in (0..<200).contains { picture.rgb($0, y) == [0, 0, 0] } } ?? 0
    let first = (0..<200).first { picture.rgb($0, row) == [0, 0, 0] } ?? -1
    let start = Int((frames(in: host)["box"] ?? .zero).minX)
    #expect(abs(first - start - 25) <= 1)
  }

  @Test("repeatForever with autoreverse swings and never ends")
  func repeatForever() {
    struct Pulse: View {
      @State var isOn = false
      var body: some View {
        Color.black.opacity(isOn ? 0 : 1)
          .onAppear { withAnimation(.linear(duration: 1).repeatForever()) { isOn = true } }
      }
    }
    struct Parent: View {
      var body: some View { ZStack { Pulse() } }
    }
    let host = ViewHost(Parent(), size: size)
    var seen: [Int] = []
    for _ in 0..<9 {
      seen.append(grey(host))
      host.advance(by: 0.5)
    }
    let expected = [0, 128, 255, 128, 0, 128, 255, 128, 0]
    #expect(zip(seen, expected).allSatisfy { abs($0 - $1) <= 1 }, "\(seen)")
    #expect(host.isAnimating)
    host.unmount()
  }

  @Test("delay, speed and repeat counts")
  func variations() {
    struct Parent: View {
      let animation: Animation
      @State var isOn = false
      var body: some View {
        ZStack { Color.black.opacity(isOn ? 0 : 1).onAppear { withAnimation(animation) { isOn = true } } }
      }
    }
    func values(_ animation: Animation, at times: [Double]) -> [Int] {
      let host = ViewHost(Parent(animation: animation), size: size)
      host.update()
      return times.map { time in
        host.advance(to: time)
        return grey(host)
      }
    }
    let linear = Animation.linear(duration: 1)
    #expect(values(linear.delay(1), at: [0.5, 1, 1.5, 2]).map { ($0 + 1) / 64 } == [0, 0, 2, 4])
    #expect(values(linear.speed(2), at: [0.25, 0.5]).map { ($0 + 1) / 64 } == [2, 4])
    #expect(
      values(linear.repeatCount(3, autoreverses: false), at: [0.5, 1.5, 2.5, 3.5]).map { ($0 + 1) / 64 } == [
        2, 2, 2, 4,
      ])
    // However the runs end, the value that was set is what stays.
    #expect(values(linear.repeatCount(2), at: [0.5, 1.5, 2.5]).map { ($0 + 1) / 64 } == [2, 2, 4])
  }

  @Test("ease-in-out is slow at both ends and half way in the middle; springs settle")
  func curves() {
    struct Parent: View {
      let animation: Animation
      @State var isOn = false
      var body: some View {
        ZStack { Color.black.opacity(isOn ? 0 : 1).onAppear { withAnimation(animation) { isOn = true } } }
      }
    }
    func value(_ animation: Animation, at time: Double) -> Int {
      let host = ViewHost(Parent(animation: animation), size: size)
      host.update()
      host.advance(to: time)
      return grey(host)
    }
    // cubic-bezier(0.42, 0, 0.58, 1) at 0.25 is 0.1292, at 0.5 exactly a half.
    #expect(abs(value(.easeInOut(duration: 1), at: 0.25) - 33) <= 1)
    #expect(abs(value(.easeInOut(duration: 1), at: 0.5) - 128) <= 1)
    #expect(value(.easeIn(duration: 1), at: 0.5) < 100)
    #expect(value(.easeOut(duration: 1), at: 0.5) > 155)
    #expect(value(.default, at: 2) == 255)
    #expect(value(.spring(response: 0.5, dampingFraction: 0.5), at: 5) == 255)
  }

  @Test("animation(_:value:) animates only changes of its value")
  func scoped() {
    struct Parent: View {
      @State var watched = 0
      @State var other = 0
      var body: some View {
        VStack(spacing: 0) {
          Color.black.opacity(watched == 0 && other == 0 ? 1 : 0).frame(height: 10)
            .animation(.linear(duration: 1), value: watched)
          Button("watched") { watched += 1 }
          Button("other") { other += 1 }
        }
      }
    }
    let one = ViewHost(Parent(), size: CGSize(width: 100, height: 100))
    one.activate("watched")
    one.update()
    #expect(one.isAnimating)
    let other = ViewHost(Parent(), size: CGSize(width: 100, height: 100))
    other.activate("other")
    other.update()
    other.advance(by: 0.3)
    #expect(!other.isAnimating)
  }

  @Test("an animation does not leak into a task made inside it")
  func taskDoesNotInherit() async {
    struct Parent: View {
      @State var isOn = false
      var body: some View {
        Color.black.opacity(isOn ? 0 : 1)
          .onAppear {
            withAnimation(.linear(duration: 1)) { _ = Task { isOn = true } }
          }
      }
    }
    let host = ViewHost(ZStack { Parent() }, size: size)
    host.update()
    #expect(await eventually { host.needsFrame })
    #expect(grey(host) == 255)
  }

  struct Switching: View {
    @State var isOn = false
    var transition = AnyTransition.opacity

    var body: some View {
      ZStack {
        if isOn {
          Color(red: 1, green: 0, blue: 0).transition(transition)
        } else {
          Color(red: 0, green: 0, blue: 1).transition(transition)
        }
        Button("switch") { withAnimation(.linear(duration: 1)) { isOn.toggle() } }
          .buttonStyle(.plain).opacity(0.011)
      }
    }
  }

  @Test("switched views cross-fade by default, both on the screen on the way")
  func crossFade() {
    let host = ViewHost(Switching(), size: CGSize(width: 60, height: 60))
    #expect(host.render().rgb(1, 1) == [0, 0, 255])
    host.activate("switch")
    host.update()
    host.advance(by: 0.5)
    // Blue at a half on white, then red at a half on that.
    let middle = host.render().rgb(1, 1)
    #expect(zip(middle, [191, 64, 128]).allSatisfy { abs(Int($0) - $1) <= 2 }, "\(middle)")
    host.advance(by: 0.5)
    #expect(host.render().rgb(1, 1) == [255, 0, 0])
    #expect(!host.isAnimating)
  }

  @Test("a move goes in from its edge and leaves by it")
  func move() {
    let host = ViewHost(Switching(transition: .move(edge: .bottom)), size: CGSize(width: 60, height: 60))
    host.activate("switch")
    host.update()
    host.advance(by: 0.5)
    let picture = host.render()
    #expect(picture.rgb(1, 10) == [255, 255, 255])
    #expect(picture.rgb(1, 50) == [255, 0, 0])
  }

  @Test("a scale grows about the centre; identity is immediate; combinations combine")
  func otherTransitions() {
    let scale = ViewHost(
      Switching(transition: .asymmetric(insertion: .scale, removal: .identity)), size: CGSize(width: 60, height: 60))
    scale.activate("switch")
    scale.update()
    scale.advance(by: 0.5)
    let picture = scale.render()
    #expect(picture.rgb(1, 1) == [0, 0, 255])
    #expect(picture.rgb(17, 17) == [255, 0, 0])
    let both = ViewHost(
      Switching(transition: .asymmetric(insertion: .opacity.combined(with: .slide), removal: .opacity)),
      size: CGSize(width: 60, height: 60))
    both.activate("switch")
    both.update()
    both.advance(by: 0.5)
    let mixed = both.render()
    #expect(mixed.rgb(45, 5)[0] < 160)
    #expect(mixed.rgb(5, 5)[0] > 160)
  }

  @Test("what changes while it leaves still leaves; what is called off goes back from where it is")
  func changesWhileLeaving() {
    struct Inner: View {
      @Binding var phase: Int
      var body: some View {
        if phase == 0 { Text("zero") } else { Text("one") }
      }
    }
    struct Parent: View {
      @State var isShown = true
      @State var phase = 0
      var body: some View {
        VStack {
          if isShown { Inner(phase: $phase) }
          Button("toggle") { withAnimation(.linear(duration: 1)) { isShown.toggle() } }
          Button("phase") { phase += 1 }
        }
      }
    }
    let host = ViewHost(Parent(), size: CGSize(width: 100, height: 120))
    host.activate("toggle")
    host.update()
    host.advance(by: 0.5)
    host.activate("phase")
    #expect(host.accessibilityTree().map(\.label) == ["toggle", "phase"])
    host.advance(by: 0.6)
    #expect(host.accessibilityTree().map(\.label) == ["toggle", "phase"])
    #expect(!host.isAnimating)
    let blank = host.render()
    host.activate("toggle")
    host.update()
    host.advance(by: 0.5)
    host.activate("toggle")
    host.update()
    _ = host.render()
    host.advance(by: 1.1)
    let after = host.render()
    let isSame = blank.withUnsafeBytes { one in after.withUnsafeBytes { other in one.elementsEqual(other) } }
    #expect(isSame)
    #expect(!host.isAnimating)
  }

  @Test("an endless animation ends with its view")
  func endlessEnds() {
    struct Pulse: View {
      @State var isOn = false
      var body: some View {
        Color.black.opacity(isOn ? 0.5 : 1).padding(1)
          .scaleEffect(isOn ? 2 : 1)
          .onAppear { withAnimation(.linear(duration: 1).repeatForever()) { isOn = true } }
      }
    }
    struct Parent: View {
      @State var isShown = true
      var body: some View {
        VStack {
          if isShown { Pulse() }
          Button("fade") { withAnimation(.linear(duration: 1)) { isShown.toggle() } }
          Button("cut") { isShown.toggle() }
        }
      }
    }
    let host = ViewHost(Parent(), size: CGSize(width: 60, height: 90))
    host.update()
    #expect(host.isAnimating)
    host.activate("cut")
    host.advance(by: 1)
    host.update()
    #expect(!host.isAnimating)
    host.activate("cut")
    host.update()
    host.activate("fade")
    host.update()
    host.advance(by: 0.5)
    #expect(host.isAnimating)
    host.advance(by: 0.6)
    host.update()
    #expect(!host.isAnimating)
  }

  @Test("what leaves has disappeared only when it has left, and a spinner never settles")
  func departure() {
    let journal = Journal()
    struct Parent: View {
      let journal: Journal
      @State var isOn = true
      var body: some View {
        VStack {
          if isOn { ProgressView().onDisappear { journal.note("gone") } }
          Button("hide") { withAnimation(.linear(duration: 1)) { isOn = false } }
        }
      }
    }
    let host = ViewHost(Parent(journal: journal), size: CGSize(width: 60, height: 60))
    _ = host.render()
    #expect(host.isAnimating)
    host.activate("hide")
    host.update()
    host.advance(by: 0.5)
    host.update()
    #expect(journal.entries == [])
    host.advance(by: 0.6)
    _ = host.render()
    #expect(journal.entries == ["gone"])
    #expect(!host.isAnimating)
  }
}
