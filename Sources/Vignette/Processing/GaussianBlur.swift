import Foundation
import ImageCodecs
import Pixels

/// One Gaussian blur of one bitmap, premultiplied values as they are stored (gamma space).
///
/// From a standard deviation of 6 pixels on the picture is first reduced by a whole factor to block averages, so that 3 to
/// 6 are left, and enlarged linearly in the end; the variances of block and enlargement are taken off the Gaussian's, and
/// what they do to its shape is below 0.0003 of it. So the work for each pixel is bounded, and memory is a few dozen rows.
/// Invariants: blocks and rows of blocks are numbered from 0; number 0 and the last one are not of the picture but its
/// edge going on. Rows are blurred across in order, each once.
final class GaussianBlur {
  private let bitmap: Bitmap
  private let context: ProcessorContext
  /// Pixels in a block, each way.
  private let factor: Int
  /// The kernel's middle and one of its halves; all of it adds up to 1.
  private let weights: [Float]
  private var reach: Int { weights.count - 1 }
  private let blocks: PixelSize

  /// Block averages of one row, with `reach` repetitions of the outermost on either side.
  private let padded: ScratchMemory<SIMD4<Float>>
  /// Rows blurred across, one after the other in a ring.
  private let ring: ScratchMemory<SIMD4<Float>>
  private let ringRows: Int
  private var rowsBlurredAcross = 0
  /// Two neighbouring rows blurred both ways, and their mixture.
  private let finished: ScratchMemory<SIMD4<Float>>
  private var finishedNumbers = [-1, -1]
  private let mixture: ScratchMemory<SIMD4<Float>>

  /// - Parameter deviation: in pixels, above 0 and at most `ImageProcessor.maximumBlurRadius`.
  init(_ bitmap: Bitmap, deviation: Double, _ context: ProcessorContext) throws {
    self.bitmap = bitmap
    self.context = context
    let factor = max(1, Int(deviation / 3))
    self.factor = factor
    weights = Self.weights(deviation: Self.deviationLeft(of: deviation, factor: factor))
    let size = bitmap.size
    blocks = PixelSize(
      width: (size.width + factor - 1) / factor + 2, height: (size.height + factor - 1) / factor + 2)
    ringRows = min(blocks.height, 2 * weights.count - 1)
    padded = try ScratchMemory(count: blocks.width + 2 * (weights.count - 1))
    ring = try ScratchMemory(count: blocks.width * ringRows)
    finished = try ScratchMemory(count: blocks.width * 2)
    mixture = try ScratchMemory(count: blocks.width)
  }

  /// The standard deviation in blocks that block averages and linear enlargement leave to the Gaussian.
  private static func deviationLeft(of deviation: Double, factor: Int) -> Double {
    guard factor > 1 else { return deviation }
    let square = Double(factor * factor)
    let average = (square - 1) / 12
    // The triangle's variance, which depends on whether pixels lie on the middles of blocks.
    let enlargement = factor % 2 == 0 ? (square + 0.5) / 6 : (square - 1) / 6
    return ((deviation * deviation - average - enlargement) / square).squareRoot()
  }

