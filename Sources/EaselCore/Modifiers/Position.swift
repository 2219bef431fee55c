extension View {
  /// Takes all that is offered and puts the view's centre at a point in it.
  nonisolated public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View {
    PositionView(content: self, center: CGPoint(x: x, y: y))
  }

  nonisolated public func position(_ position: CGPoint) -> some View {
    PositionView(content: self, center: position)
  }

  /// The order among siblings that overlap: higher is in front; 0 unless set.
  nonisolated public func zIndex(_ value: Double) -> some View { trait(ZIndexTrait.self, value.isNaN ? 0 : value) }

  /// Lets the view reach into areas the system covers. Windows here have none, so it fills the same place.
  nonisolated public func ignoresSafeArea(_ regions: SafeAreaRegions = .all, edges: Edge.Set = .all) -> some View {
    self
  }

  nonisolated public func edgesIgnoringSafeArea(_ edges: Edge.Set) -> some View { self }
}

/// Areas the system covers.
public struct SafeAreaRegions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let container = SafeAreaRegions(rawValue: 1)
  public static let keyboard = SafeAreaRegions(rawValue: 2)
  public static let all: SafeAreaRegions = [.container, .keyboard]
}

enum ZIndexTrait: TraitKey {
  static var defaultValue: Double { 0 }
}

nonisolated struct PositionView<Content: View>: RenderableView {
  let content: Content
  let center: CGPoint

  @MainActor func makeRenderNode(in graph: Graph) -> PositionRenderNode {
    PositionRenderNode(graph: graph, center: center)
  }

  @MainActor func updateRenderNode(_ render: PositionRenderNode, environment: EnvironmentValues) {
    render.center.set(CGSize(width: center.x, height: center.y), on: render) { [weak render] in
      render?.setNeedsLayout()
    }
  }
}

final class PositionRenderNode: RenderNode {
  /// The centre as a distance from the origin.
  let center: Animated<CGSize>

  init(graph: Graph, center: CGPoint) {
    self.center = Animated(CGSize(width: center.x, height: center.y))
    super.init(graph: graph)
  }

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    proposal.replacingUnspecifiedDimensions(by: super.sizeThatFits(proposal))
  }

  override func placeChildren(in size: CGSize, proposal: ProposedViewSize) {
    let center = center.value
    for child in arrangedChildren {
      let inner = child.measure(proposal)
      child.place(
        at: CGPoint(x: center.width - inner.width / 2, y: center.height - inner.height / 2), proposal: proposal)
    }
  }
}
