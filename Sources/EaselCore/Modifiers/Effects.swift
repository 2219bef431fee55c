extension View {
  /// Fades the view and all it contains as one.
  nonisolated public func opacity(_ opacity: Double) -> some View {
    EffectView(content: self, effect: VisualEffect(opacity: opacity.isNaN ? 1 : min(1, max(0, opacity))))
  }

  /// Draws the view somewhere else; the layout does not notice.
  nonisolated public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View {
    offset(CGSize(width: x, height: y))
  }

  nonisolated public func offset(_ offset: CGSize) -> some View {
    EffectView(
      content: self, effect: VisualEffect(offset: CGSize(width: offset.width.bounded, height: offset.height.bounded)))
  }

  /// Draws the view larger or smaller about `anchor`.
  nonisolated public func scaleEffect(_ s: CGFloat, anchor: UnitPoint = .center) -> some View {
    scaleEffect(x: s, y: s, anchor: anchor)
  }

  nonisolated public func scaleEffect(_ scale: CGSize, anchor: UnitPoint = .center) -> some View {
    scaleEffect(x: scale.width, y: scale.height, anchor: anchor)
  }

  nonisolated public func scaleEffect(x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center) -> some View {
    EffectView(
      content: self, effect: VisualEffect(scale: CGSize(width: x.bounded, height: y.bounded), anchor: anchor))
  }

  /// Draws the view turned about `anchor`, clockwise.
  nonisolated public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some View {
    EffectView(
      content: self, effect: VisualEffect(rotation: angle.radians.isFinite ? angle.radians : 0, anchor: anchor))
  }

  /// Keeps the view's place without showing it; it does not answer taps.
  nonisolated public func hidden() -> some View {
    EffectView(content: self, effect: VisualEffect(opacity: 0))
  }
}

/// How a view is drawn apart from its layout.
struct VisualEffect: Equatable, Interpolatable {
  var opacity = 1.0
  var offset = CGSize.zero
  var scale = CGSize(width: 1, height: 1)
  /// Radians, clockwise.
  var rotation = 0.0
  var anchor = UnitPoint.center

  func interpolated(to end: VisualEffect, by fraction: Double) -> VisualEffect {
    VisualEffect(
      opacity: opacity.interpolated(to: end.opacity, by: fraction),
      offset: offset.interpolated(to: end.offset, by: fraction),
      scale: scale.interpolated(to: end.scale, by: fraction),
      rotation: rotation.interpolated(to: end.rotation, by: fraction), anchor: end.anchor)
  }
}

nonisolated struct EffectView<Content: View>: RenderableView {
  let content: Content
  let effect: VisualEffect

  @MainActor func makeRenderNode(in graph: Graph) -> EffectRenderNode {
    EffectRenderNode(graph: graph, effect: effect)
  }

  @MainActor func updateRenderNode(_ render: EffectRenderNode, environment: EnvironmentValues) {
    render.effect.set(effect, on: render) { [weak render] in render?.setNeedsDisplay() }
  }
}

/// Draws its child faded, moved, scaled or turned; animated without a new layout.
final class EffectRenderNode: RenderNode {
  let effect: Animated<VisualEffect>

  init(graph: Graph, effect: VisualEffect) {
    self.effect = Animated(effect)
    super.init(graph: graph)
  }

  override func draw(in context: inout DrawingContext) {
    let effect = effect.value
    let anchor = CGPoint(x: frame.width * effect.anchor.x, y: frame.height * effect.anchor.y)
    context.withOpacity(effect.opacity) { context in
      context.translated(by: CGPoint(x: effect.offset.width, y: effect.offset.height)) { context in
        context.scaled(x: effect.scale.width, y: effect.scale.height, anchor: anchor) { context in
          context.rotated(by: Angle(radians: effect.rotation), anchor: anchor) { super.draw(in: &$0) }
        }
      }
    }
  }

  override func hitTest(_ point: CGPoint) -> RenderNode? {
    let effect = effect.target
    guard effect.opacity > 0, effect.scale.width != 0, effect.scale.height != 0 else { return nil }
    let anchor = CGPoint(x: frame.width * effect.anchor.x, y: frame.height * effect.anchor.y)
    // The drawing's steps undone, in reverse.
    let x = (point.x - effect.offset.width - anchor.x) / effect.scale.width
    let y = (point.y - effect.offset.height - anchor.y) / effect.scale.height
    let (sine, cosine) = (sin(-effect.rotation), cos(-effect.rotation))
    return super.hitTest(CGPoint(x: anchor.x + x * cosine - y * sine, y: anchor.y + x * sine + y * cosine))
  }

  override func collectAccessibility(into list: inout [AccessibilityElement], at origin: CGPoint) {
    let effect = effect.target
    guard effect.opacity > 0 else { return }
    super.collectAccessibility(
      into: &list, at: CGPoint(x: origin.x + effect.offset.width, y: origin.y + effect.offset.height))
  }
}
