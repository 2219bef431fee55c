import Pixels
import Testing

@Suite("Orientation")
struct OrientationTests {
  @Test("has the eight values of EXIF, and no others")
  func values() {
    #expect(Orientation.allCases.map(\.rawValue) == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(Orientation(rawValue: 0) == nil)
    #expect(Orientation(rawValue: 9) == nil)
  }

  @Test("exchanges the axes from 5 on, and doing it twice changes nothing", arguments: Orientation.allCases)
  func axes(orientation: Orientation) {
    let size = PixelSize(width: 4, height: 3)
    #expect(size.oriented(orientation) == (orientation.rawValue >= 5 ? PixelSize(width: 3, height: 4) : size))
    #expect(size.oriented(orientation).oriented(orientation) == size)
  }
}
