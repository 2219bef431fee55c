/// A value whose own dynamic properties (`@State`, `@StateObject`, …) live in the view it is stored in: how a host gives
/// an `App` its state. Read in the view's body only.
public struct LinkedValue<Value>: DynamicPropertyContainer {
  public var value: Value

  public init(_ value: Value) { self.value = value }

  static var contained: Any.Type { Value.self }
}
