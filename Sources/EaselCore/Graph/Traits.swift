/// Something a container wants to know about each of its children: a transition, a layout priority, a tab's label.
/// Unlike a preference it concerns only the nearest container.
protocol TraitKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

struct TraitValues {
  private var values: [ObjectIdentifier: Any] = [:]

  subscript<K: TraitKey>(key: K.Type) -> K.Value {
    get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  func contains<K: TraitKey>(_ key: K.Type) -> Bool { values[ObjectIdentifier(key)] != nil }
}

/// Marks the render nodes of its content with a trait; the outermost of several wins.
nonisolated struct TraitView<Content: View, Key: TraitKey>: ForwardingView, PrimitiveView {
  let content: Content
  let value: Key.Value

  @MainActor static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    TraitNode(view, parent: parent, environment: environment)
  }
}

final class TraitNode<Content: View, Key: TraitKey>: ForwardingNode<TraitView<Content, Key>> {
  override func collectRenderNodes(into list: inout [RenderNode]) {
    let start = list.count
    super.collectRenderNodes(into: &list)
    for render in list[start...] { render.setTrait(Key.self, view.value) }
  }

  override func row(at index: Int) -> [RenderNode] {
    let nodes = super.row(at: index)
    for render in nodes { render.setTrait(Key.self, view.value) }
    return nodes
  }

  override func update(_ view: TraitView<Content, Key>, environment: EnvironmentValues) {
    let isSame = areEqual(self.view.value, view.value)
    super.update(view, environment: environment)
    guard !isSame else { return }
    // Applied at once, for a removal in this very change; containers learn of it through the layout.
    for render in renderNodes { render.setNeedsLayout() }
    // What is in front is part of the container's structure.
    if Key.self == ZIndexTrait.self { structureChanged() }
  }
}

extension View {
  nonisolated func trait<Key: TraitKey>(_ key: Key.Type, _ value: Key.Value) -> some View {
    TraitView<Self, Key>(content: self, value: value)
  }
}
