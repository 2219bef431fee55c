/// A window onto content that is larger than it: offers the content no limit along its axes, moves it by an offset
/// that always stays within the content, and draws only what can be seen.
final class ScrollRenderNode: RenderNode {
  @Relayout var axes = Axis.Set.vertical
  /// Space above the content, which scrolls away with it; a bar lies over it.
  @Relayout var topInset: CGFloat = 0
  @Redraw var showsIndicators = true
  @Redraw var indicatorColor = RGBA.clear
  private(set) var offset = CGPoint.zero
  private var contentSize = CGSize.zero
  private var followers: [Weak<LazyStackRenderNode>] = []
  private let indicatorOpacity = Animated(0.0)

  override var contentOffset: CGPoint { offset }

  override var decorated: RenderNode? { nil }

  // MARK: Layout

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    let content = super.sizeThatFits(offer(for: proposal))
    return CGSize(
      width: axes.contains(.horizontal) ? proposal.width ?? content.width : content.width,
      height: axes.contains(.vertical) ? proposal.height ?? content.height : content.height)
  }

  override func placeChildren(in size: CGSize, proposal: ProposedViewSize) {
    let offer = offer(for: proposal)
    contentSize = super.sizeThatFits(offer)
    contentSize.height += topInset
    offset = clamped(offset)
    for child in arrangedChildren {
      let inner = child.measure(offer)
      // Across the scrolled axes the content is centred, as in any container of one view.
      let origin = CGPoint(
        x: axes.contains(.horizontal) ? 0 : (size.width - inner.width) / 2,
        y: axes.contains(.vertical) ? topInset : (size.height - inner.height) / 2)
      child.place(at: origin, proposal: offer)
    }
  }

  private func offer(for proposal: ProposedViewSize) -> ProposedViewSize {
    ProposedViewSize(
      width: axes.contains(.horizontal) ? nil : proposal.width,
      height: axes.contains(.vertical) ? nil : proposal.height)
  }

  private func clamped(_ offset: CGPoint) -> CGPoint {
    func clamp(_ value: CGFloat, _ content: CGFloat, _ window: CGFloat, _ axis: Axis.Set) -> CGFloat {
      axes.contains(axis) ? min(max(0, value.bounded), max(0, content - window)) : 0
    }
    return CGPoint(
      x: clamp(offset.x, contentSize.width, frame.width, .horizontal),
      y: clamp(offset.y, contentSize.height, frame.height, .vertical))
  }

  // MARK: Scrolling

  /// Moves the content; false if it could not move in that direction.
  @discardableResult
  func scroll(to target: CGPoint) -> Bool {
    let new = clamped(target)
    guard new != offset else { return false }
    offset = new
    followers.removeAll { $0.value == nil }
    for follower in followers { follower.value?.viewportMoved() }
    flashIndicators()
    setNeedsDisplay()
    return true
  }

  func scroll(by delta: CGSize) -> Bool {
    scroll(to: CGPoint(x: offset.x + delta.width, y: offset.y + delta.height))
  }

  /// Rows above the window turned out larger or smaller than thought: what is seen stays where it is.
  func keepPlace(movedBy delta: CGFloat, along axis: Axis) {
    if axis == .vertical { offset.y = max(0, offset.y + delta) } else { offset.x = max(0, offset.x + delta) }
  }

  func addFollower(_ node: LazyStackRenderNode) {
    guard !followers.contains(where: { $0.value === node }) else { return }
    followers.append(Weak(value: node))
  }

  /// What of `node` lies in the window, in the node's coordinates.
  func visibleRect(of node: RenderNode) -> CGRect? {
    guard let origin = node.origin(in: self) else { return nil }
    // `origin` has the offset taken off already.
    return CGRect(x: -origin.x, y: -origin.y, width: frame.width, height: frame.height)
  }

  private func flashIndicators() {
    indicatorOpacity.jump(to: 1, in: graph)
    graph.withTransaction(Transaction(animation: .easeOut(duration: 0.3).delay(0.8))) {
      indicatorOpacity.set(0, on: self) { [weak self] in self?.setNeedsDisplay() }
    }
  }

  // MARK: Drawing and events

  override func draw(in context: inout DrawingContext) {
    let offset = offset
    context.clipped(to: Path(context.snapped(bounds))) { context in
      context.translated(by: CGPoint(x: -offset.x, y: -offset.y)) { super.draw(in: &$0) }
    }
    guard showsIndicators, indicatorOpacity.value > 0 else { return }
    let paint = Paint.color(indicatorColor.opacity(indicatorOpacity.value))
    if axes.contains(.vertical) { drawIndicator(along: .vertical, with: paint, in: &context) }
    if axes.contains(.horizontal) { drawIndicator(along: .horizontal, with: paint, in: &context) }
  }

  private func drawIndicator(along axis: Axis, with paint: Paint, in context: inout DrawingContext) {
    let window = frame.size.along(axis)
    let content = contentSize.along(axis)
    let inset = 4 + (axis == .vertical ? topInset : 0)
    guard content > window + 0.5, window > inset + 28 else { return }
    let track = window - inset - 4
    let length = max(24, track * window / content)
    let start = inset + (track - length) * offset.along(axis) / (content - window)
    let rect =
      axis == .vertical
      ? CGRect(x: frame.width - 6, y: start, width: 3, height: length)
      : CGRect(x: start, y: frame.height - 6, width: length, height: 3)
    context.fill(Path(roundedRect: rect, cornerRadius: 1.5, style: .circular), with: paint)
  }

  override func hitTest(_ point: CGPoint) -> RenderNode? { bounds.contains(point) ? super.hitTest(point) : nil }

  override func collectAccessibility(into list: inout [AccessibilityElement], at origin: CGPoint) {
    let window = CGRect(origin: origin, size: frame.size)
    var inner: [AccessibilityElement] = []
    super.collectAccessibility(into: &inner, at: origin)
    list += inner.filter { $0.frame.overlaps(window) }
  }
}

extension RenderNode {
  /// The nearest scroll view around this node.
  var enclosingScroll: ScrollRenderNode? {
    var node = parent
    while let current = node {
      if let scroll = current as? ScrollRenderNode { return scroll }
      node = current.parent
    }
    return nil
  }

  /// The scroll views at `point` (own coordinates), innermost first.
  func scrolls(at point: CGPoint) -> [ScrollRenderNode] {
    guard bounds.contains(point) else { return [] }
    for child in reachableChildren.reversed() {
      let local = child.convertFromParent(CGPoint(x: point.x + contentOffset.x, y: point.y + contentOffset.y))
      let found = child.scrolls(at: local)
      if !found.isEmpty { return found + ((self as? ScrollRenderNode).map { [$0] } ?? []) }
    }
    return (self as? ScrollRenderNode).map { [$0] } ?? []
  }

  /// This node's origin in the window.
  var originInWindow: CGPoint {
    var root: RenderNode = self
    while let parent = root.parent { root = parent }
    return origin(in: root) ?? .zero
  }
}
