import Testing

@testable import ImageCodecs

@Suite("Lanczos taps")
struct TapTableTests {
  static let keys: [TapTable.Key] = {
    var keys: [TapTable.Key] = []
    for inputs in [2, 3, 10, 99, 750, 1000] {
      for outputs in [1, 2, 7, 64, 400] where outputs <= inputs {
        keys.append(TapTable.Key(inputs: inputs, extent: Double(inputs), outputs: outputs))
        keys.append(TapTable.Key(inputs: inputs, extent: Double(inputs) - 0.75, outputs: outputs))
      }
    }
    return keys
  }()

  @Test("stay within the inputs, in order, and weigh 1 together", arguments: keys)
  func invariants(key: TapTable.Key) {
    let table = TapTable(key)
    #expect(table.starts.count == key.outputs)
    #expect(table.stride % 2 == 0)
    #expect(table.starts == table.starts.sorted())
    for output in 0..<key.outputs {
      let weights = table.weights[output * table.stride..<(output + 1) * table.stride]
      #expect(table.starts[output] >= 0)
      #expect(table.starts[output] + table.counts[output] <= key.inputs)
      #expect(table.counts[output] >= 1 && table.counts[output] <= table.stride)
      #expect(abs(weights.reduce(0, +) - 1) < 1e-5)
      #expect(weights.dropFirst(table.counts[output]).allSatisfy { $0 == 0 })
    }
  }

  @Test("leave pixels alone where the size stays")
  func identity() {
    let table = TapTable(TapTable.Key(inputs: 20, extent: 20, outputs: 20))
    for output in 0..<20 {
      for tap in 0..<table.counts[output] {
        let weight = table.weights[output * table.stride + tap]
        #expect(abs(weight - (table.starts[output] + tap == output ? 1 : 0)) < 1e-6)
      }
    }
  }

  @Test("overlap as far as outputs share an input", arguments: keys)
  func overlap(key: TapTable.Key) {
    let table = TapTable(key)
    let open = (0..<key.inputs).map { input in
      (0..<key.outputs).count { table.starts[$0] <= input && input < table.starts[$0] + table.counts[$0] }
    }
    #expect(table.maximumOverlap >= open.max() ?? 0)
  }

  @Test("are the same from the cache, however many sizes were asked for")
  func cache() {
    for outputs in Array(1...40) + Array(1...40) {
      let key = TapTable.Key(inputs: 100, extent: 100, outputs: outputs)
      #expect(TapTable.table(for: key).weights == TapTable(key).weights)
    }
  }
}
