extension View {
  /// Cuts the view to a shape.
  nonisolated public func clipShape<S: Shape>(_ shape: S, style: FillStyle = FillStyle()) -> some View {
    ClipView(content: self, shape: shape)
  }

  /// Cuts the view to its frame.
  nonisolated public func clipped() -> some View { clipShape(Rectangle()) }

  nonisolated public func cornerRadius(_ radius: CGFloat) -> some View {
    clipShape(RoundedRectangle(cornerRadius: radius, style: .circular))
  }

  /// A shadow of all the view draws; `radius` in points.
  nonisolated public func shadow(
    color: Color = Color(white: 0, opacity: 0.33), radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0
  ) -> some View {
    ShadowView(content: self, color: color, radius: radius, offset: CGSize(width: x.bounded, height: y.bounded))
  }

  /// A border inside the view's frame.
  nonisolated public func border<S: ShapeStyle>(_ content: S, width: CGFloat = 1) -> some View {
    overlay(Rectangle().strokeBorder(content, lineWidth: width))
  }
}

/// How a shape is filled. Easel fills by the winding rule, antialiased.
public struct FillStyle: Equatable, Sendable {
  public init() {}
}

nonisolated struct ClipView<Content: View, S: Shape>: RenderableView {
  let content: Content
  let shape: S

  @MainActor func makeRenderNode(in graph: Graph) -> ClipRenderNode { ClipRenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: ClipRenderNode, environment: EnvironmentValues) {
    render.shape = shape
    render.setNeedsDisplay()
  }
}

final class ClipRenderNode: RenderNode {
  var shape: any Shape = Rectangle()

  override func draw(in context: inout DrawingContext) {
    guard context.canSee(bounds) else { return drawUnseen(in: &context) }
    context.clipped(to: shape.path(in: context.snapped(bounds))) { super.draw(in: &$0) }
  }

  /// What lies outside is still walked, so that pictures let go of their pixels.
  private func drawUnseen(in context: inout DrawingContext) {
    context.clipped(to: Path(bounds)) { super.draw(in: &$0) }
  }

  override func hitTest(_ point: CGPoint) -> RenderNode? {
    bounds.contains(point) ? super.hitTest(point) : nil
  }
}

nonisolated struct ShadowView<Content: View>: RenderableView {
  let content: Content
  let color: Color
  let radius: CGFloat
  let offset: CGSize

  @MainActor func makeRenderNode(in graph: Graph) -> ShadowRenderNode { ShadowRenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: ShadowRenderNode, environment: EnvironmentValues) {
    render.shadow = DisplayList.Shadow(
      color: color.resolve(in: environment), radius: max(0, radius.bounded), offset: offset)
  }
}

final class ShadowRenderNode: RenderNode {
  @Redraw var shadow = DisplayList.Shadow(color: .clear, radius: 0, offset: .zero)

  override func draw(in context: inout DrawingContext) {
    let reach = shadow.radius * 2 + max(abs(shadow.offset.width), abs(shadow.offset.height))
    guard context.canSee(bounds, outset: reach) else { return super.draw(in: &context) }
    context.withShadow(shadow) { super.draw(in: &$0) }
  }
}
