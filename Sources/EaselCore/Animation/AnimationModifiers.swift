/// Changes the transaction for the views inside.
nonisolated struct TransactionView<Content: View>: ForwardingView, PrimitiveView {
  let content: Content
  /// Given the view's previous value, if there is one.
  let transform: (inout Transaction, _ previous: TransactionView?) -> Void
  var value: AnyEquatable?

  @MainActor static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    TransactionNode(view, parent: parent, environment: environment)
  }
}

final class TransactionNode<Content: View>: ForwardingNode<TransactionView<Content>> {
  override func update(_ view: TransactionView<Content>, environment: EnvironmentValues) {
    var transaction = graph.transaction
    view.transform(&transaction, self.view)
    graph.withTransaction(transaction) { super.update(view, environment: environment) }
  }

  override func adjust(_ transaction: inout Transaction) {
    // One that watches a value has nothing to say about a change that did not pass through it.
    if view.value == nil { view.transform(&transaction, view) }
  }
}

extension View {
  /// Changes the transaction of every change that passes through here to the views inside.
  nonisolated public func transaction(_ transform: @escaping (inout Transaction) -> Void) -> some View {
    TransactionView(content: self, transform: { transaction, _ in transform(&transaction) })
  }

  /// Animates the changes inside that come with a change of `value`; nil makes them immediate.
  nonisolated public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View {
    TransactionView(
      content: self,
      transform: { transaction, previous in
        guard !transaction.disablesAnimations, let previous, previous.value != AnyEquatable(value) else { return }
        transaction.animation = animation
      },
      value: AnyEquatable(value))
  }
}
