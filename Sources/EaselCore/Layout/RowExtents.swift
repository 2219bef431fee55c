/// The lengths of many rows, most of them never measured, with their running sums.
///
/// A measured row counts with its length, any other with the estimate. Reading an offset, finding the row at an offset
/// and recording a length are O(log n); changing the number of rows is O(n).
struct RowExtents {
  private(set) var count = 0
  /// The length a row is taken to have until it is measured.
  private(set) var estimate: CGFloat = 0
  private var lengths: [CGFloat] = []
  /// Binary indexed trees over the measured lengths and over their number.
  private var sums: [CGFloat] = [0]
  private var measured: [Int32] = [0]
  private static let unknown: CGFloat = -1

  var hasEstimate: Bool { estimate > 0 }

  mutating func setEstimate(_ length: CGFloat) { estimate = max(0, length) }

  /// Forgets all lengths, as after a change of the width rows are measured with.
  mutating func reset() {
    let count = count
    self = RowExtents()
    resize(to: count)
  }

  /// Keeps the lengths of the rows that remain, by place.
  mutating func resize(to newCount: Int) {
    guard newCount != count else { return }
    let kept = lengths.prefix(newCount)
    count = newCount
    lengths = Array(kept) + Array(repeating: Self.unknown, count: max(0, newCount - kept.count))
    sums = Array(repeating: 0, count: newCount + 1)
    measured = Array(repeating: 0, count: newCount + 1)
    // Built in linear time: each entry passes its sum on to the next that contains it.
    for index in 1..<max(1, newCount + 1) {
      if lengths[index - 1] >= 0 {
        sums[index] += lengths[index - 1]
        measured[index] += 1
      }
      let next = index + (index & -index)
      if next <= newCount {
        sums[next] += sums[index]
        measured[next] += measured[index]
      }
    }
  }

  func length(of row: Int) -> CGFloat { lengths[row] >= 0 ? lengths[row] : estimate }

  func isMeasured(_ row: Int) -> Bool { lengths[row] >= 0 }

  mutating func record(_ length: CGFloat, of row: Int) {
    let old = lengths[row]
    guard old != length else { return }
    lengths[row] = length
    let change = old >= 0 ? length - old : length
    var index = row + 1
    while index <= count {
      sums[index] += change
      if old < 0 { measured[index] += 1 }
      index += index & -index
    }
  }

  /// The sum of the lengths before `row`.
  func offset(of row: Int) -> CGFloat {
    var sum: CGFloat = 0
    var known = 0
    var index = min(row, count)
    while index > 0 {
      sum += sums[index]
      known += Int(measured[index])
      index -= index & -index
    }
    return sum + CGFloat(min(row, count) - known) * estimate
  }

  var total: CGFloat { offset(of: count) }

  /// The row that contains `offset`; the first or last row for offsets outside.
  func row(at offset: CGFloat) -> Int {
    guard count > 0, offset > 0 else { return 0 }
    var row = 0
    var left = offset
    var step = 1
    while step * 2 <= count { step *= 2 }
    while step > 0 {
      let next = row + step
      if next <= count {
        let span = sums[next] + CGFloat(step - Int(measured[next])) * estimate
        if span <= left {
          row = next
          left -= span
        }
      }
      step /= 2
    }
    return min(row, count - 1)
  }
}
