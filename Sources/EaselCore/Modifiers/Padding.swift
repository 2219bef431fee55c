extension View {
  /// Adds space at the given edges; nil is 16 points.
  nonisolated public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
    padding(EdgeInsets(edges, length ?? 16))
  }

  /// Adds the same space at every edge.
  nonisolated public func padding(_ length: CGFloat) -> some View { padding(EdgeInsets(.all, length)) }

  nonisolated public func padding(_ insets: EdgeInsets) -> some View {
    PaddingView(content: self, insets: insets)
  }
}

nonisolated struct PaddingView<Content: View>: RenderableView {
  let content: Content
  let insets: EdgeInsets

  @MainActor func makeRenderNode(in graph: Graph) -> PaddingRenderNode {
    PaddingRenderNode(graph: graph, insets: insets)
  }

  @MainActor func updateRenderNode(_ render: PaddingRenderNode, environment: EnvironmentValues) {
    render.insets.set(insets, on: render) { [weak render] in render?.setNeedsLayout() }
  }
}

extension EdgeInsets: Interpolatable {
  func interpolated(to end: EdgeInsets, by fraction: Double) -> EdgeInsets {
    EdgeInsets(
      top: top.interpolated(to: end.top, by: fraction), leading: leading.interpolated(to: end.leading, by: fraction),
      bottom: bottom.interpolated(to: end.bottom, by: fraction),
      trailing: trailing.interpolated(to: end.trailing, by: fraction))
  }
}

/// Space around its child; negative insets let the child reach beyond.
final class PaddingRenderNode: RenderNode {
  let insets: Animated<EdgeInsets>

  init(graph: Graph, insets: EdgeInsets) {
    self.insets = Animated(insets)
    super.init(graph: graph)
  }

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    let insets = insets.value
    let inner = super.sizeThatFits(proposal.inset(by: insets))
    return CGSize(
      width: inner.width + insets.leading + insets.trailing, height: inner.height + insets.top + insets.bottom)
  }

  override func placeChildren(in size: CGSize, proposal: ProposedViewSize) {
    let insets = insets.value
    let offer = proposal.inset(by: insets)
    let inner = CGSize(
      width: size.width - insets.leading - insets.trailing, height: size.height - insets.top - insets.bottom)
    for child in arrangedChildren {
      let origin = Alignment.center.origin(of: child.measure(offer), in: inner)
      child.place(at: CGPoint(x: insets.leading + origin.x, y: insets.top + origin.y), proposal: offer)
    }
  }

  override func baseline(_ baseline: Baseline, size: CGSize) -> CGFloat? {
    let insets = insets.value
    let inner = CGSize(
      width: size.width - insets.leading - insets.trailing, height: size.height - insets.top - insets.bottom)
    return super.baseline(baseline, size: inner.sanitized).map { $0 + insets.top }
  }
}
