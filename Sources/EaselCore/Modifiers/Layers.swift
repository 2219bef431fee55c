extension View {
  /// Draws views in front of this one, within its size.
  nonisolated public func overlay<V: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> V
  ) -> some View {
    LayeredView(content: self, layer: content(), alignment: alignment, isInFront: true)
  }

  nonisolated public func overlay<Overlay: View>(_ overlay: Overlay, alignment: Alignment = .center) -> some View {
    LayeredView(content: self, layer: overlay, alignment: alignment, isInFront: true)
  }

  /// Draws views behind this one, within its size.
  nonisolated public func background<V: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> V
  ) -> some View {
    LayeredView(content: self, layer: content(), alignment: alignment, isInFront: false)
  }

  nonisolated public func background<Background: View>(
    _ background: Background, alignment: Alignment = .center
  ) -> some View {
    LayeredView(content: self, layer: background, alignment: alignment, isInFront: false)
  }

  /// Fills the view's frame behind it with a style.
  @_disfavoredOverload
  nonisolated public func background<S: ShapeStyle>(
    _ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all
  ) -> some View {
    LayeredView(content: self, layer: Rectangle().fill(style), alignment: .center, isInFront: false)
  }

  /// Fills a shape behind the view with a style.
  nonisolated public func background<S: ShapeStyle, T: Shape>(_ style: S, in shape: T) -> some View {
    LayeredView(content: self, layer: shape.fill(style), alignment: .center, isInFront: false)
  }

  nonisolated public func overlay<S: ShapeStyle, T: Shape>(_ style: S, in shape: T) -> some View {
    LayeredView(content: self, layer: shape.fill(style), alignment: .center, isInFront: true)
  }
}

/// A view and a layer before or behind it that takes its size from it.
nonisolated struct LayeredView<Content: View, Layer: View>: PrimitiveView {
  let content: Content
  let layer: Layer
  let alignment: Alignment
  let isInFront: Bool

  @MainActor static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    LayeredNode(view, parent: parent, environment: environment)
  }
}

final class LayeredNode<Content: View, Layer: View>: ViewNode<LayeredView<Content, Layer>> {
  private let render: LayeredRenderNode
  private var primary: ViewNode<Content>?
  private var layer: ViewNode<Layer>?

  override init(_ view: LayeredView<Content, Layer>, parent: Node, environment: EnvironmentValues) {
    render = LayeredRenderNode(graph: parent.graph)
    super.init(view, parent: parent, environment: environment)
    render.owner = self
    configure()
    primary = makeChild(view.content, environment: environment)
    layer = makeChild(view.layer, environment: environment)
    render.primary = primary
    render.layer = layer
  }

  override var ownRenderNode: RenderNode? { render }

  override var children: [Node] { [primary, layer].compactMap { $0 } }

  override func update(_ view: LayeredView<Content, Layer>, environment: EnvironmentValues) {
    super.update(view, environment: environment)
    configure()
    primary?.update(view.content, environment: environment)
    layer?.update(view.layer, environment: environment)
  }

  private func configure() {
    render.alignment = view.alignment
    render.isInFront = view.isInFront
  }
}

/// Lays out its primary children as if they were alone, then offers their size to the layer.
final class LayeredRenderNode: RenderNode {
  @Relayout var alignment = Alignment.center
  var isInFront = false
  weak var primary: Node?
  weak var layer: Node?

  override func resolveChildren() -> [RenderNode] {
    let main = primary?.renderNodes ?? []
    let extra = layer?.renderNodes ?? []
    return isInFront ? main + extra : extra + main
  }

  private var mainChildren: [RenderNode] { (primary?.renderNodes ?? []).filter { !$0.isLeaving } }

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    // Attached, in case they are new.
    _ = children
    return mainChildren.reduce(into: CGSize.zero) { union, child in
      let size = child.measure(proposal)
      union = CGSize(width: max(union.width, size.width), height: max(union.height, size.height))
    }
  }

  override func placeChildren(in size: CGSize, proposal: ProposedViewSize) {
    _ = children
    for child in mainChildren {
      child.place(at: Alignment.center.origin(of: child.measure(proposal), in: size), proposal: proposal)
    }
    let offer = ProposedViewSize(size)
    for child in layer?.renderNodes ?? [] where !child.isLeaving {
      child.place(at: alignment.origin(of: child.measure(offer), in: size), proposal: offer)
    }
  }

  /// The colour of a background that is nothing else.
  var plainBackground: Paint? {
    guard !isInFront, let layer = layer?.renderNodes, layer.count == 1 else { return nil }
    return layer[0].plainFill
  }

  override var decorated: RenderNode? { mainChildren.count == 1 ? mainChildren.first : nil }

  override func baseline(_ baseline: Baseline, size: CGSize) -> CGFloat? {
    mainChildren.first?.baseline(baseline, size: size)
  }
}
