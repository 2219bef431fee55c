import Pixels

/// Scales a picture as its rows come in: whole-number box averages while four times the output's size is left, then
/// Lanczos3 across and down.
///
/// Four times, because that is within 52 dB of Lanczos3 over every pixel even where a photo is sharp to the pixel. Twice
/// would be 47 dB, and save 10 ms of a picture of 12 megapixels.
///
/// Works on premultiplied values as they are stored (gamma space). Holds a few output rows and never the picture.
/// Invariants: output rows are finished in order, each exactly once, all of them when the last input row is in;
/// no colour exceeds its alpha. Unsafe: rows must hold `input.width` pixels, and no more come than `input.height`.
final class RowResampler {
  private let reducer: BoxReducer?
  private let across: TapTable
  private let down: TapTable
  private let output: PixelSize
  private let isOpaque: Bool
  private let writer: OrientedRowWriter

  /// The current input row after box reduction, and behind it zeros for the taps without weight.
  private let line: ScratchMemory<SIMD4<Float>>
  private let lineWidth: Int
  /// The same, reduced to the output's width.
  private let narrowed: ScratchMemory<SIMD4<Float>>
  /// Sums of the output rows in progress, one after the other in a ring.
  private let ring: ScratchMemory<SIMD4<Float>>
  private let ringRows: Int
  private var linesSeen = 0
  private var rowsFinished = 0

  /// - Parameters:
  ///   - extent: the part of `input` that the picture covers; see `RowSource`.
  ///   - output: neither it nor `input` is empty. It may be larger on either axis.
  init(
    input: PixelSize, extent: (width: Double, height: Double), output: PixelSize, isOpaque: Bool,
    writer: OrientedRowWriter
  ) throws {
    let factor = Self.boxFactor(from: input, to: output)
    let reducer = factor == PixelSize(width: 1, height: 1) ? nil : try BoxReducer(input: input, factor: factor)
    let lines = reducer?.output ?? input
    across = TapTable.table(
      for: TapTable.Key(inputs: lines.width, extent: extent.width / Double(factor.width), outputs: output.width))
    down = TapTable.table(
      for: TapTable.Key(inputs: lines.height, extent: extent.height / Double(factor.height), outputs: output.height))
    ringRows = down.maximumOverlap
    lineWidth = lines.width
    line = try ScratchMemory(count: lines.width + across.stride)
    narrowed = try ScratchMemory(count: output.width)
    ring = try ScratchMemory(count: ringRows * output.width)
    self.reducer = reducer
    self.output = output
    self.isOpaque = isOpaque
    self.writer = writer
  }

  /// How many times the output's size box averages leave to Lanczos3.
  private static let boxMargin = 4

  private static func boxFactor(from input: PixelSize, to output: PixelSize) -> PixelSize {
    PixelSize(
      width: min(BoxReducer.maximumFactor, max(1, input.width / (output.width * boxMargin))),
      height: min(BoxReducer.maximumFactor, max(1, input.height / (output.height * boxMargin))))
  }

  /// Takes the next input row.
  func push(_ row: UnsafePointer<UInt8>) {
    if let reducer {
      guard reducer.push(row, into: line.start) else { return }
    } else {
      widen(row)
    }
    narrow()
    spread()
  }

  private func widen(_ row: UnsafePointer<UInt8>) {
    line.start.withMemoryRebound(to: Float.self, capacity: lineWidth * 4) { values in
      for index in 0..<(lineWidth &* 4) { values[index] = Float(row[index]) }
    }
  }

  /// Lanczos across: `line` to `narrowed`.
  ///
  /// Every output takes `stride` taps, an even number, the last ones with weight zero: two sums that do not wait for
  /// each other take half the time of one.
  private func narrow() {
    let (line, narrowed, stride) = (line.start, narrowed.start, across.stride)
    across.weights.withUnsafeBufferPointer { weights in
      guard var weight = weights.baseAddress else { return }
      for (x, start) in across.starts.enumerated() {
        let pixels = line + start
        var even = SIMD4<Float>.zero
        var odd = SIMD4<Float>.zero
        var tap = 0
        while tap < stride {
          even += pixels[tap] * weight[tap]
          odd += pixels[tap &+ 1] * weight[tap &+ 1]
          tap &+= 2
        }
        narrowed[x] = even + odd
        weight += stride
      }
    }
  }

  /// Lanczos down: adds `narrowed` to every output row that it is part of, and gives out those it completes.
  private func spread() {
    let current = linesSeen
    linesSeen += 1
    var y = rowsFinished
    while y < output.height, down.starts[y] <= current {
      let tap = current - down.starts[y]
      if tap < down.counts[y] {
        let weight = down.weights[y * down.stride + tap]
        accumulate(weight, into: ring.start + y % ringRows * output.width, isFirst: tap == 0)
        if tap == down.counts[y] - 1 { finish(y) }
      }
      y += 1
    }
  }

  private func accumulate(_ weight: Float, into sums: UnsafeMutablePointer<SIMD4<Float>>, isFirst: Bool) {
    let narrowed = narrowed.start
    if isFirst {
      for x in 0..<output.width { sums[x] = narrowed[x] * weight }
    } else {
      for x in 0..<output.width { sums[x] += narrowed[x] * weight }
    }
  }

  /// Rounds a finished row to bytes.
  private func finish(_ y: Int) {
    let sums = ring.start + y % ringRows * output.width
    let target = writer.nextRow
    for x in 0..<output.width {
      let sum = sums[x]
      // The kernel overshoots at edges; colours are held within alpha so that the pixel stays premultiplied.
      let alpha = isOpaque ? 255 : min(max(sum.w, 0), 255)
      target[x &* 4] = Self.byte(min(max(sum.x, 0), alpha))
      target[x &* 4 &+ 1] = Self.byte(min(max(sum.y, 0), alpha))
      target[x &* 4 &+ 2] = Self.byte(min(max(sum.z, 0), alpha))
      target[x &* 4 &+ 3] = Self.byte(alpha)
    }
    writer.commitRow()
    rowsFinished = y + 1
  }

  /// The nearest byte to a value within 0...255. Adding 1.5 × 2²³ leaves it in the lowest bits of the mantissa, which
  /// compiles to an addition and a mask where a conversion would compile to a checked one.
  @inline(__always)
  private static func byte(_ value: Float) -> UInt8 {
    UInt8(truncatingIfNeeded: (value + 12_582_912).bitPattern)
  }
}
