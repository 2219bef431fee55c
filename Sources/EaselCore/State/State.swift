/// A value that a view owns and that lives as long as the view's identity. May be set from any thread; the views that
/// read it are evaluated again on the main actor.
@propertyWrapper
public struct State<Value>: DynamicProperty {
  private let initialValue: Value
  private var location: StateLocation<Value>?

  public init(wrappedValue value: Value) { initialValue = value }
  public init(initialValue value: Value) { initialValue = value }

  /// Outside a view that is on the screen this reads the initial value, and setting has no effect.
  public var wrappedValue: Value {
    get { location?.value ?? initialValue }
    nonmutating set { location?.value = newValue }
  }

  public var projectedValue: Binding<Value> {
    guard let location else { return .constant(initialValue) }
    return Binding(location: location)
  }
}

extension State: Sendable where Value: Sendable {}

extension State where Value: ExpressibleByNilLiteral {
  public init() { self.init(wrappedValue: nil) }
}

extension State: LinkedProperty {
  mutating func link(to slot: inout AnyObject?, node: Node) {
    let location = slot as? StateLocation<Value> ?? StateLocation(initialValue)
    slot = location
    self.location = location
  }
}
