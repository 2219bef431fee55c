/// Content that may be larger than the place it is shown in.
nonisolated public struct ScrollView<Content: View>: View {
  let axes: Axis.Set
  let showsIndicators: Bool
  let content: Content

  public init(
    _ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content
  ) {
    self.axes = axes
    self.showsIndicators = showsIndicators
    self.content = content()
  }

  @MainActor public var body: some View {
    switch axes {
    case .vertical: ScrollContainer(axes: axes, showsIndicators: showsIndicators, content: VStack { content })
    case .horizontal: ScrollContainer(axes: axes, showsIndicators: showsIndicators, content: HStack { content })
    default: ScrollContainer(axes: axes, showsIndicators: showsIndicators, content: ZStack { content })
    }
  }
}

nonisolated struct ScrollContainer<Content: View>: RenderableView {
  let axes: Axis.Set
  let showsIndicators: Bool
  let content: Content

  @MainActor func makeRenderNode(in graph: Graph) -> ScrollRenderNode { ScrollRenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: ScrollRenderNode, environment: EnvironmentValues) {
    render.axes = axes
    render.showsIndicators = showsIndicators
    render.indicatorColor = Color.secondary.resolve(in: environment)
  }
}

/// Children one below the other, made only when they come near the window of a scroll view. Takes the width it is
/// offered. The state of rows that are scrolled far away is dropped.
nonisolated public struct LazyVStack<Content: View>: RenderableView {
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

  @MainActor func makeRenderNode(in graph: Graph) -> LazyStackRenderNode {
    LazyStackRenderNode(graph: graph, axis: .vertical)
  }

  @MainActor func updateRenderNode(_ render: LazyStackRenderNode, environment: EnvironmentValues) {
    render.spacing = spacing ?? 8
    render.alignment = Alignment(horizontal: alignment, vertical: .center)
  }
}

/// Children side by side, made only when they come near the window of a scroll view.
nonisolated public struct LazyHStack<Content: View>: RenderableView {
  let alignment: VerticalAlignment
  let spacing: CGFloat?
  let content: Content

  /// `spacing` nil is 8 points.
  public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {
    self.alignment = alignment
    self.spacing = spacing
    self.content = content()
  }

  @MainActor func makeRenderNode(in graph: Graph) -> LazyStackRenderNode {
    LazyStackRenderNode(graph: graph, axis: .horizontal)
  }

  @MainActor func updateRenderNode(_ render: LazyStackRenderNode, environment: EnvironmentValues) {
    render.spacing = spacing ?? 8
    render.alignment = Alignment(horizontal: .center, vertical: alignment)
  }
}
