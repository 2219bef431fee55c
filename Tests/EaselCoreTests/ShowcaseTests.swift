import EaselCore
import Pixels
import Testing

/// Whole screens, for looking at; the assertions only make sure that they were drawn.
@MainActor @Suite("Showcase")
struct ShowcaseTests {
  struct Placeholder: View {
    @Environment(\.colorScheme) var colorScheme
    @State private var isAnimating = false

    var body: some View {
      ZStack {
        colorScheme == .light ? Color.black.opacity(0.3) : Color.white.opacity(0.3)
        ProgressView()
      }
      .opacity(isAnimating ? 0.5 : 1)
      .onAppear {
        withAnimation(Animation.easeInOut(duration: 0.8).repeatForever()) { isAnimating = true }
      }
      .onDisappear { isAnimating = false }
    }
  }

  struct Row: View {
    let number: Int

    var body: some View {
      HStack(spacing: 12) {
        Group {
          if number % 4 == 3 {
            Placeholder()
          } else {
            Image(TestPictures.gradient(number)).resizable().scaledToFill()
          }
        }
        .frame(width: 96, height: 64)
        .clipShape(RoundedRectangle(cornerRadius: 12))
        VStack(alignment: .leading, spacing: 2) {
          Text("Picture number \(number)").font(.headline)
          Text("A short line of detail — ünïcödé 日本, which is too long to fit and is cut")
            .font(.subheadline).foregroundColor(.secondary).lineLimit(2)
        }
        Spacer()
        Button(action: {}) { Image(systemName: "heart") }
      }
      .padding(.horizontal)
    }
  }

  struct Gallery: View {
    var body: some View {
      VStack(spacing: 0) {
        HStack {
          Text("Pictures").font(.largeTitle).bold()
          Spacer()
          Image(TestPictures.gradient(5)).resizable().scaledToFill().frame(width: 36, height: 36).clipShape(Circle())
        }
        .padding()
        Divider()
        ScrollView {
          LazyVStack(spacing: 14) {
            ForEach(0..<1000) { Row(number: $0) }
          }
          .padding(.vertical, 12)
        }
      }
    }
  }

  @Test("a list of pictures, light and dark, at both scales", arguments: [1, 2])
  func gallery(scale: Int) {
    let host = ViewHost(Gallery(), size: CGSize(width: 390, height: 600), scale: CGFloat(scale))
    let light = host.render()
    PNGWriter.write(light, "gallery-light-\(scale)x")
    #expect(host.scroll(by: CGSize(width: 0, height: 5000), at: CGPoint(x: 200, y: 300)))
    host.advance(by: 0.4)
    PNGWriter.write(host.render(), "gallery-scrolled-\(scale)x")
    host.colorScheme = .dark
    let dark = host.render()
    PNGWriter.write(dark, "gallery-dark-\(scale)x")
    #expect(light.size == PixelSize(width: 390 * scale, height: 600 * scale))
    #expect(light[2, 2] == (255, 255, 255, 255))
    #expect(dark[2, 2] == (0, 0, 0, 255))
  }

  struct Controls: View {
    var body: some View {
      VStack(alignment: .leading, spacing: 14) {
        Text("Large title").font(.largeTitle).bold()
        Text("Title").font(.title)
        Text("Title 2").font(.title2)
        Text("Title 3").font(.title3)
        Text("Headline").font(.headline)
        Text("Body, **plain** text that goes on for more than one line and is wrapped where it must be.")
        Text("Caption ").font(.caption).foregroundColor(.secondary) + Text("bold").font(.caption).bold()
        HStack {
          Button("Plain") {}.buttonStyle(.plain)
          Button("Automatic") {}
          Button("Bordered") {}.buttonStyle(.bordered)
          Button("Prominent") {}.buttonStyle(.borderedProminent)
        }
        HStack {
          Button("Delete", role: .destructive) {}
          Button("Off") {}.buttonStyle(.bordered).disabled(true)
          Button("Off") {}.buttonStyle(.borderedProminent).disabled(true)
          ProgressView()
        }
        ProgressView("Loading", value: 0.4)
        HStack(spacing: 10) {
          Rectangle().fill(.red).frame(width: 40, height: 40)
          RoundedRectangle(cornerRadius: 12).fill(.orange).frame(width: 40, height: 40)
          Circle().stroke(.green, lineWidth: 3).frame(width: 40, height: 40)
          Capsule().strokeBorder(.blue, lineWidth: 2).frame(width: 60, height: 30)
          LinearGradient(colors: [.purple, .pink], startPoint: .topLeading, endPoint: .bottomTrailing)
            .frame(width: 40, height: 40).cornerRadius(8)
          Color.teal.frame(width: 30, height: 30).rotationEffect(.degrees(20)).shadow(radius: 4, y: 2)
          Ellipse().fill(.indigo).frame(width: 40, height: 24)
        }
        Divider()
        Text("Redacted text of some length").redacted(reason: .placeholder)
        Text("Card").padding().background(
          Color.secondarySystemBackgroundForTests, in: RoundedRectangle(cornerRadius: 12)
        )
        .shadow(color: .black.opacity(0.2), radius: 6, y: 3)
      }
      .padding()
    }
  }

  @Test("texts, buttons and shapes", arguments: [ColorScheme.light, .dark])
  func controls(scheme: ColorScheme) {
    let host = ViewHost(Controls(), size: CGSize(width: 420, height: 720), scale: 2)
    host.colorScheme = scheme
    PNGWriter.write(host.render(), "controls-\(scheme)")
    #expect(host.diagnostics.isEmpty)
  }
}

extension Color {
  fileprivate static let secondarySystemBackgroundForTests = Color(white: 0.97)
}

@MainActor @Suite("Symbols")
struct SymbolTests {
  static let names = [
    "photo", "exclamationmark.triangle", "arrow.clockwise", "gearshape", "bolt", "bolt.fill", "flame", "flame.fill",
    "leaf", "leaf.fill", "house", "star", "heart", "magnifyingglass", "xmark", "checkmark", "chevron.left",
    "chevron.right", "plus", "trash", "wifi.slash", "square.and.arrow.down", "moon", "sun.max", "person",
    "list.bullet", "ellipsis", "info.circle", "globe", "pawprint", "bird", "hare", "photo.fill", "house.fill",
    "star.fill", "heart.fill", "person.fill", "pawprint.fill", "bird.fill", "hare.fill", "checkmark.circle.fill",
    "xmark.circle.fill", "exclamationmark.triangle.fill", "info.circle.fill", "moon.fill", "wifi", "icloud.slash",
    "tortoise", "fish", "camera", "link", "bell", "eye.slash", "no.such.symbol",
  ]

  @Test("every symbol draws something")
  func sheet() {
    let sheet = VStack(spacing: 10) {
      ForEach(0..<7) { row in
        HStack(spacing: 14) {
          ForEach(0..<8) { column in
            if row * 8 + column < Self.names.count { Image(systemName: Self.names[row * 8 + column]).font(.title) }
          }
        }
      }
    }
    let host = ViewHost(sheet, size: CGSize(width: 420, height: 360), scale: 2)
    PNGWriter.write(host.render(), "symbols")
    for name in Self.names {
      let host = ViewHost(Image(systemName: name), size: CGSize(width: 24, height: 24))
      let picture = host.render()
      let dark = (0..<24).contains { y in (0..<24).contains { x in picture[x, y].red < 128 } }
      #expect(dark, "\(name)")
    }
  }
}
