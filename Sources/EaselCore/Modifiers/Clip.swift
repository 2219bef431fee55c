extension View {
  /// Cuts the view to a shape; `style` tells what of it is inside and whether its edge is smoothed.
  nonisolated public func clipShape<S: Shape>(_ shape: S, style: FillStyle = FillStyle()) -> some View {
    ClipView(content: self, shape: shape, style: style)
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

/// How a shape is filled.
public struct FillStyle: Equatable, Sendable {
  /// Whether what lies within an even number of outlines is left out; what no outline winds round is, otherwise.
  public var isEOFilled: Bool
  /// Whether pixels that the edge crosses are covered in part.
  public var isAntialiased: Bool

  public init(eoFill: Bool = false, antialiased: Bool = true) {
    isEOFilled = eoFill
    isAntialiased = antialiased
  }
}

extension Path {
  /// The path, filled or clipped to as `style` says. A path that asks for the even-odd rule by itself keeps it.
  func filled(by style: FillStyle) -> Path {
    var path = self
    if style.isEOFilled { path.usesEvenOddRule = true }
    path.isAntialiased = style.isAntialiased
    return path
  }
}

nonisolated struct ClipView<Content: View, S: Shape>: RenderableView {
  let content: Content
  let shape: S
  let style: FillStyle

  @MainActor func makeRenderNode(in graph: Graph) -> ClipRenderNode { ClipRenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: ClipRenderNode, environment: EnvironmentValues) {
    render.shape = shape
    render.style = style
    render.setNeedsDisplay()
  }
}

final class ClipRenderNode: RenderNode {
  var shape: any Shape = Rectangle()
  var style = FillStyle()

  override func draw(in context: inout DrawingContext) {
    guard context.canSee(bounds) else { return drawUnseen(in: &context) }
    context.clipped(to: shape.path(in: context.snapped(bounds)).filled(by: style)) { super.draw(in: &$0) }
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
