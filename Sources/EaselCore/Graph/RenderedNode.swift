/// A primitive view that is a rectangle on the screen: a leaf, or a container or modifier around `content`.
///
/// This is all a new primitive needs: a `RenderNode` subclass, and how to bring it up to date with the view.
protocol RenderableView: PrimitiveView {
  associatedtype Content: View = EmptyView
  associatedtype Render: RenderNode

  /// What is inside; `EmptyView()` for a leaf.
  var content: Content { get }
  @MainActor func makeRenderNode(in graph: Graph) -> Render
  /// Sets the node's inputs from the view and the environment. `graph.transaction` says how to animate.
  @MainActor func updateRenderNode(_ render: Render, environment: EnvironmentValues)
}

extension RenderableView where Content == EmptyView {
  nonisolated var content: EmptyView { EmptyView() }
}

extension RenderableView {
  @MainActor public static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    RenderedNode(view, parent: parent, environment: environment)
  }
}

/// The node of a `RenderableView`.
class RenderedNode<V: RenderableView>: ViewNode<V> {
  let render: V.Render
  private(set) var child: ViewNode<V.Content>?

  override init(_ view: V, parent: Node, environment: EnvironmentValues) {
    render = view.makeRenderNode(in: parent.graph)
    super.init(view, parent: parent, environment: environment)
    render.owner = self
    view.updateRenderNode(render, environment: environment)
    if V.Content.self != EmptyView.self {
      child = makeChild(view.content, environment: environment)
    }
  }

  override var ownRenderNode: RenderNode? { render }

  override var children: [Node] { child.map { [$0] } ?? [] }

  override func update(_ view: V, environment: EnvironmentValues) {
    super.update(view, environment: environment)
    view.updateRenderNode(render, environment: environment)
    child?.update(view.content, environment: environment)
  }
}
