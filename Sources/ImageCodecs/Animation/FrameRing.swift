import Pixels

/// The frames last given out, as many as a number of bytes has room for; a new one takes the place of the oldest.
struct FrameRing {
  private let maximumBytes: Int
  private var bitmaps: [Int: Bitmap] = [:]
  /// Of the frames kept, in the order in which they came.
  private var numbers: [Int] = []
  private var byteCount = 0

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  var count: Int { bitmaps.count }

  subscript(number: Int) -> Bitmap? { bitmaps[number] }

  /// - Parameter number: of a frame that is not kept.
  mutating func keep(_ bitmap: Bitmap, _ number: Int) {
    guard bitmap.byteCount <= maximumBytes else { return }
    byteCount += bitmap.byteCount
    while byteCount > maximumBytes, let oldest = bitmaps.removeValue(forKey: numbers.removeFirst()) {
      byteCount -= oldest.byteCount
    }
    bitmaps[number] = bitmap
    numbers.append(number)
  }
}
