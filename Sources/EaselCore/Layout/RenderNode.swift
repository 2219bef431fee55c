/// A rectangle on the screen: its size, its place in its parent, and what it draws.
///
/// Layout is SwiftUI's: a parent proposes a size, the child answers with its own (`sizeThatFits`), the parent puts it
/// somewhere (`place`). Invariants: answers are kept per proposal until something below changes; a node whose
/// subtree is unchanged and that is placed with the same proposal is not laid out again; `frame` is finite and never
/// negative whatever a subclass answers.
///
/// A subclass overrides `sizeThatFits`, `placeChildren` and `draw`, and marks its inputs with `@Relayout` or
/// `@Redraw`.
@MainActor public class RenderNode {
  let graph: Graph
  private(set) weak var parent: RenderNode?
  /// The node this is the rectangle of; its child nodes supply the child rectangles.
  weak var owner: Node?
  /// In the parent's coordinates, points.
  private(set) var frame = CGRect.zero
  private var ownTraits = TraitValues()
  var transition: TransitionState?
  /// Whether the clock may hold animations of this node.
  var hasAnimated = false

  private var resolvedChildren: [RenderNode] = []
  private var childrenAreDirty = true
  private var sizes: [(proposal: ProposedViewSize, size: CGSize)] = []
  private var layoutIsDirty = true
  private var lastProposal: ProposedViewSize?
  /// The size the children were last placed in.
  private var arrangedSize: CGSize?

  init(graph: Graph) { self.graph = graph }

  // MARK: Traits

  /// What the view tells its container; a modifier passes on what its content tells: `.tag(1).padding()` is tagged.
  final func trait<Key: TraitKey>(_ key: Key.Type) -> Key.Value {
    var node: RenderNode? = self
    while let current = node {
      if current.ownTraits.contains(key) { return current.ownTraits[key] }
      node = current.decorated
    }
    return Key.defaultValue
  }

  final func setTrait<Key: TraitKey>(_ key: Key.Type, _ value: Key.Value) { ownTraits[key] = value }

  // MARK: Children

  /// All children, those that are leaving included, back to front.
  final var children: [RenderNode] {
    if childrenAreDirty {
      childrenAreDirty = false
      resolvedChildren = inDrawingOrder(resolveChildren())
      for child in resolvedChildren { child.parent = self }
    }
    return resolvedChildren
  }

  /// The children that take part in the layout.
  final var arrangedChildren: [RenderNode] {
    let all = children
    return all.contains { $0.isLeaving } ? all.filter { !$0.isLeaving } : all
  }

  /// The children that can be touched and spoken of.
  var reachableChildren: [RenderNode] { arrangedChildren }

  final var isLeaving: Bool { transition?.isLeaving == true }

  /// What this node only adds to, as a padding or a background does; nil for a container of several.
  var decorated: RenderNode? { children.count == 1 ? children.first : nil }

  func resolveChildren() -> [RenderNode] {
    var list: [RenderNode] = []
    for node in owner?.children ?? [] { node.collectRenderNodes(into: &list) }
    return list
  }

  final func setChildrenDirty() {
    childrenAreDirty = true
    childrenInvalidated()
    setNeedsLayout()
  }

  /// A subclass has chosen other children, during layout.
  final func forgetChildren() { childrenAreDirty = true }

  /// The nodes below have changed their structure.
  func childrenInvalidated() {}

  /// Takes in a child that is not among those of the node, such as a row made during layout.
  final func adopt(_ child: RenderNode) { child.parent = self }

  /// The node is gone; what it kept for drawing is let go.
  func detach() {
    parent = nil
    if hasAnimated { graph.animations.stopAnimations(of: self) }
    releaseDrawingResources()
  }

  /// Whether `zIndex` decides what is in front; the order of layout is then another.
  var ordersByZIndex: Bool { false }

  private func inDrawingOrder(_ nodes: [RenderNode]) -> [RenderNode] {
    guard ordersByZIndex, nodes.contains(where: { $0.trait(ZIndexTrait.self) != 0 }) else { return nodes }
    return nodes.enumerated()
      .sorted { ($0.element.trait(ZIndexTrait.self), $0.offset) < ($1.element.trait(ZIndexTrait.self), $1.offset) }
      .map(\.element)
  }

