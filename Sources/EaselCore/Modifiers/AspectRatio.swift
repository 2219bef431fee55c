/// How something of one aspect ratio fits into a place of another.
public enum ContentMode: Hashable, CaseIterable, Sendable {
  case fit
  case fill
}

extension View {
  /// Offers the view the largest size of this ratio that fits, or the smallest that fills; nil is its ideal ratio.
  nonisolated public func aspectRatio(_ aspectRatio: CGFloat? = nil, contentMode: ContentMode) -> some View {
    AspectRatioView(content: self, ratio: aspectRatio, mode: contentMode)
  }

  nonisolated public func aspectRatio(_ aspectRatio: CGSize, contentMode: ContentMode) -> some View {
    AspectRatioView(content: self, ratio: aspectRatio.width / aspectRatio.height, mode: contentMode)
  }

  nonisolated public func scaledToFit() -> some View { aspectRatio(contentMode: .fit) }

  nonisolated public func scaledToFill() -> some View { aspectRatio(contentMode: .fill) }
}

nonisolated struct AspectRatioView<Content: View>: RenderableView {
  let content: Content
  let ratio: CGFloat?
  let mode: ContentMode

  @MainActor func makeRenderNode(in graph: Graph) -> AspectRatioRenderNode { AspectRatioRenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: AspectRatioRenderNode, environment: EnvironmentValues) {
    render.ratio = ratio
    render.mode = mode
  }
}

/// Changes the offer to its child to one of a given ratio and takes the child's answer as its own size.
final class AspectRatioRenderNode: RenderNode {
  @Relayout var ratio: CGFloat?
  @Relayout var mode = ContentMode.fit

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize { super.sizeThatFits(offer(for: proposal)) }

  override func placeChildren(in size: CGSize, proposal: ProposedViewSize) {
    super.placeChildren(in: size, proposal: offer(for: proposal))
  }

  private func offer(for proposal: ProposedViewSize) -> ProposedViewSize {
    let ideal = super.sizeThatFits(.unspecified)
    let ratio = ratio ?? (ideal.height > 0 ? ideal.width / ideal.height : 1)
    guard ratio > 0, ratio.isFinite else { return proposal }
    switch (proposal.width, proposal.height) {
    case (nil, nil): return ProposedViewSize(width: ideal.width, height: ideal.width / ratio)
    case (let width?, nil): return ProposedViewSize(width: width, height: width / ratio)
    case (nil, let height?): return ProposedViewSize(width: height * ratio, height: height)
    case (let width?, let height?):
      // Compared by multiplication: an infinite offer is then simply the larger one.
      let widthDecides = (width < height * ratio) == (mode == .fit)
      return widthDecides
        ? ProposedViewSize(width: width, height: width / ratio)
        : ProposedViewSize(width: height * ratio, height: height)
    }
  }
}
