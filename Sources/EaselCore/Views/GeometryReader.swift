/// A view that takes all it is offered and builds its content from the size it got.
nonisolated public struct GeometryReader<Content: View>: PrimitiveView {
  public var content: (GeometryProxy) -> Content

  public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { self.content = content }

  @MainActor public static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    GeometryReaderNode(view, parent: parent, environment: environment)
  }
}

/// What a view learns of its place.
public struct GeometryProxy: Sendable {
  /// Points.
  public let size: CGSize
  /// Windows here have no areas covered by the system.
  public var safeAreaInsets: EdgeInsets { EdgeInsets() }
  let node: RenderNode

  /// The view's frame; `.global` as of the last layout.
  public func frame(in space: CoordinateSpace) -> CGRect {
    switch space {
    case .local: CGRect(origin: .zero, size: size)
    case .global: MainActor.assumeIsolated { CGRect(origin: node.originInWindow, size: size) }
    }
  }
}

public enum CoordinateSpace: Hashable, Sendable {
  /// The window.
  case global
  /// The view itself.
  case local
}

/// Evaluates its content during the layout, as soon as the size is known.
final class GeometryReaderNode<Content: View>: ViewNode<GeometryReader<Content>> {
  private let render: GeometryRenderNode
  private var child: ViewNode<Content>?

  override init(_ view: GeometryReader<Content>, parent: Node, environment: EnvironmentValues) {
    render = GeometryRenderNode(graph: parent.graph)
    super.init(view, parent: parent, environment: environment)
    render.owner = self
    render.sizeChanged = { [weak self] in self?.evaluate() }
  }

  override var ownRenderNode: RenderNode? { render }

  override var children: [Node] { child.map { [$0] } ?? [] }

  override func update(_ view: GeometryReader<Content>, environment: EnvironmentValues) {
    super.update(view, environment: environment)
    if child != nil { evaluate() }
  }

  override func reevaluate() { evaluate() }

  private func evaluate() {
    guard isMounted else { return }
    let proxy = GeometryProxy(size: render.frame.size, node: render)
    let content = tracking { view.content(proxy) }
    if let child {
      child.update(content, environment: environment)
    } else {
      child = makeChild(content, environment: environment)
      render.setChildrenDirty()
    }
  }
}

final class GeometryRenderNode: RenderNode {
  var sizeChanged: (() -> Void)?
  private var lastSize: CGSize?

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize { proposal.replacingUnspecifiedDimensions() }

  override func placeChildren(in size: CGSize, proposal: ProposedViewSize) {
    if size != lastSize {
      lastSize = size
      sizeChanged?()
    }
    let offer = ProposedViewSize(size)
    for child in arrangedChildren { child.place(at: .zero, proposal: offer) }
  }
}
