/// Turns a view into another one.
@MainActor @preconcurrency public protocol ViewModifier {
  associatedtype Body: View
  typealias Content = _ViewModifier_Content<Self>

  @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

/// The view a modifier is applied to.
nonisolated public struct _ViewModifier_Content<Modifier>: ForwardingView, PrimitiveView {
  let content: AnyView

  @MainActor public static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    ForwardingNode(view, parent: parent, environment: environment)
  }
}

/// A view with a modifier applied. Dynamic properties of the modifier work as those of a view.
nonisolated public struct ModifiedContent<Content, Modifier> {
  public var content: Content
  public var modifier: Modifier

  public init(content: Content, modifier: Modifier) {
    self.content = content
    self.modifier = modifier
  }
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
  @MainActor public var body: some View {
    ModifierHost(modifier: modifier, content: AnyView(content))
  }
}

/// Evaluates the modifier's body where its dynamic properties have been linked.
nonisolated private struct ModifierHost<Modifier: ViewModifier>: View {
  let modifier: LinkedModifier<Modifier>
  let content: AnyView

  init(modifier: Modifier, content: AnyView) {
    self.modifier = LinkedModifier(base: modifier)
    self.content = content
  }

  @MainActor var body: some View { modifier.base.body(content: _ViewModifier_Content(content: content)) }
}

/// Makes the dynamic properties inside a modifier visible to the view that holds it.
nonisolated private struct LinkedModifier<Modifier>: DynamicPropertyContainer {
  let base: Modifier
  static var contained: Any.Type { Modifier.self }
}

extension View {
  nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
    ModifiedContent(content: self, modifier: modifier)
  }
}
