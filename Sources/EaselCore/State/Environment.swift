/// A value kept in the environment under its own type.
public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

/// What views inherit from those around them. Copies share storage until one is changed.
public struct EnvironmentValues {
  private var storage: Storage

  private final class Storage {
    var values: [ObjectIdentifier: Any]

    init(values: [ObjectIdentifier: Any]) { self.values = values }
  }

  public init() { storage = Storage(values: [:]) }

  public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
    get { storage.values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
    set {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(values: storage.values) }
      storage.values[ObjectIdentifier(key)] = newValue
    }
  }

  /// Whether both are the same copy, and therefore equal.
  func isIdentical(to other: EnvironmentValues) -> Bool { storage === other.storage }

  /// The object of a type, as `environmentObject(_:)` and `environment(_:)` put it there.
  subscript<Object: AnyObject>(object type: Object.Type) -> Object? {
    get { storage.values[ObjectIdentifier(type)] as? Object }
    set {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(values: storage.values) }
      storage.values[ObjectIdentifier(type)] = newValue
    }
  }
}

/// Reads a value from the environment of the view.
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  private let read: (EnvironmentValues) -> Value
  private var environment: EnvironmentValues?

  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
    read = { $0[keyPath: keyPath] }
  }

  /// The `@Observable` object of this type that `environment(_:)` put there; nil where nobody did.
  public init<Object: AnyObject & Observable>(_ type: Object.Type) where Value == Object? {
    read = { $0[object: type] }
  }

  /// The `@Observable` object of this type that `environment(_:)` put there. Reading it where nobody did is a mistake
  /// of the program and stops it, as in SwiftUI.
  public init(_ type: Value.Type) where Value: AnyObject & Observable {
    read = { environment in
      guard let object = environment[object: type] else {
        fatalError("No \(type) in the environment: add .environment(_:) above this view")
      }
      return object
    }
  }

  /// The default value outside a view.
  public var wrappedValue: Value { read(environment ?? EnvironmentValues()) }
}

// guard: holds a key path and immutable values.
extension Environment: @unchecked Sendable where Value: Sendable {}

extension Environment: LinkedProperty {
  mutating func link(to slot: inout AnyObject?, node: Node) { environment = node.environment }
}

/// Gives the content an environment with something changed. The changed copy is kept while neither the environment nor
/// the value changes, so that views below can see that nothing did.
nonisolated struct EnvironmentView<Content: View, Value>: ForwardingView, PrimitiveView {
  let content: Content
  let value: Value
  let apply: (inout EnvironmentValues, Value) -> Void

  @MainActor static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    EnvironmentNode(view, parent: parent, environment: environment)
  }
}

final class EnvironmentNode<Content: View, Value>: ForwardingNode<EnvironmentView<Content, Value>> {
  private var derived: (base: EnvironmentValues, value: Value, result: EnvironmentValues)?

  override func environmentForChild(_ environment: EnvironmentValues) -> EnvironmentValues {
    if let derived, derived.base.isIdentical(to: environment), areEqual(derived.value, view.value) {
      return derived.result
    }
    var result = environment
    view.apply(&result, view.value)
    derived = (environment, view.value, result)
    return result
  }
}

extension View {
  /// Sets an environment value for the view and all it contains.
  nonisolated public func environment<V>(
    _ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V
  ) -> some View {
    EnvironmentView(content: self, value: value) { $0[keyPath: keyPath] = $1 }
  }

  /// Puts an `@Observable` object into the environment under its type.
  nonisolated public func environment<T: AnyObject & Observable>(_ object: T?) -> some View {
    EnvironmentView(content: self, value: object) { $0[object: T.self] = $1 }
  }

  /// Changes an environment value in place for the view and all it contains.
  nonisolated public func transformEnvironment<V>(
    _ keyPath: WritableKeyPath<EnvironmentValues, V>, transform: @escaping (inout V) -> Void
  ) -> some View {
    EnvironmentView(content: self, value: ()) { environment, _ in transform(&environment[keyPath: keyPath]) }
  }
}
