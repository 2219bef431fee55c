/// The node of a view with a body: links its dynamic properties to their storage, evaluates the body, passes the
/// result on.
///
/// The body is evaluated again only when the view value, the environment or something the last evaluation read (state,
/// observable objects) has changed.
final class CompositeNode<V: View>: ViewNode<V> {
  private var properties = DynamicPropertyStorage()
  private var child: ViewNode<V.Body>?

  override init(_ view: V, parent: Node, environment: EnvironmentValues) {
    super.init(view, parent: parent, environment: environment)
    child = makeChild(evaluate(), environment: environment)
  }

  override var children: [Node] { child.map { [$0] } ?? [] }

  override var distributesScopes: Bool { parent?.distributesScopes ?? false }

  override func update(_ view: V, environment: EnvironmentValues) {
    let isUnchanged =
      pendingTransaction == nil && environment.isIdentical(to: self.environment)
      && areIdentical(view, self.view) && !properties.hasCustomUpdate
    guard !isUnchanged else { return }
    let pending = graph.dequeue(self)
    super.update(view, environment: environment)
    // A change of its own keeps its animation although the parent got here first.
    if let pending, pending.animation != nil, graph.transaction.animation == nil {
      graph.withTransaction(pending) { reevaluate() }
    } else {
      reevaluate()
    }
  }

  override func reevaluate() {
    child?.update(evaluate(), environment: environment)
  }

  override func willUnmount() { properties.unlink() }

  private func evaluate() -> V.Body {
    var linked = view
    return tracking {
      properties.link(&linked, node: self)
      return linked.body
    }
  }
}

/// Whether two values are equal bit for bit, and therefore equal: both are alive, so no reference in them can have
/// been reused. Padding may make equal values look different, never the reverse.
func areIdentical<Value>(_ first: Value, _ second: Value) -> Bool {
  withUnsafeBytes(of: first) { first in
    withUnsafeBytes(of: second) { second in
      guard let one = first.baseAddress, let other = second.baseAddress else { return true }
      return memcmp(one, other, first.count) == 0
    }
  }
}

/// `Equatable` where the value is, bit for bit otherwise.
func areEqual<Value>(_ first: Value, _ second: Value) -> Bool {
  if areIdentical(first, second) { return true }
  guard let first = first as? any Equatable else { return false }
  return first.isEqual(to: second)
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool {
    guard let other = other as? Self else { return false }
    return self == other
  }
}
