// only: swift6
// expect: risks causing data races
import Foundation

final class Counter {
  var count = 0
}

// Found only when code is generated, not when types are checked.
func unsafeSending() {
  let counter = Counter()
  Task { @MainActor in counter.count += 1 }
  counter.count += 1
}
