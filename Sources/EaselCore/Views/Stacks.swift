/// Children side by side.
nonisolated public struct HStack<Content: View>: RenderableView {
  let alignment: VerticalAlignment
  let spacing: CGFloat?
  let content: Content

  /// `spacing` nil is 8 points.
  public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
    self.alignment = alignment
    self.spacing = spacing
    self.content = content()
  }

  @MainActor func makeRenderNode(in graph: Graph) -> StackRenderNode {
    StackRenderNode(graph: graph, axis: .horizontal)
  }

  @MainActor func updateRenderNode(_ render: StackRenderNode, environment: EnvironmentValues) {
    render.spacing = spacing ?? 8
    render.alignment = Alignment(horizontal: .center, vertical: alignment)
  }
}

/// Children one below the other.
nonisolated public struct VStack<Content: View>: RenderableView {
  let alignment: HorizontalAlignment
  let spacing: CGFloat?
  let content: Content

  /// `spacing` nil is 8 points.
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {
    self.alignment = alignment
    self.spacing = spacing
    self.content = content()
  }

  @MainActor func makeRenderNode(in graph: Graph) -> StackRenderNode {
    StackRenderNode(graph: graph, axis: .vertical)
  }

  @MainActor func updateRenderNode(_ render: StackRenderNode, environment: EnvironmentValues) {
    render.spacing = spacing ?? 8
    render.alignment = Alignment(horizontal: alignment, vertical: .center)
  }
}

/// Children one above the other, the last in front.
nonisolated public struct ZStack<Content: View>: RenderableView {
  let alignment: Alignment
  let content: Content

  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
    self.alignment = alignment
    self.content = content()
  }

  @MainActor func makeRenderNode(in graph: Graph) -> OverlayingRenderNode { OverlayingRenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: OverlayingRenderNode, environment: EnvironmentValues) {
    render.alignment = alignment
  }
}

/// Flexible space along the axis of the stack it is in.
nonisolated public struct Spacer: RenderableView {
  let minLength: CGFloat?

  /// `minLength` nil is 8 points.
  public init(minLength: CGFloat? = nil) { self.minLength = minLength }

  @MainActor func makeRenderNode(in graph: Graph) -> SpacerRenderNode { SpacerRenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: SpacerRenderNode, environment: EnvironmentValues) {
    render.minLength = minLength ?? 8
  }
}

/// A hairline across the axis of the stack it is in.
nonisolated public struct Divider: RenderableView {
  public init() {}

  @MainActor func makeRenderNode(in graph: Graph) -> DividerRenderNode { DividerRenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: DividerRenderNode, environment: EnvironmentValues) {
    render.thickness = max(environment.pixelLength, 0.5)
    render.paint = Color.separator.paint(in: environment)
  }
}
