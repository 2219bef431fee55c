import Checks
import Foundation

/// Two thousand files of a format with up to four bytes changed, mostly near the beginning, where the numbers are that
/// others depend on.
struct Flips {
  private static let count = 2_000
  private static let seed: UInt64 = 20_261_201

  private let record: Record
  private let checks = Checks(limits: Checks.small)

  init(_ record: Record) { self.record = record }

  func stills(_ files: [Fixtures.File]) {
    each(files) { data, random in
      checks.probe(data)
      checks.still(data)
      checks.progressive(data, using: &random)
    }
  }

  func animations(_ files: [Fixtures.File]) {
    each(files) { data, _ in checks.animation(data) }
  }

  private func each(_ files: [Fixtures.File], _ check: (Data, inout SeededRandom) -> Void) {
    var random = SeededRandom(Self.seed)
    for round in 0..<Self.count {
      guard let file = files.randomElement(using: &random) else { return }
      var data = file.data
      var places: [Int] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let end = Bool.random(using: &random) ? data.count : min(data.count, 100)
        let place = Int.random(in: 0..<end, using: &random)
        data[place] = UInt8.random(in: 0...255, using: &random)
        places.append(place)
      }
      record.measure("\(file.name), round \(round), bytes \(places)") { check(data, &random) }
    }
  }
}