  // MARK: Layout, for subclasses

  func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    arrangedChildren.reduce(into: CGSize.zero) { union, child in
      let size = child.measure(proposal)
      union = CGSize(width: max(union.width, size.width), height: max(union.height, size.height))
    }
  }

  /// Places the children in `size`, which is this node's answer to `proposal`.
  func placeChildren(in size: CGSize, proposal: ProposedViewSize) {
    for child in arrangedChildren {
      let inner = child.measure(proposal)
      child.place(at: Alignment.center.origin(of: inner, in: size), proposal: proposal)
    }
    keepLeavingCentered(in: size)
  }

  /// For containers that lay their children over each other around their middle: what leaves keeps its place there
  /// when what replaces it makes the container larger or smaller.
  final func keepLeavingCentered(in size: CGSize) {
    guard let old = arrangedSize, old != size else { return }
    for child in children where child.isLeaving {
      child.frame = child.frame.offsetBy(dx: (size.width - old.width) / 2, dy: (size.height - old.height) / 2)
    }
  }

  /// The distance from the top to a text baseline; nil where there is no text.
  func baseline(_ baseline: Baseline, size: CGSize) -> CGFloat? {
    guard let child = arrangedChildren.first else { return nil }
    let inner = child.measure(ProposedViewSize(size))
    return child.baseline(baseline, size: inner).map { $0 + (size.height - inner.height) / 2 }
  }

  // MARK: Layout, for parents

  final func measure(_ proposal: ProposedViewSize) -> CGSize {
    let proposal = proposal.sanitized
    for entry in sizes where entry.proposal == proposal { return entry.size }
    let size = sizeThatFits(proposal).sanitized
    // A stack asks each child for its extremes, its ideal and its share; more proposals than that are rare.
    if sizes.count >= 8 { sizes.removeFirst() }
    sizes.append((proposal, size))
    return size
  }

  final func place(at origin: CGPoint, proposal: ProposedViewSize) {
    let proposal = proposal.sanitized
    let measured = measure(proposal)
    let size = CGSize(width: measured.width.bounded, height: measured.height.bounded)
    let isUnchanged = !layoutIsDirty && proposal == lastProposal && size == frame.size
    frame = CGRect(origin: CGPoint(x: origin.x.bounded, y: origin.y.bounded), size: size)
    guard !isUnchanged else { return }
    lastProposal = proposal
    layoutIsDirty = false
    placeChildren(in: size, proposal: proposal)
    arrangedSize = size
  }

  /// Lays out the root of a window: exactly `size`, whatever it would take.
  final func fill(_ size: CGSize) {
    frame = CGRect(x: 0, y: 0, width: size.width.bounded, height: size.height.bounded)
    layoutIsDirty = false
    placeChildren(in: frame.size, proposal: ProposedViewSize(frame.size))
    arrangedSize = frame.size
  }

  /// Sizes below may have changed: everything from here to the root must ask again.
  final func setNeedsLayout() {
    var node: RenderNode? = self
    while let current = node {
      // All above are in the same state already.
      if current !== self, current.layoutIsDirty, current.sizes.isEmpty { break }
      current.sizes.removeAll(keepingCapacity: true)
      current.layoutIsDirty = true
      current.layoutInvalidated()
      node = current.parent
    }
    graph.layoutIsDirty = true
    graph.requestFrame()
  }

  /// Something below must be laid out again; kept answers of a subclass are void.
  func layoutInvalidated() {}

  final func setNeedsDisplay() { graph.requestFrame() }

  /// This node's origin in the coordinates of an ancestor; nil if it is none.
  final func origin(in ancestor: RenderNode) -> CGPoint? {
    var point = CGPoint.zero
    var node: RenderNode? = self
    while let current = node, current !== ancestor {
      let offset = current.parent?.contentOffset ?? .zero
      point.x += current.frame.minX - offset.x
      point.y += current.frame.minY - offset.y
      node = current.parent
    }
    return node == nil ? nil : point
  }

  /// Whether rows are asked for one by one (`Node.row(at:)`).
  var laysOutRowsLazily: Bool { false }

  /// How far the children are scrolled.
  var contentOffset: CGPoint { .zero }

  // MARK: Drawing, for subclasses

  /// Draws into a coordinate system whose origin is the top leading corner of `frame`.
  func draw(in context: inout DrawingContext) {
    for child in children { child.render(in: &context) }
  }

  /// Whether the node or anything below draws outside `frame` in a way that culling must allow for.
  var drawingOutset: CGFloat { 0 }

  /// The paint this node fills its whole rectangle with, if that is all it draws.
  var plainFill: Paint? { nil }

  /// Lets go of what can be made again when the node is next drawn.
  func releaseDrawingResources() {}

  /// Draws the node in its parent's coordinates, with its transition.
  final func render(in context: inout DrawingContext) {
    guard frame.width.isFinite, frame.height.isFinite else { return }
    if let transition {
      renderTransition(transition, in: &context)
    } else {
      context.translated(by: frame.origin) { draw(in: &$0) }
    }
  }

  private func renderTransition(_ transition: TransitionState, in context: inout DrawingContext) {
    let distance = transition.distance
    let effect = transition.effect
    let away = effect.displacement(of: frame.size)
    let scale = CGFloat(1).interpolated(to: effect.scale, by: distance)
    let offset = CGPoint(x: frame.minX + away.width * distance, y: frame.minY + away.height * distance)
    let anchor = CGPoint(x: frame.width * effect.anchor.x, y: frame.height * effect.anchor.y)
    context.withOpacity(1.0.interpolated(to: effect.opacity, by: distance)) { context in
      context.translated(by: offset) { context in
        context.scaled(x: scale, y: scale, anchor: anchor) { draw(in: &$0) }
      }
    }
  }

  // MARK: Events and accessibility, for subclasses

  /// The front-most node at `point` (own coordinates) that shows something.
  func hitTest(_ point: CGPoint) -> RenderNode? {
    for child in reachableChildren.reversed() {
      let local = child.convertFromParent(CGPoint(x: point.x + contentOffset.x, y: point.y + contentOffset.y))
      if let hit = child.hitTest(local) { return hit }
    }
    return isOpaqueToHits && bounds.contains(point) ? self : nil
  }

  /// Whether the rectangle itself is something one can tap.
  var isOpaqueToHits: Bool { false }

  func convertFromParent(_ point: CGPoint) -> CGPoint {
    CGPoint(x: point.x - frame.minX, y: point.y - frame.minY)
  }

  final var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }

  /// What this node and its children say to assistive technology; `origin` is this node's in the window.
  func collectAccessibility(into list: inout [AccessibilityElement], at origin: CGPoint) {
    for child in reachableChildren {
      let offset = contentOffset
      child.collectAccessibility(
        into: &list,
        at: CGPoint(x: origin.x + child.frame.minX - offset.x, y: origin.y + child.frame.minY - offset.y))
    }
  }
}

