/// A way to read and write a value that someone else owns.
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value>: DynamicProperty {
  private let read: () -> Value
  private let write: (Value, Transaction?) -> Void
  /// The transaction that changes through this binding are made under.
  public var transaction = Transaction()
  private var hasTransaction = false

  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.init(read: get, write: set)
  }

  public init(get: @escaping () -> Value, set: @escaping (Value, Transaction) -> Void) {
    read = get
    write = { value, transaction in set(value, transaction ?? Transaction.current) }
  }

  init(read: @escaping () -> Value, write: @escaping (Value) -> Void) {
    self.read = read
    self.write = { value, transaction in
      guard let transaction else { return write(value) }
      withTransaction(transaction) { write(value) }
    }
  }

  init(location: StateLocation<Value>) {
    self.init(read: { location.value }, write: { location.value = $0 })
  }

  /// A binding whose value never changes.
  public static func constant(_ value: Value) -> Binding<Value> {
    Binding(read: { value }, write: { _ in })
  }

  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue, hasTransaction ? transaction : nil) }
  }

  public var projectedValue: Binding<Value> { self }

  public init(projectedValue: Binding<Value>) { self = projectedValue }

  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
    Binding<Subject>(
      read: { read()[keyPath: keyPath] },
      write: { newValue in
        var value = read()
        value[keyPath: keyPath] = newValue
        wrappedValue = value
      })
  }

  /// A binding to the value inside, where there is one now.
  public init?(_ base: Binding<Value?>) {
    guard let first = base.wrappedValue else { return nil }
    self.init(read: { base.wrappedValue ?? first }, write: { base.wrappedValue = $0 })
  }

  public init<V>(_ base: Binding<V>) where Value == V? {
    self.init(read: { base.wrappedValue }, write: { if let value = $0 { base.wrappedValue = value } })
  }

  /// The same binding, whose changes are made under `transaction`.
  public func transaction(_ transaction: Transaction) -> Binding<Value> {
    var copy = self
    copy.transaction = transaction
    copy.hasTransaction = true
    return copy
  }

  /// The same binding, whose changes are animated.
  public func animation(_ animation: Animation? = .default) -> Binding<Value> {
    transaction(Transaction(animation: animation))
  }
}

// guard: SwiftUI's own promise; the bindings Easel makes touch only a locked `StateLocation` or an observable object.
extension Binding: @unchecked Sendable where Value: Sendable {}

extension Binding: Identifiable where Value: Identifiable {
  public var id: Value.ID { wrappedValue.id }
}
