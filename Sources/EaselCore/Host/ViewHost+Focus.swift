/// The keyboard's focus: which control the keys act on, the ring around it, and how it moves.
///
/// Invariants: what has the focus is on the screen and enabled, or else nothing has it; a press with the pointer ends
/// it, so that a ring is seen only while the keyboard is in use.
extension ViewHost {
  /// Where the focus goes: in reading order, round and round.
  public enum FocusDirection: Sendable {
    case next, previous
  }

  /// What has the focus; nil while nothing has.
  public var focusedElement: AccessibilityElement? {
    guard let node = focusedNode else { return nil }
    let id = AccessibilityElement.ID(node: ObjectIdentifier(node))
    return accessibilityTree().first { $0.id == id && $0.isFocusable }
  }

  /// Gives the focus to an element of `accessibilityTree()`, and scrolls it into view. False where it is gone or cannot
  /// have it; the focus then stays where it is. Nil takes it away.
  @discardableResult
  public func focus(_ id: AccessibilityElement.ID?) -> Bool {
    guard let id else {
      if focusedNode != nil { graph.requestFrame() }
      focusedNode = nil
      return true
    }
    guard accessibilityTree().contains(where: { $0.id == id && $0.isFocusable }),
      let node = rootRender.descendant(id.node)
    else { return false }
    focusedNode = node
    node.scrollIntoView(margin: 12)
    graph.requestFrame()
    return true
  }

  /// Moves the focus to the next or the previous control, and scrolls for it. False if there is none.
  @discardableResult
  public func moveFocus(_ direction: FocusDirection) -> Bool {
    let reachable = reachableIDs
    guard !reachable.isEmpty else { return false }
    let current = focusedNode.map { AccessibilityElement.ID(node: ObjectIdentifier($0)) }
    guard let current, let node = focusedNode, let index = reachable.firstIndex(of: current) else {
      return focus(direction == .next ? reachable.first : reachable.last)
    }
    let step = direction == .next ? 1 : reachable.count - 1
    let following = reachable[(index + step) % reachable.count]
    let isAtEnd = index == (direction == .next ? reachable.count - 1 : 0)
    if let scroll = node.enclosingScroll, isAtEnd || !contains(scroll, following),
      focusBeyondEdge(of: scroll, direction, seen: Set(reachable))
    {
      return true
    }
    return focus(following)
  }

  private var reachableIDs: [AccessibilityElement.ID] {
    accessibilityTree().filter(\.isFocusable).compactMap(\.id)
  }

  private func contains(_ scroll: ScrollRenderNode, _ id: AccessibilityElement.ID) -> Bool {
    scroll.descendant(id.node) != nil
  }

  /// The focus has come to the last control that a scroll view shows: goes on to what lies beyond the edge, a few
  /// windows far at most. Otherwise the scroll view is left as it was.
  private func focusBeyondEdge(
    of scroll: ScrollRenderNode, _ direction: FocusDirection, seen: Set<AccessibilityElement.ID>
  ) -> Bool {
    let start = scroll.offset
    let sign: CGFloat = direction == .next ? 0.5 : -0.5
    for _ in 0..<8 {
      let step = CGSize(
        width: scroll.axes.contains(.horizontal) ? scroll.frame.width * sign : 0,
        height: scroll.axes.contains(.vertical) ? scroll.frame.height * sign : 0)
      guard scroll.scroll(by: step) else { break }
      let fresh = reachableIDs.filter { !seen.contains($0) && contains(scroll, $0) }
      if let id = direction == .next ? fresh.first : fresh.last { return focus(id) }
    }
    _ = scroll.scroll(to: start)
    return false
  }

  /// Does what a tap on the focused control would. False if nothing that can be activated has the focus.
  @discardableResult
  public func activateFocus() -> Bool {
    guard focusedElement != nil else { return false }
    return activate(focusedNode)
  }

  /// Does what a tap on an element of `accessibilityTree()` would; the focus stays where it is. False if it is gone, or
  /// nothing that can be activated.
  @discardableResult
  public func activate(_ id: AccessibilityElement.ID) -> Bool {
    guard accessibilityTree().contains(where: { $0.id == id && $0.isFocusable }) else { return false }
    return activate(rootRender.descendant(id.node))
  }

  private func activate(_ node: RenderNode?) -> Bool {
    guard let control = node as? InteractionRenderNode, control.isEnabled else { return false }
    control.press(true)
    control.press(false)
    control.action?()
    return true
  }

  /// The entries of the menu of what has the focus; none where there is none.
  public func contextMenuOfFocus() -> [ContextMenuItem] {
    focusedElement == nil ? [] : focusedNode?.contextMenu ?? []
  }

  /// A ring of two points in the accent colour, never outside the scroll views its control is in.
  func drawFocusRing(in context: inout DrawingContext) {
    guard let node = focusedNode else { return }
    guard let visible = node.reachableArea(in: rootRender) else {
      focusedNode = nil
      return
    }
    let frame = CGRect(origin: node.originInWindow, size: node.frame.size).insetBy(dx: -1, dy: -1)
    let paint = Paint.color(Color.accentColor.resolve(in: root.environment))
    let ring = Path(roundedRect: context.snapped(frame), cornerRadius: 8, style: .continuous)
    context.clipped(to: Path(visible.insetBy(dx: -2, dy: -2))) { context in
      context.stroke(ring, with: paint, style: StrokeStyle(lineWidth: 2))
    }
  }
}

extension RenderNode {
  fileprivate func descendant(_ id: ObjectIdentifier) -> RenderNode? {
    if ObjectIdentifier(self) == id { return self }
    for child in reachableChildren {
      if let found = child.descendant(id) { return found }
    }
    return nil
  }

  /// The part of the window this node can be seen in; nil where it is not below `root` any more.
  fileprivate func reachableArea(in root: RenderNode) -> CGRect? {
    var area = CGRect(origin: .zero, size: root.frame.size)
    var node: RenderNode = self
    while node !== root {
      guard let parent = node.parent, parent.reachableChildren.contains(where: { $0 === node }) else { return nil }
      if parent is ScrollRenderNode {
        area = area.part(within: CGRect(origin: parent.originInWindow, size: parent.frame.size))
      }
      node = parent
    }
    return area.width > 0 && area.height > 0 ? area : nil
  }

  /// Scrolls the scroll views around this node as little as shows it, with a margin in points.
  fileprivate func scrollIntoView(margin: CGFloat) {
    var next = enclosingScroll
    while let scroll = next {
      next = scroll.enclosingScroll
      guard let origin = origin(in: scroll) else { return }
      let window = scroll.frame.size
      let delta = CGSize(
        width: Self.distance(from: origin.x, length: frame.width, into: window.width, margin: margin),
        height: Self.distance(from: origin.y, length: frame.height, into: window.height, margin: margin))
      if delta != .zero { _ = scroll.scroll(by: delta) }
    }
  }

  private static func distance(
    from start: CGFloat, length: CGFloat, into window: CGFloat, margin: CGFloat
  ) -> CGFloat {
    if start < margin || length + 2 * margin > window { return start - margin }
    return max(0, start + length + margin - window)
  }
}
