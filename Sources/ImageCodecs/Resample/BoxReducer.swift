import Pixels

/// Averages blocks of `factor` pixels as rows come in, which cheaply takes off most of a large reduction.
///
/// The last block of a row, and the last block of rows, may be smaller than the others. Sums are kept in 16 bits:
/// 255 × `maximumFactor` just fits. Unsafe: rows must hold `input.width` pixels.
final class BoxReducer {
  static let maximumFactor = 256

  /// The number of input pixels in a block, each way.
  let factor: PixelSize
  let output: PixelSize
  private let input: PixelSize
  private let sums: ScratchMemory<UInt16>
  private var rowsInBlock = 0
  private var rowsSeen = 0

  init(input: PixelSize, factor: PixelSize) throws {
    self.input = input
    self.factor = factor
    output = PixelSize(
      width: (input.width + factor.width - 1) / factor.width,
      height: (input.height + factor.height - 1) / factor.height)
    sums = try ScratchMemory(count: input.width * 4)
  }

  /// Takes the next row; when it completes a block, writes `output.width` averages to `line` and answers `true`.
  func push(_ row: UnsafePointer<UInt8>, into line: UnsafeMutablePointer<SIMD4<Float>>) -> Bool {
    add(row)
    rowsInBlock += 1
    rowsSeen += 1
    guard rowsInBlock == factor.height || rowsSeen == input.height else { return false }
    average(into: line)
    rowsInBlock = 0
    return true
  }

  private func add(_ row: UnsafePointer<UInt8>) {
    let sums = sums.start
    let count = input.width &* 4
    if rowsInBlock == 0 {
      for index in 0..<count { sums[index] = UInt16(row[index]) }
    } else {
      for index in 0..<count { sums[index] &+= UInt16(row[index]) }
    }
  }

  private func average(into line: UnsafeMutablePointer<SIMD4<Float>>) {
    let whole = input.width / factor.width
    let scale = 1 / Float(factor.width * rowsInBlock)
    let block = factor.width &* 4
    for x in 0..<whole { line[x] = sum(from: x &* block, count: factor.width) * scale }
    let rest = input.width - whole * factor.width
    if rest > 0 { line[whole] = sum(from: whole * block, count: rest) / Float(rest * rowsInBlock) }
  }

  @inline(__always)
  private func sum(from start: Int, count: Int) -> SIMD4<Float> {
    let sums = sums.start
    var red: UInt32 = 0
    var green: UInt32 = 0
    var blue: UInt32 = 0
    var alpha: UInt32 = 0
    var at = start
    for _ in 0..<count {
      red &+= UInt32(sums[at])
      green &+= UInt32(sums[at &+ 1])
      blue &+= UInt32(sums[at &+ 2])
      alpha &+= UInt32(sums[at &+ 3])
      at &+= 4
    }
    return SIMD4(Float(red), Float(green), Float(blue), Float(alpha))
  }
}
