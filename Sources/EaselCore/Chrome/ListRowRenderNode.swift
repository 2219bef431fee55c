/// One row of a list: the space around its content, the ground below it, the line under it. A row with a single button
/// is a button all over.
final class ListRowRenderNode: RenderNode {
  let row: RenderNode
  @Relayout var look = ListLook()
  @Relayout var place = ListRowPlace()
  @Relayout var isFirstOfList = false

  /// From the edge of the window to a group, and from the edge of the group to what is in it.
  private static let margin: CGFloat = 16
  private static let minimumHeight: CGFloat = 44
  private static let cornerRadius: CGFloat = 10

  init(row: RenderNode) {
    self.row = row
    super.init(graph: row.graph)
    adopt(row)
  }

  override func resolveChildren() -> [RenderNode] { [row] }

  // MARK: Layout

  /// Around the ground of the row.
  private var outside: EdgeInsets {
    let side = look.isInset ? Self.margin : 0
    var top: CGFloat = 0
    if place.startsSection, place.kind == .row, look.isInset, !isFirstOfList { top = 32 }
    return EdgeInsets(top: top, leading: side, bottom: 0, trailing: side)
  }

  /// Around the content, within the ground.
  private var inside: EdgeInsets {
    let side = Self.margin
    switch place.kind {
    case .header where look.isInset:
      return EdgeInsets(top: isFirstOfList ? 0 : 24, leading: side, bottom: 7, trailing: side)
    case .header:
      return EdgeInsets(top: isFirstOfList ? 6 : 18, leading: side, bottom: 6, trailing: side)
    case .footer: return EdgeInsets(top: 7, leading: side, bottom: 4, trailing: side)
    case .row:
      return row.trait(ListRowInsetsTrait.self)
        ?? EdgeInsets(top: 11, leading: side, bottom: 11, trailing: side)
    }
  }

  private var minimum: CGFloat { place.kind == .row ? Self.minimumHeight : 0 }

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    let (outside, inside) = (outside, inside)
    let content = row.measure(offer(for: proposal.width))
    let ground = max(minimum, content.height + inside.top + inside.bottom)
    let width = content.width + outside.leading + outside.trailing + inside.leading + inside.trailing
    return CGSize(width: proposal.width ?? width, height: ground + outside.top + outside.bottom)
  }

  override func placeChildren(in size: CGSize, proposal: ProposedViewSize) {
    let (outside, inside) = (outside, inside)
    let offer = offer(for: proposal.width)
    let content = row.measure(offer)
    let room = size.height - outside.top - outside.bottom - inside.top - inside.bottom
    row.place(
      at: CGPoint(
        x: outside.leading + inside.leading, y: outside.top + inside.top + (room - content.height) / 2),
      proposal: offer)
  }

  private func offer(for width: CGFloat?) -> ProposedViewSize {
    ProposedViewSize(width: width, height: nil).inset(by: outside).inset(by: inside)
  }

  private var ground: CGRect {
    let outside = outside
    return CGRect(
      x: outside.leading, y: outside.top, width: max(0, frame.width - outside.leading - outside.trailing),
      height: max(0, frame.height - outside.top - outside.bottom))
  }

  // MARK: Drawing

  override func draw(in context: inout DrawingContext) {
    guard place.kind == .row else { return super.draw(in: &context) }
    let ground = context.snapped(ground)
    context.clipped(to: Path(ground)) { context in
      let shape = groundShape(in: ground)
      context.fill(shape, with: .color(look.row))
      if button?.isPressed == true { context.fill(shape, with: .color(look.highlight)) }
      context.clipped(to: shape) { super.draw(in: &$0) }
      drawSeparator(in: ground, context: &context)
    }
  }

  /// Round at the ends of a group: taller than the row where the group goes on, and cut off there.
  private func groundShape(in rect: CGRect) -> Path {
    guard look.isInset, place.isFirst || place.isLast else { return Path(rect) }
    let radius = Self.cornerRadius
    let top = place.isFirst ? rect.minY : rect.minY - 2 * radius
    let bottom = place.isLast ? rect.maxY : rect.maxY + 2 * radius
    return Path(
      roundedRect: CGRect(x: rect.minX, y: top, width: rect.width, height: bottom - top), cornerRadius: radius)
  }

  private func drawSeparator(in ground: CGRect, context: inout DrawingContext) {
    guard !(place.isLast && look.isInset), row.trait(ListRowSeparatorTrait.self) != .hidden else { return }
    let start = textStart ?? row.frame.minX
    context.fill(
      CGRect(x: start, y: ground.maxY - look.hairline, width: max(0, ground.maxX - start), height: look.hairline),
      with: .color(look.separator))
  }

  /// Where the first text of the row begins: the line below it begins there as well.
  private var textStart: CGFloat? {
    func first(in node: RenderNode, depth: Int) -> RenderNode? {
      if node is TextRenderNode { return node }
      guard depth < 12 else { return nil }
      for child in node.children {
        if let text = first(in: child, depth: depth + 1) { return text }
      }
      return nil
    }
    return first(in: row, depth: 0)?.origin(in: self)?.x
  }

  // MARK: Events

  /// The only control of the row, if it is a button.
  private var button: InteractionRenderNode? {
    var found: [InteractionRenderNode] = []
    row.collectControls(into: &found)
    guard found.count == 1, found[0].role == .button else { return nil }
    return found[0]
  }

  override func hitTest(_ point: CGPoint) -> RenderNode? {
    guard place.kind == .row, ground.contains(point), let button else { return super.hitTest(point) }
    return button
  }

  override var decorated: RenderNode? { nil }
}

extension RenderNode {
  /// The outermost controls here and below.
  func collectControls(into list: inout [InteractionRenderNode]) {
    if let control = self as? InteractionRenderNode { return list.append(control) }
    for child in reachableChildren { child.collectControls(into: &list) }
  }
}
