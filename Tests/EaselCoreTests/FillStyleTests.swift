import EaselCore
import Pixels
import Testing

@MainActor @Suite("Fill styles")
struct FillStyleTests {
  /// Two squares, one within the other, both wound the same way.
  private let nested = Path { path in
    path.addRect(CGRect(x: 0, y: 0, width: 12, height: 12))
    path.addRect(CGRect(x: 4, y: 4, width: 4, height: 4))
  }

  /// A diagonal edge.
  private let triangle = Path { path in
    path.addLines([CGPoint(x: 0, y: 0), CGPoint(x: 12, y: 0), CGPoint(x: 0, y: 9)])
    path.closeSubpath()
  }

  private let red = Color(red: 1, green: 0, blue: 0)

  private func reds(_ view: some View) -> (full: Int, part: Int) {
    let picture = draw(view, width: 12, height: 12)
    let greens = (0..<12).flatMap { y in (0..<12).map { picture.rgb($0, y)[1] } }
    return (greens.count { $0 == 0 }, greens.count { $0 != 0 && $0 != 255 })
  }

  @Test("the even-odd rule leaves a hole where the winding rule does not, in fills and in clips")
  func evenOdd() {
    let style = FillStyle(eoFill: true)
    #expect(reds(nested.fill(red)).full == 144)
    #expect(reds(nested.fill(red, style: style)).full == 128)
    #expect(reds(red.clipShape(nested)).full == 144)
    #expect(reds(red.clipShape(nested, style: style)).full == 128)
  }

  @Test("a rule lasts for its own fill or clip only")
  func noLeak() {
    let view = ZStack {
      Color.clear.overlay(nested.fill(.white, style: FillStyle(eoFill: true)))
      red.clipShape(nested)
    }
    #expect(reds(view).full == 144)
  }

  @Test("without antialiasing no pixel is covered in part, in fills and in clips")
  func antialiasing() {
    let style = FillStyle(antialiased: false)
    #expect(reds(triangle.fill(red)).part > 0)
    #expect(reds(triangle.fill(red, style: style)).part == 0)
    #expect(reds(triangle.fill(red, style: style)).full > 0)
    #expect(reds(red.clipShape(triangle)).part > 0)
    #expect(reds(red.clipShape(triangle, style: style)).part == 0)
  }
}
