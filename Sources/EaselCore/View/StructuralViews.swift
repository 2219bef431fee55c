/// A view with no content.
nonisolated public struct EmptyView: PrimitiveView, Sendable {
  public init() {}

  @MainActor public static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    ViewNode(view, parent: parent, environment: environment)
  }
}

/// Several children, each with the identity of its place.
nonisolated public struct TupleView<T>: PrimitiveView {
  public var value: T
  // Closures that capture a parameter pack crash the compiler (6.3), so the pack is opened here, once.
  let children: [any View]

  init<each Content: View>(_ content: repeat each Content) where T == (repeat each Content) {
    value = (repeat each content)
    var children: [any View] = []
    for child in repeat each content { children.append(child) }
    self.children = children
  }

  @MainActor public static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    TupleNode(view, parent: parent, environment: environment)
  }
}

/// What `if`/`else` and `switch` build: one of two children, each branch an identity of its own.
nonisolated public struct _ConditionalContent<TrueContent: View, FalseContent: View>: PrimitiveView {
  enum Storage {
    case trueContent(TrueContent)
    case falseContent(FalseContent)
  }

  let storage: Storage

  @MainActor public static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    SwitchNode(view, parent: parent, environment: environment)
  }
}

extension _ConditionalContent: SwitchingView {
  var identity: Int {
    if case .trueContent = storage { return 1 }
    return 0
  }

  var content: (any View)? {
    switch storage {
    case .trueContent(let view): view
    case .falseContent(let view): view
    }
  }
}

extension Optional: View where Wrapped: View {
  public typealias Body = Never

  @MainActor public static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    SwitchNode(view, parent: parent, environment: environment)
  }
}

extension Optional: SwitchingView where Wrapped: View {
  var identity: Bool { self != nil }
  var content: (any View)? { self }
}

/// A view whose type is hidden. A change of the hidden type replaces the view and its state.
nonisolated public struct AnyView: PrimitiveView {
  let hidden: any View

  public init<V: View>(_ view: V) { hidden = (view as? AnyView)?.hidden ?? view }
  public init<V: View>(erasing view: V) { self.init(view) }

  @MainActor public static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    SwitchNode(view, parent: parent, environment: environment)
  }
}

extension AnyView: SwitchingView {
  var identity: ObjectIdentifier { ObjectIdentifier(type(of: hidden)) }
  var content: (any View)? { hidden }
}

/// Several views that modifiers treat as one; lays nothing out itself.
nonisolated public struct Group<Content> {
  let content: Content
}

extension Group: View, PrimitiveView, ForwardingView where Content: View {
  public typealias Body = Never

  nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }

  @MainActor public static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    ForwardingNode(view, parent: parent, environment: environment)
  }
}

/// `.id(_:)`: a change of the value replaces the view and its state.
nonisolated struct IDView<Content: View, ID: Hashable>: PrimitiveView, SwitchingView {
  let wrapped: Content
  let identity: ID
  var content: (any View)? { wrapped }

  @MainActor static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    SwitchNode(view, parent: parent, environment: environment)
  }
}

extension View {
  /// Binds the view's identity to a value: when the value changes, the view starts anew.
  nonisolated public func id<ID: Hashable>(_ id: ID) -> some View {
    IDView(wrapped: self, identity: id)
  }
}
