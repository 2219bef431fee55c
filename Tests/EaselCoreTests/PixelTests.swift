import EaselCore
import Pixels
import Testing

@MainActor @Suite("Pixels")
struct PixelTests {
  let red = Color(red: 1, green: 0, blue: 0)

  @Test("edges of a rectangle lie on whole pixels and nowhere else")
  func edges() {
    let picture = draw(red.frame(width: 4, height: 6), width: 10, height: 10)
    for y in 0..<10 {
      for x in 0..<10 {
        let isInside = (3..<7).contains(x) && (2..<8).contains(y)
        #expect(picture.rgb(x, y) == (isInside ? [255, 0, 0] : [255, 255, 255]), "\(x), \(y)")
      }
    }
  }

  @Test("an edge between pixels is moved to the nearest one")
  func snapping() {
    let picture = draw(red.frame(width: 5, height: 5), width: 10, height: 10)
    let colours = Set((0..<10).flatMap { y in (0..<10).map { picture.rgb($0, y) } })
    #expect(colours == [[255, 0, 0], [255, 255, 255]])
  }

  @Test("half opacity blends exactly", arguments: [0.25, 0.5, 0.75])
  func blending(opacity: Double) {
    let onWhite = Int((255 * (1 - opacity)).rounded())
    for picture in [
      draw(Color.black.opacity(opacity), width: 4, height: 4),
      draw(Color.black.frame(width: 4, height: 4).opacity(opacity), width: 4, height: 4),
      draw(
        ZStack {
          Color.white; Color.black
        }.opacity(opacity), width: 4, height: 4),
    ] {
      #expect(abs(Int(picture.rgb(2, 2)[1]) - onWhite) <= 1)
    }
  }

  @Test("a group fades as one: what it covers does not shine through")
  func group() {
    let stack = ZStack {
      red
      Color(red: 0, green: 0, blue: 1)
    }
    let picture = draw(stack.opacity(0.5), width: 4, height: 4)
    #expect(zip(picture.rgb(2, 2), [128, 128, 255]).allSatisfy { abs(Int($0) - $1) <= 1 })
  }

