extension View {
  /// The shape that answers taps in place of what the view draws.
  nonisolated public func contentShape<S: Shape>(_ shape: S) -> some View {
    HitView(content: self, shape: shape, isEnabled: true)
  }

  /// Whether the view and what it contains answer taps; those behind it do otherwise.
  nonisolated public func allowsHitTesting(_ enabled: Bool) -> some View {
    HitView(content: self, shape: nil, isEnabled: enabled)
  }
}

nonisolated struct HitView<Content: View>: RenderableView {
  let content: Content
  let shape: (any Shape)?
  let isEnabled: Bool

  @MainActor func makeRenderNode(in graph: Graph) -> HitRenderNode { HitRenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: HitRenderNode, environment: EnvironmentValues) {
    render.shape = shape
    render.isEnabled = isEnabled
  }
}

final class HitRenderNode: RenderNode {
  var shape: (any Shape)?
  var isEnabled = true

  override func hitTest(_ point: CGPoint) -> RenderNode? {
    guard isEnabled else { return nil }
    if let hit = super.hitTest(point) { return hit }
    // The shape's box: an outline test finer than that no finger can feel.
    guard let shape else { return nil }
    return shape.path(in: bounds).boundingRect.contains(point) ? self : nil
  }
}
