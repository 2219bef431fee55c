/// The context of a change of state: above all, the animation it is shown with.
public struct Transaction: Sendable {
  public var animation: Animation?
  /// Whether `.animation(_:value:)` modifiers leave this change alone.
  public var disablesAnimations = false
  public var isContinuous = false

  public init() {}
  public init(animation: Animation?) { self.animation = animation }
}

extension Transaction {
  /// The transaction of the innermost `withTransaction` on this thread.
  static var current: Transaction { ThreadTransaction.value ?? Transaction() }
}

/// Changes state under `transaction`.
public func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
  let outer = ThreadTransaction.value
  ThreadTransaction.value = transaction
  defer { ThreadTransaction.value = outer }
  return try body()
}

/// Changes state with an animation.
public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
  var transaction = Transaction.current
  transaction.animation = animation
  return try withTransaction(transaction, body)
}

/// A value for each thread. Not a task-local: a `Task` made inside `withAnimation` must not inherit the animation.
private enum ThreadTransaction {
  private final class Box {
    let transaction: Transaction
    init(_ transaction: Transaction) { self.transaction = transaction }
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { pointer in
      if let pointer { Unmanaged<Box>.fromOpaque(pointer).release() }
    }
    return key
  }()

  static var value: Transaction? {
    get {
      pthread_getspecific(key).map { Unmanaged<Box>.fromOpaque($0).takeUnretainedValue().transaction }
    }
    set {
      let old = pthread_getspecific(key)
      pthread_setspecific(key, newValue.map { Unmanaged.passRetained(Box($0)).toOpaque() })
      if let old { Unmanaged<Box>.fromOpaque(old).release() }
    }
  }
}