  @Test("a picture drawn at its own size is unchanged, pixel for pixel")
  func imageExact() {
    let bitmap = TestPictures.gradient(3, width: 16, height: 12)
    let picture = draw(Image(bitmap, scale: 2), width: 8, height: 6, scale: 2)
    for y in 0..<12 {
      for x in 0..<16 { #expect(picture.rgb(x, y) == bitmap.rgb(x, y)) }
    }
  }

  @Test("transparent pictures are blended by their premultiplied alpha")
  func imageAlpha() {
    // 50 % of pure green.
    let bitmap = TestPictures.plain(width: 4, height: 4, 0, 128, 0, 128)
    let picture = draw(Image(bitmap), width: 4, height: 4)
    #expect(zip(picture.rgb(1, 1), [127, 255, 127]).allSatisfy { abs(Int($0) - $1) <= 1 })
  }

  @Test("a reduced picture keeps the mean of what it stands for, to the last edge")
  func imageReduced() {
    let bitmap = Bitmap(size: PixelSize(width: 64, height: 64), isOpaque: true) { bytes in
      for pixel in 0..<(64 * 64) {
        let value: UInt8 = (pixel % 64 + pixel / 64).isMultiple(of: 2) ? 0 : 255
        for channel in 0..<3 { bytes[pixel * 4 + channel] = value }
        bytes[pixel * 4 + 3] = 255
      }
    }
    let picture = draw(Image(bitmap).resizable(), width: 8, height: 8)
    for y in 0..<8 {
      for x in 0..<8 { #expect(abs(Int(picture.rgb(x, y)[0]) - 128) < 24, "\(x), \(y)") }
    }
  }

  @Test("enlarging without interpolation keeps hard pixels")
  func imageNearest() {
    let bitmap = Bitmap(size: PixelSize(width: 2, height: 1), isOpaque: true) { bytes in
      bytes.copyBytes(from: [0, 0, 0, 255, 255, 255, 255, 255])
    }
    let picture = draw(Image(bitmap).resizable().interpolation(.none), width: 8, height: 4)
    #expect(picture.rgb(3, 1) == [0, 0, 0])
    #expect(picture.rgb(4, 1) == [255, 255, 255])
  }

  @Test("a circle cuts the corners and keeps the middle")
  func clip() {
    let picture = draw(red.clipShape(Circle()), width: 20, height: 20)
    #expect(picture.rgb(0, 0) == [255, 255, 255])
    #expect(picture.rgb(10, 10) == [255, 0, 0])
    #expect(picture.rgb(10, 1) == [255, 0, 0])
    // A pixel is inside where its centre is nearer than the radius.
    var inside = 0
    for y in 0..<20 { for x in 0..<20 where picture.rgb(x, y)[1] < 128 { inside += 1 } }
    #expect(abs(Double(inside) - .pi * 100) < 8)
  }

  @Test("a template image is drawn in the foreground colour")
  func template() {
    let bitmap = TestPictures.plain(width: 4, height: 4, 10, 20, 30, 255)
    let view = Image(bitmap).renderingMode(.template).foregroundColor(red)
    #expect(draw(view, width: 4, height: 4).rgb(2, 2) == [255, 0, 0])
  }

  @Test("a gradient runs from its first colour to its last")
  func gradient() {
    let view = LinearGradient(
      colors: [Color.black, Color.white], startPoint: .leading, endPoint: .trailing)
    let picture = draw(view, width: 100, height: 4)
    #expect(picture.rgb(0, 1)[0] < 4)
    #expect(abs(Int(picture.rgb(50, 1)[0]) - 128) < 3)
    #expect(picture.rgb(99, 1)[0] > 251)
  }

  @Test("a shadow lies outside and fades")
  func shadow() {
    let picture = draw(Color.white.frame(width: 20, height: 20).shadow(color: .black, radius: 4), width: 50, height: 50)
    #expect(picture.rgb(25, 25) == [255, 255, 255])
    let line = (36..<50).map { Int(picture.rgb($0, 25)[0]) }
    #expect(line[0] < 200)
    #expect(line.last == 255)
    #expect(zip(line, line.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test("rotation turns about the centre, clockwise")
  func rotation() {
    let view = HStack(spacing: 0) {
      red
      Color(red: 0, green: 0, blue: 1)
    }
    .rotationEffect(.degrees(90))
    let picture = draw(view, width: 20, height: 20)
    #expect(picture.rgb(10, 2) == [255, 0, 0])
    #expect(picture.rgb(10, 17) == [0, 0, 255])
  }

  @Test("the same view gives the same pixels every time")
  func deterministic() {
    let view = VStack {
      Text("Same")
      Image(systemName: "star")
      ProgressView()
    }
    let first = draw(view, width: 80, height: 90, scale: 2)
    let second = draw(view, width: 80, height: 90, scale: 2)
    let isSame = first.withUnsafeBytes { one in second.withUnsafeBytes { other in one.elementsEqual(other) } }
    #expect(isSame)
  }

  @Test("an image renderer draws a view at its own size on nothing")
  func imageRenderer() {
    let renderer = ImageRenderer(content: Circle().fill(red).frame(width: 10, height: 10).padding(5))
    renderer.scale = 2
    let bitmap = renderer.bitmap
    #expect(bitmap?.size == PixelSize(width: 40, height: 40))
    #expect(bitmap.map { $0[1, 1].alpha } == 0)
    #expect(bitmap.map { $0.rgb(20, 20) } == [255, 0, 0])
    renderer.proposedSize = ProposedViewSize(width: 33, height: nil)
    renderer.content = Circle().fill(red).frame(width: 10, height: 10).padding(5)
    #expect(renderer.bitmap?.size == PixelSize(width: 40, height: 40))
  }
}