/// An input of a `RenderNode` whose change makes it lay itself out again.
@propertyWrapper
struct Relayout<Value> {
  private var value: Value

  init(wrappedValue: Value) { value = wrappedValue }

  @available(*, unavailable, message: "only in subclasses of RenderNode")
  var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  @MainActor
  static subscript<Owner: RenderNode>(
    _enclosingInstance owner: Owner, wrapped wrapped: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Relayout<Value>>
  ) -> Value {
    get { owner[keyPath: storage].value }
    set {
      guard !areEqual(owner[keyPath: storage].value, newValue) else { return }
      owner[keyPath: storage].value = newValue
      owner.setNeedsLayout()
    }
  }
}

/// An input of a `RenderNode` whose change makes it draw again.
@propertyWrapper
struct Redraw<Value> {
  private var value: Value

  init(wrappedValue: Value) { value = wrappedValue }

  @available(*, unavailable, message: "only in subclasses of RenderNode")
  var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  @MainActor
  static subscript<Owner: RenderNode>(
    _enclosingInstance owner: Owner, wrapped wrapped: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Redraw<Value>>
  ) -> Value {
    get { owner[keyPath: storage].value }
    set {
      guard !areEqual(owner[keyPath: storage].value, newValue) else { return }
      owner[keyPath: storage].value = newValue
      owner.setNeedsDisplay()
    }
  }
}
