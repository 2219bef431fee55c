import Synchronized

/// The memory behind one `@State`: a value and who has read it.
///
/// May be read and set from any thread. Reading during an evaluation registers the node evaluated; setting a different
/// value invalidates the registered nodes, which register anew when they are evaluated again.
final class StateLocation<Value>: @unchecked Sendable {
  // guard: both only inside `storage.withLock`; values cross threads as they do in SwiftUI's own `State`.
  private let storage: Locked<Contents>

  private struct Contents: @unchecked Sendable {
    // guard: held by the lock around it.
    var value: Value
    var readers: [ObjectIdentifier: Weak<Node>] = [:]
    var pruneAt = 64

    mutating func add(_ node: Node) {
      if readers.count >= pruneAt {
        readers = readers.filter { $0.value.value != nil }
        pruneAt = max(64, readers.count * 2)
      }
      readers[ObjectIdentifier(node)] = Weak(value: node)
    }
  }

  init(_ value: Value) {
    storage = Locked(Contents(value: value))
  }

  var value: Value {
    get {
      let reader = currentReader
      return storage.withLock { contents in
        if let reader { contents.add(reader) }
        return contents.value
      }
    }
    set {
      let old = storage.withLock { $0.value }
      guard !areEqual(old, newValue) else { return }
      var value = newValue
      let readers = storage.withLock { contents in
        // Swapped, so that the old value ends outside the lock: its end may run code.
        swap(&contents.value, &value)
        let readers = contents.readers
        contents.readers = [:]
        return readers
      }
      for reader in readers.values { Node.invalidate(from: reader.value) }
    }
  }

  private var currentReader: Node? {
    guard MainQueue.isCurrent else { return nil }
    return MainActor.assumeIsolated { Evaluation.current }
  }
}
