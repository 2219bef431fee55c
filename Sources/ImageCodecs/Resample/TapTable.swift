import Foundation
import Synchronized

/// For each output position of one axis, the input positions that make it up and their weights (Lanczos, a = 3).
///
/// Invariants: every range lies within `0..<inputs`, `starts` never decreases, and the weights of one output add up to 1.
struct TapTable: Sendable {
  /// The number of weights kept for each output, an even one; those behind its count are zero.
  let stride: Int
  let starts: [Int]
  let counts: [Int]
  /// `stride` weights for each output, one output after the other.
  let weights: [Float]

  struct Key: Hashable {
    /// The number of input positions.
    var inputs: Int
    /// The length that the picture has in units of input positions; may end within the last one.
    var extent: Double
    var outputs: Int
  }

  init(_ key: Key) {
    let scale = key.extent / Double(key.outputs)
    // The kernel is widened to the step between outputs, never narrowed below one input.
    let widening = max(1, scale)
    let support = 3 * widening
    let ranges = (0..<key.outputs).map { output in
      let center = (Double(output) + 0.5) * scale
      let first = min(key.inputs - 1, max(0, Int(center - support + 0.5)))
      return first..<min(key.inputs, max(first + 1, Int(center + support + 0.5)))
    }
    let stride = ((ranges.lazy.map(\.count).max() ?? 0) + 1) & ~1
    var weights = [Float](repeating: 0, count: stride * key.outputs)
    for (output, range) in ranges.enumerated() {
      let center = (Double(output) + 0.5) * scale
      let values = range.map { Self.lanczos3((Double($0) + 0.5 - center) / widening) }
      let sum = values.reduce(0, +)
      for (index, value) in values.enumerated() { weights[output * stride + index] = Float(value / sum) }
    }
    self.stride = stride
    self.weights = weights
    starts = ranges.map(\.lowerBound)
    counts = ranges.map(\.count)
  }

  /// The number of consecutive outputs that may be in progress at once when inputs come in order.
  var maximumOverlap: Int {
    var overlap = 0
    var last = 0
    for first in starts.indices {
      let end = starts[first] + counts[first]
      while last < starts.count, starts[last] < end { last += 1 }
      overlap = max(overlap, last - first)
    }
    return overlap
  }

  private static func lanczos3(_ distance: Double) -> Double {
    let x = abs(distance) * Double.pi
    if x < 1e-9 { return 1 }
    if x >= 3 * Double.pi { return 0 }
    return 3 * sin(x) * sin(x / 3) / (x * x)
  }
}

extension TapTable {
  /// Building tables takes longer than decoding where pictures are small and equal in size, as in a list of thumbnails.
  private static let cache = Locked<[(key: Key, table: TapTable)]>([])
  private static let maximumCachedTables = 16
  private static let maximumCachedWeights = 1 << 16

  /// The table for `key`, from a small cache of those used last.
  static func table(for key: Key) -> TapTable {
    let cached = cache.withLock { entries -> TapTable? in
      guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
      let entry = entries.remove(at: index)
      entries.append(entry)
      return entry.table
    }
    if let cached { return cached }
    let table = TapTable(key)
    guard table.weights.count <= maximumCachedWeights else { return table }
    cache.withLock { entries in
      entries.append((key, table))
      if entries.count > maximumCachedTables { entries.removeFirst() }
    }
    return table
  }
}
