import Synchronized

/// How much one transfer is wanted beside the others of its connection, now and later: the weight of an HTTP/2 stream
/// (RFC 9113, section 5.3.2, where the server still honours it), and `URLSessionTask.priority`.
///
/// A handle: whoever starts the transfer keeps it and sets it. Equal only to itself.
public final class TransferPriority: Sendable, Hashable {
  private struct State {
    var value: Double
    var changed: (@Sendable (Double) -> Void)?
  }

  private let state: Locked<State>

  /// - Parameter value: 0 (least) to 1; default 0.5, as for transfers without a priority.
  public init(_ value: Double = 0.5) { state = Locked(State(value: Self.within(value))) }

  /// 0 (least) to 1. Setting it tells the transfer that uses it, from the calling thread.
  public var value: Double {
    get { state.withLock { $0.value } }
    set {
      let changed = state.withLock { state in
        state.value = Self.within(newValue)
        return state.changed
      }
      changed?(value)
    }
  }

  /// Calls `changed` with the value now and whenever it is set, until another transfer follows.
  func follow(_ changed: @escaping @Sendable (Double) -> Void) {
    changed(
      state.withLock { state in
        state.changed = changed
        return state.value
      })
  }

  private static func within(_ value: Double) -> Double { value.isNaN ? 0.5 : min(max(value, 0), 1) }

  public static func == (one: TransferPriority, other: TransferPriority) -> Bool { one === other }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
