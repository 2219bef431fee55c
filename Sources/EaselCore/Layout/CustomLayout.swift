/// A type that arranges a collection of views, by SwiftUI's protocol
/// (developer.apple.com/documentation/swiftui/layout).
///
/// `sizeThatFits` may be asked several proposals in one layout; the proposal that counts is the one `placeSubviews` is
/// given. Both are called on the main actor, during `ViewHost.update()`, before the frame is drawn; state set in them is
/// taken up in the same update.
public protocol Layout: Sendable {
  associatedtype Cache = Void
  typealias Subviews = LayoutSubviews

  func makeCache(subviews: Subviews) -> Cache
  func updateCache(_ cache: inout Cache, subviews: Subviews)
  func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout Cache) -> CGSize
  func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout Cache)
}

extension Layout where Cache == Void {
  public func makeCache(subviews: Subviews) {}
}

extension Layout {
  public func updateCache(_ cache: inout Cache, subviews: Subviews) { cache = makeCache(subviews: subviews) }

  /// The views of `content`, arranged by this layout.
  public func callAsFunction<V: View>(@ViewBuilder _ content: () -> V) -> some View {
    CustomLayoutView(layout: self, content: content())
  }
}

/// The views a layout arranges, in order.
public struct LayoutSubviews: RandomAccessCollection, Sendable {
  let nodes: [RenderNode]

  public var startIndex: Int { 0 }
  public var endIndex: Int { nodes.count }
  public subscript(index: Int) -> LayoutSubview { LayoutSubview(node: nodes[index]) }
}

/// One view a layout arranges. Used only inside the layout's methods, which run on the main actor.
public struct LayoutSubview: Equatable, Sendable {
  let node: RenderNode

  public func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    MainActor.assumeIsolated { node.measure(proposal) }
  }

  /// Puts the view's `anchor` at `position`, which is in the coordinates of the bounds the layout was given.
  public func place(at position: CGPoint, anchor: UnitPoint = .topLeading, proposal: ProposedViewSize) {
    MainActor.assumeIsolated {
      let size = node.measure(proposal)
      node.place(
        at: CGPoint(x: position.x - size.width * anchor.x, y: position.y - size.height * anchor.y),
        proposal: proposal)
    }
  }

  public var priority: Double { MainActor.assumeIsolated { node.layoutPriority } }

  public subscript<K: LayoutValueKey>(key: K.Type) -> K.Value where K.Value: Sendable {
    MainActor.assumeIsolated { node.trait(LayoutValueTrait<K>.self) }
  }

  public static func == (first: LayoutSubview, second: LayoutSubview) -> Bool { first.node === second.node }
}

/// Something a view tells the layout around it.
public protocol LayoutValueKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

enum LayoutValueTrait<K: LayoutValueKey>: TraitKey {
  static var defaultValue: K.Value { K.defaultValue }
}

extension View {
  nonisolated public func layoutValue<K: LayoutValueKey>(key: K.Type, value: K.Value) -> some View {
    trait(LayoutValueTrait<K>.self, value)
  }
}

nonisolated struct CustomLayoutView<L: Layout, Content: View>: RenderableView {
  let layout: L
  let content: Content

  @MainActor func makeRenderNode(in graph: Graph) -> CustomLayoutRenderNode<L> {
    CustomLayoutRenderNode(graph: graph, layout: layout)
  }

  @MainActor func updateRenderNode(_ render: CustomLayoutRenderNode<L>, environment: EnvironmentValues) {
    render.layout = layout
  }
}

/// Lets a `Layout` measure and place its children.
final class CustomLayoutRenderNode<L: Layout>: RenderNode {
  @Relayout var layout: L
  private var cache: L.Cache?
  private var cacheIsCurrent = false

  init(graph: Graph, layout: L) {
    self.layout = layout
    super.init(graph: graph)
  }

  override var decorated: RenderNode? { nil }

  override func layoutInvalidated() { cacheIsCurrent = false }

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    let subviews = LayoutSubviews(nodes: arrangedChildren)
    return withCache(for: subviews) { layout.sizeThatFits(proposal: proposal, subviews: subviews, cache: &$0) }
  }

  override func placeChildren(in size: CGSize, proposal: ProposedViewSize) {
    let subviews = LayoutSubviews(nodes: arrangedChildren)
    let bounds = CGRect(origin: .zero, size: size)
    // What the layout leaves alone is centred, as in SwiftUI.
    for child in subviews.nodes {
      child.place(at: Alignment.center.origin(of: child.measure(proposal), in: size), proposal: proposal)
    }
    withCache(for: subviews) {
      layout.placeSubviews(in: bounds, proposal: proposal, subviews: subviews, cache: &$0)
    }
    keepLeavingCentered(in: size)
  }

  private func withCache<Result>(for subviews: LayoutSubviews, _ body: (inout L.Cache) -> Result) -> Result {
    var current = cache ?? layout.makeCache(subviews: subviews)
    if cache != nil, !cacheIsCurrent { layout.updateCache(&current, subviews: subviews) }
    cacheIsCurrent = true
    defer { cache = current }
    return body(&current)
  }
}
