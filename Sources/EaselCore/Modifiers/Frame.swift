extension View {
  /// Gives the view a fixed width, height or both; nil leaves that direction as it is.
  nonisolated public func frame(
    width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center
  ) -> some View {
    FrameView(content: self, limits: FrameLimits(width: width, height: height), alignment: alignment)
  }

  /// Bounds the view's size. A maximum makes the frame take what it is offered up to it; an ideal is used where nothing
  /// is offered.
  nonisolated public func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
    idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
  ) -> some View {
    FrameView(
      content: self,
      limits: FrameLimits(
        minWidth: minWidth, idealWidth: idealWidth, maxWidth: maxWidth, minHeight: minHeight,
        idealHeight: idealHeight, maxHeight: maxHeight),
      alignment: alignment)
  }

  /// Lets the view take its ideal size in the given directions whatever it is offered.
  nonisolated public func fixedSize(horizontal: Bool, vertical: Bool) -> some View {
    FixedSizeView(content: self, horizontal: horizontal, vertical: vertical)
  }

  nonisolated public func fixedSize() -> some View { fixedSize(horizontal: true, vertical: true) }
}

/// Lengths in points; nil does not bound.
struct FrameLimits: Equatable, Interpolatable {
  var width: CGFloat?
  var height: CGFloat?
  var minWidth: CGFloat?
  var idealWidth: CGFloat?
  var maxWidth: CGFloat?
  var minHeight: CGFloat?
  var idealHeight: CGFloat?
  var maxHeight: CGFloat?

  func interpolated(to end: FrameLimits, by fraction: Double) -> FrameLimits {
    var result = end
    result.width = width.interpolated(to: end.width, by: fraction)
    result.height = height.interpolated(to: end.height, by: fraction)
    return result
  }
}

nonisolated struct FrameView<Content: View>: RenderableView {
  let content: Content
  let limits: FrameLimits
  let alignment: Alignment

  @MainActor func makeRenderNode(in graph: Graph) -> FrameRenderNode {
    FrameRenderNode(graph: graph, limits: limits)
  }

  @MainActor func updateRenderNode(_ render: FrameRenderNode, environment: EnvironmentValues) {
    render.alignment = alignment
    render.limits.set(limits, on: render) { [weak render] in render?.setNeedsLayout() }
  }
}

/// An invisible frame around its child. Sizes follow SwiftUI: a fixed length is taken as it is; with a minimum or
/// maximum the offer is clamped to them, and where only one is given the child's own size stands in for the other.
final class FrameRenderNode: RenderNode {
  let limits: Animated<FrameLimits>
  @Relayout var alignment = Alignment.center

  init(graph: Graph, limits: FrameLimits) {
    self.limits = Animated(limits)
    super.init(graph: graph)
  }

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    let limits = limits.value
    let offer = offer(for: proposal)
    let child = super.sizeThatFits(offer)
    return CGSize(
      width: Self.length(
        fixed: limits.width, minimum: limits.minWidth, maximum: limits.maxWidth, ideal: limits.idealWidth,
        proposal: proposal.width, child: child.width),
      height: Self.length(
        fixed: limits.height, minimum: limits.minHeight, maximum: limits.maxHeight, ideal: limits.idealHeight,
        proposal: proposal.height, child: child.height))
  }

  override func placeChildren(in size: CGSize, proposal: ProposedViewSize) {
    let offer = offer(for: proposal)
    for child in arrangedChildren {
      child.place(at: alignment.origin(of: child.measure(offer), in: size), proposal: offer)
    }
  }

  private func offer(for proposal: ProposedViewSize) -> ProposedViewSize {
    let limits = limits.value
    return ProposedViewSize(
      width: Self.offer(
        fixed: limits.width, minimum: limits.minWidth, maximum: limits.maxWidth, ideal: limits.idealWidth,
        proposal: proposal.width),
      height: Self.offer(
        fixed: limits.height, minimum: limits.minHeight, maximum: limits.maxHeight, ideal: limits.idealHeight,
        proposal: proposal.height)
    ).sanitized
  }

  private static func offer(
    fixed: CGFloat?, minimum: CGFloat?, maximum: CGFloat?, ideal: CGFloat?, proposal: CGFloat?
  ) -> CGFloat? {
    if let fixed { return fixed }
    guard let length = proposal ?? ideal else { return nil }
    return max(minimum ?? 0, min(length, maximum ?? .infinity))
  }

  private static func length(
    fixed: CGFloat?, minimum: CGFloat?, maximum: CGFloat?, ideal: CGFloat?, proposal: CGFloat?, child: CGFloat
  ) -> CGFloat {
    if let fixed { return fixed }
    guard let proposal else { return max(minimum ?? 0, min(ideal ?? child, maximum ?? .infinity)) }
    guard minimum != nil || maximum != nil else { return child }
    // A bound that is not given is the child's own size.
    let low = minimum ?? min(child, maximum ?? child)
    let high = maximum ?? max(child, low)
    return max(low, min(proposal, high))
  }
}

nonisolated struct FixedSizeView<Content: View>: RenderableView {
  let content: Content
  let horizontal: Bool
  let vertical: Bool

  @MainActor func makeRenderNode(in graph: Graph) -> FixedSizeRenderNode { FixedSizeRenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: FixedSizeRenderNode, environment: EnvironmentValues) {
    render.horizontal = horizontal
    render.vertical = vertical
  }
}

final class FixedSizeRenderNode: RenderNode {
  @Relayout var horizontal = false
  @Relayout var vertical = false

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize { super.sizeThatFits(offer(for: proposal)) }

  override func placeChildren(in size: CGSize, proposal: ProposedViewSize) {
    super.placeChildren(in: size, proposal: offer(for: proposal))
  }

  private func offer(for proposal: ProposedViewSize) -> ProposedViewSize {
    ProposedViewSize(width: horizontal ? nil : proposal.width, height: vertical ? nil : proposal.height)
  }
}
