import Pixels
import Testing

@Suite("Bitmap")
struct BitmapTests {
  private let size = PixelSize(width: 3, height: 2)

  private func counting() -> Bitmap {
    Bitmap(size: size) { bytes in
      for index in bytes.indices { bytes[index] = UInt8(index) }
    }
  }

  @Test("gives back what was filled in")
  func pixels() {
    let bitmap = counting()
    #expect(bitmap[0, 0] == (0, 1, 2, 3))
    #expect(bitmap[2, 1] == (20, 21, 22, 23))
    #expect(bitmap.byteCount == 24)
    #expect(bitmap.bytesPerRow == 12)
  }

  @Test("is transparent black outside the picture", arguments: [(-1, 0), (0, -1), (3, 0), (0, 2), (Int.max, Int.min)])
  func outside(x: Int, y: Int) {
    #expect(counting()[x, y] == (0, 0, 0, 0))
  }

  @Test("begins as transparent black")
  func zeroed() {
    let bitmap = Bitmap(size: size) { _ in }
    #expect(bitmap.withUnsafeBytes { $0.allSatisfy { $0 == 0 } })
  }

  @Test("shares its memory between copies, and only between copies")
  func identity() {
    let bitmap = counting()
    let copy = bitmap
    #expect(bitmap.isIdentical(to: copy))
    #expect(!bitmap.isIdentical(to: counting()))
  }

  @Test("passes on the error of its filling")
  func fillingFails() {
    struct Failure: Error {}
    #expect(throws: Failure.self) { try Bitmap(size: size) { _ in throw Failure() } }
  }

  @Test("is empty when it has no pixels or there is no memory for them")
  func empty() {
    for size in [PixelSize.zero, PixelSize(width: 5, height: 0), PixelSize(width: .max, height: .max)] {
      let bitmap = Bitmap(size: size) { #expect($0.isEmpty) }
      #expect(bitmap.size == .zero)
      #expect(bitmap.byteCount == 0)
      #expect(bitmap[0, 0] == (0, 0, 0, 0))
    }
  }

  @Test("is found by a weak handle with the same memory while somebody holds it")
  func weakHandle() throws {
    let bitmap = counting()
    let weak = Bitmap.Weak(bitmap)
    let found = try #require(weak.bitmap)
    #expect(found.size == size)
    #expect(found[2, 1] == (20, 21, 22, 23))
    #expect(found.isIdentical(to: bitmap))
    withExtendedLifetime(bitmap) {}
  }

  @Test("is let go of by a weak handle")
  func weakHandleLetsGo() {
    let handle = Bitmap.Weak(counting())
    #expect(handle.bitmap == nil)
    #expect(handle.size == size)
  }

  @Test("knows whether somebody else holds it")
  func uniquelyHeld() {
    var bitmap = counting()
    let weak = Bitmap.Weak(bitmap)
    #expect(bitmap.isUniquelyHeld() == true)
    let copy = bitmap
    #expect(bitmap.isUniquelyHeld() == false)
    withExtendedLifetime((copy, weak)) {}
  }
}
