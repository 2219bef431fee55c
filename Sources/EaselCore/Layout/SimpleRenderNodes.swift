/// Children above one another, aligned. Also the root of a window.
class OverlayingRenderNode: RenderNode {
  @Relayout var alignment = Alignment.center

  override var decorated: RenderNode? { nil }
  override var ordersByZIndex: Bool { true }

  override func placeChildren(in size: CGSize, proposal: ProposedViewSize) {
    for child in arrangedChildren {
      let inner = child.measure(proposal)
      child.place(at: alignment.origin(of: inner, in: size), proposal: proposal)
    }
  }
}

/// Takes all it is offered along the axis of its stack, nothing across it; both outside of stacks.
final class SpacerRenderNode: RenderNode {
  @Relayout var minLength: CGFloat = 8

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    guard let axis = (parent as? StackRenderNode)?.axis else {
      return proposal.replacingUnspecifiedDimensions(by: CGSize(width: minLength, height: minLength))
    }
    return CGSize(along: axis, max(minLength, proposal.along(axis) ?? minLength), across: 0)
  }
}

/// A line across the axis of its stack; horizontal elsewhere.
final class DividerRenderNode: RenderNode {
  @Relayout var thickness: CGFloat = 1
  @Redraw var paint = Paint.color(.clear)

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    let isVertical = (parent as? StackRenderNode)?.axis == .horizontal
    return isVertical
      ? CGSize(width: thickness, height: proposal.height ?? 10)
      : CGSize(width: proposal.width ?? 10, height: thickness)
  }

  override func draw(in context: inout DrawingContext) { context.fill(bounds, with: paint) }
}