  private static func weights(deviation: Double) -> [Float] {
    let reach = Int((deviation * 3.5).rounded(.up))
    let values = (0...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
    let sum = values[0] + 2 * values.dropFirst().reduce(0, +)
    return values.map { Float($0 / sum) }
  }

  func blurred() throws -> Bitmap {
    let isOpaque = bitmap.isOpaque
    return try Bitmap.rows(of: bitmap.size, isOpaque: isOpaque, context) { y, row in
      // The middle of the pixel row, in halves of pixels from the middle of the row of blocks numbered 0.
      let (upper, rest) = (2 * y + 1 + self.factor).quotientAndRemainder(dividingBy: 2 * self.factor)
      try self.mixRows(upper, share: Float(rest) / Float(2 * self.factor))
      self.enlarge(into: row, isOpaque: isOpaque)
    }
  }

  // MARK: Up and down

  /// Writes the rows of blocks `upper` and the next one to `mixture`, the latter with `share`.
  private func mixRows(_ upper: Int, share: Float) throws {
    let one = try blurredRow(upper)
    let other = try blurredRow(min(upper + 1, blocks.height - 1))
    let mixture = mixture.start
    for x in 0..<blocks.width { mixture[x] = one[x] + (other[x] - one[x]) * share }
  }

  /// A row of blocks blurred both ways; it stays where it is until the one after the next is asked for.
  private func blurredRow(_ number: Int) throws -> UnsafeMutablePointer<SIMD4<Float>> {
    let target = finished.start + number % 2 * blocks.width
    guard finishedNumbers[number % 2] != number else { return target }
    while rowsBlurredAcross <= min(number + reach, blocks.height - 1) { try blurNextRowAcross() }
    let middle = rowAcross(number)
    let width = blocks.width
    for x in 0..<width { target[x] = middle[x] * weights[0] }
    for distance in 1..<weights.count {
      let (above, below, weight) = (rowAcross(number - distance), rowAcross(number + distance), weights[distance])
      for x in 0..<width { target[x] += (above[x] + below[x]) * weight }
    }
    finishedNumbers[number % 2] = number
    return target
  }

  private func rowAcross(_ number: Int) -> UnsafeMutablePointer<SIMD4<Float>> {
    ring.start + min(max(number, 0), blocks.height - 1) % ringRows * blocks.width
  }

  // MARK: Across

  private func blurNextRowAcross() throws {
    try averageRows(of: rowsBlurredAcross)
    let line = padded.start + reach
    for x in 1...reach {
      line[-x] = line[0]
      line[blocks.width - 1 + x] = line[blocks.width - 1]
    }
    let target = ring.start + rowsBlurredAcross % ringRows * blocks.width
    weights.withUnsafeBufferPointer { weights in
      for x in 0..<blocks.width {
        var sum = line[x] * weights[0]
        for distance in 1..<weights.count { sum += (line[x - distance] + line[x + distance]) * weights[distance] }
        target[x] = sum
      }
    }
    rowsBlurredAcross += 1
  }

  /// Writes the block averages of a row of blocks to `padded`.
  private func averageRows(of number: Int) throws {
    let line = padded.start + reach
    for x in 0..<blocks.width { line[x] = .zero }
    let height = bitmap.size.height
    let first = min(max(number - 1, 0) * factor, height - 1)
    // Before and behind the picture its outermost row stands for all; so does the last one for what a block lacks.
    let isEdge = number == 0 || number == blocks.height - 1
    let rows = isEdge ? (number == 0 ? 0..<1 : height - 1..<height) : first..<min(first + factor, height)
    for y in rows {
      try context.checkCancellation()
      let repetitions = y == rows.upperBound - 1 ? factor - rows.count + 1 : 1
      addRow(y, times: Float(repetitions) / Float(factor * factor), to: line)
    }
  }

  /// Adds the sums over each block's part of a pixel row.
  private func addRow(_ y: Int, times weight: Float, to line: UnsafeMutablePointer<SIMD4<Float>>) {
    bitmap.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      let row = start + y * bitmap.bytesPerRow
      let (width, whole) = (bitmap.size.width, bitmap.size.width / factor)
      for block in 0..<whole {
        line[block + 1] += Self.sum(row + block * factor * 4, count: factor) * weight
      }
      let last = Self.sum(row + (width - 1) * 4, count: 1)
      if whole * factor < width {
        let rest = width - whole * factor
        let lacking = last * Float(factor - rest)
        line[whole + 1] += (Self.sum(row + whole * factor * 4, count: rest) + lacking) * weight
      }
      line[0] += Self.sum(row, count: 1) * Float(factor) * weight
      line[blocks.width - 1] += last * Float(factor) * weight
    }
  }

  @inline(__always)
  private static func sum(_ pixels: UnsafePointer<UInt8>, count: Int) -> SIMD4<Float> {
    var sum = SIMD4<UInt32>.zero
    for x in 0..<count {
      let pixel = pixels + x &* 4
      sum &+= SIMD4(UInt32(pixel[0]), UInt32(pixel[1]), UInt32(pixel[2]), UInt32(pixel[3]))
    }
    return SIMD4<Float>(sum)
  }

  // MARK: Back to pixels

  /// Enlarges `mixture` to a row of pixels.
  private func enlarge(into row: UnsafeMutablePointer<UInt8>, isOpaque: Bool) {
    let mixture = mixture.start
    let step = 2 * factor
    var (block, rest) = (1 + factor).quotientAndRemainder(dividingBy: step)
    let scale = 1 / Float(step)
    var pixel = row
    for _ in 0..<bitmap.size.width {
      let one = mixture[block]
      Self.write(one + (mixture[block + 1] - one) * (Float(rest) * scale), to: pixel, isOpaque: isOpaque)
      pixel += 4
      rest += 2
      if rest >= step { (block, rest) = (block + 1, rest - step) }
    }
  }

  @inline(__always)
  private static func write(_ value: SIMD4<Float>, to pixel: UnsafeMutablePointer<UInt8>, isOpaque: Bool) {
    // Sums of non-negative values: only rounding can bring a colour above its alpha, and cutting off half a level more
    // rounds to nearest.
    let alpha = isOpaque ? 255 : UInt8(min(255, value.w + 0.5))
    pixel[0] = min(alpha, UInt8(min(255, value.x + 0.5)))
    pixel[1] = min(alpha, UInt8(min(255, value.y + 0.5)))
    pixel[2] = min(alpha, UInt8(min(255, value.z + 0.5)))
    pixel[3] = alpha
  }
}
