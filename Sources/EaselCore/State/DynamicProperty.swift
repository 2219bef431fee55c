/// A stored property that updates an external part of a view.
///
/// Before each evaluation of a body the properties nested in a custom one are brought up to date, then its own
/// `update()` runs, then the next property's; the body last.
public protocol DynamicProperty {
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

/// A property that Easel itself connects to a node: `State`, `Environment`, …
@MainActor protocol LinkedProperty: DynamicProperty {
  /// `slot` keeps the property's storage from one evaluation to the next.
  mutating func link(to slot: inout AnyObject?, node: Node)
}
