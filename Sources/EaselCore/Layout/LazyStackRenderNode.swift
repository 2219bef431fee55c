/// A stack that makes only the rows in or near the window of the scroll view around it.
///
/// Rows that leave are unmounted when they are `margin` points away: they disappear, and with them their state (SwiftUI
/// keeps the state of such rows; here a list of any length takes the memory of one screen). Heights once measured are
/// remembered per place. Outside a scroll view every row is made.
final class LazyStackRenderNode: RenderNode {
  /// How far beyond the window rows are made; they are let go at twice the distance.
  static let margin: CGFloat = 64

  let axis: Axis
  @Relayout var spacing: CGFloat = 8
  @Relayout var alignment = Alignment.center
  /// Set for a grid: its rows hold several children side by side.
  @Relayout var grid: GridTracks?
  private var extents = RowExtents()
  private var shown: Range<Int> = 0..<0
  private var cells: [Int: [RenderNode]] = [:]
  private var cross: CGFloat?
  private var columns: [GridTrack] = []

  init(graph: Graph, axis: Axis) {
    self.axis = axis
    super.init(graph: graph)
  }

  override var laysOutRowsLazily: Bool { true }

  override var decorated: RenderNode? { nil }

  override func resolveChildren() -> [RenderNode] {
    shown.flatMap { cells[$0] ?? [] }
  }

  // MARK: Layout

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    let offered = proposal.across(axis)
    // The extremes a stack asks for to learn the flexibility; rows made for those would be made for nothing.
    if let offered, offered == 0 || offered == .infinity { return CGSize(along: axis, extents.total, across: offered) }
    makeRows(cross: offered)
    let length = max(0, extents.total - (extents.count > 0 ? spacing : 0))
    let widest = shown.reduce(0) { max($0, rowSize($1, cross: offered).across(axis)) }
    let isUsable = offered?.isFinite == true
    return CGSize(along: axis, length, across: isUsable ? offered ?? widest : widest)
  }

  override func placeChildren(in size: CGSize, proposal: ProposedViewSize) {
    enclosingScroll?.addFollower(self)
    makeRows(cross: proposal.across(axis))
    let width = size.across(axis)
    for row in shown {
      placeRow(row, at: extents.offset(of: row), width: width, cross: proposal.across(axis))
    }
    if abs(extents.total - max(0, spacing) - size.along(axis)) > 0.5, extents.count > 0 { setNeedsLayout() }
  }

  /// The window has moved: lays out again only if rows are missing or too many.
  func viewportMoved() {
    let wanted = wantedRows(margin: Self.margin / 2)
    let allowed = wantedRows(margin: Self.margin * 2)
    let covers = shown.lowerBound <= wanted.lowerBound && shown.upperBound >= wanted.upperBound
    let isSmall = shown.lowerBound >= allowed.lowerBound && shown.upperBound <= allowed.upperBound
    if !covers || !isSmall { setNeedsLayout() }
  }

  // MARK: Rows

  private var rowsOfCells: Int {
    let count = owner?.children.reduce(0) { $0 + $1.rowCount } ?? 0
    let perRow = max(1, columns.count)
    return (count + perRow - 1) / perRow
  }

  private func makeRows(cross: CGFloat?) {
    if cross != self.cross {
      self.cross = cross
      extents.reset()
      resolveColumns()
    }
    extents.resize(to: rowsOfCells)
    guard extents.count > 0 else { return show(0..<0) }
    if !extents.hasEstimate { measureRow(0) }
    // Each pass makes the rows the estimate calls for; measuring them may show that the window holds more.
    let anchor = firstVisibleRow
    for _ in 0..<8 {
      let wanted = wantedRows(margin: Self.margin)
      let isNew = wanted.contains { !extents.isMeasured($0) || cells[$0] == nil }
      for row in wanted { measureRow(row) }
      if !isNew { break }
    }
    keep(anchor)
    show(wantedRows(margin: Self.margin))
  }

  /// The columns at the current width. Rows made for another number of columns are made again.
  private func resolveColumns() {
    let tracks = grid.map { $0.resolved(in: cross.map { $0.isFinite ? $0 : 0 } ?? 0) } ?? []
    if tracks.count != columns.count { cells = [:] }
    columns = tracks
  }

  private func measureRow(_ row: Int) {
    if cells[row] == nil { cells[row] = makeCells(of: row) }
    let length = rowSize(row, cross: cross).along(axis) + spacing
    extents.record(length, of: row)
    if !extents.hasEstimate { extents.setEstimate(length) }
  }

  private func makeCells(of row: Int) -> [RenderNode] {
    let perRow = max(1, columns.count)
    var nodes: [RenderNode] = []
    for cell in (row * perRow)..<((row + 1) * perRow) { nodes += cellNodes(at: cell) }
    for node in nodes { adopt(node) }
    return nodes
  }

  private func cellNodes(at index: Int) -> [RenderNode] {
    var rest = index
    for child in owner?.children ?? [] {
      let count = child.rowCount
      if rest < count { return child.row(at: rest) }
      rest -= count
    }
    return []
  }

  private func show(_ rows: Range<Int>) {
    let perRow = max(1, columns.count)
    let limit = wantedRows(margin: Self.margin * 2)
    let kept = min(rows.lowerBound, limit.lowerBound)..<max(rows.upperBound, limit.upperBound)
    for row in cells.keys where !kept.contains(row) { cells[row] = nil }
    var start = 0
    for child in owner?.children ?? [] {
      let count = child.rowCount
      let range = (kept.lowerBound * perRow)..<(kept.upperBound * perRow)
      child.releaseRows(outside: range.shifted(by: -start, within: count))
      start += count
    }
    guard rows != shown || needsNewChildren else { return }
    needsNewChildren = false
    shown = rows
    forgetChildren()
  }

  private var needsNewChildren = false

  override func layoutInvalidated() {
    // The columns may have changed with the inputs.
    if grid != nil { resolveColumns() }
  }

  override func childrenInvalidated() {
    // The nodes of a row may be others now.
    cells = [:]
    needsNewChildren = true
  }

  // MARK: The window

  private func wantedRows(margin: CGFloat) -> Range<Int> {
    guard extents.count > 0 else { return 0..<0 }
    guard let scroll = enclosingScroll, let visible = scroll.visibleRect(of: self) else { return 0..<extents.count }
    let start = CGPoint(x: visible.minX, y: visible.minY).along(axis)
    let end = start + scroll.windowLength(along: axis)
    guard end + margin > 0 else { return 0..<1 }
    let first = extents.row(at: start - margin)
    return first..<max(first + 1, extents.row(at: end + margin) + 1)
  }

  private var firstVisibleRow: (row: Int, offset: CGFloat)? {
    guard let visible = enclosingScroll?.visibleRect(of: self) else { return nil }
    let start = CGPoint(x: visible.minX, y: visible.minY).along(axis)
    guard start > 0 else { return nil }
    let row = extents.row(at: start)
    return (row, extents.offset(of: row))
  }

  private func keep(_ anchor: (row: Int, offset: CGFloat)?) {
    guard let anchor else { return }
    let moved = extents.offset(of: anchor.row) - anchor.offset
    if abs(moved) > 0.01 { enclosingScroll?.keepPlace(movedBy: moved, along: axis) }
  }

  // MARK: One row

  private func rowSize(_ row: Int, cross: CGFloat?) -> CGSize {
    let nodes = cells[row] ?? []
    if !columns.isEmpty { return gridRowSize(nodes) }
    let sizes = nodes.map { $0.measure(ProposedViewSize(along: axis, nil, across: cross)) }
    let length = sizes.reduce(0) { $0 + $1.along(axis) } + spacing * CGFloat(max(0, sizes.count - 1))
    return CGSize(along: axis, length, across: sizes.map { $0.across(axis) }.max() ?? 0)
  }

  private func placeRow(_ row: Int, at start: CGFloat, width: CGFloat, cross: CGFloat?) {
    let nodes = cells[row] ?? []
    if !columns.isEmpty { return placeGridRow(nodes, at: start, width: width) }
    var position = start
    for node in nodes {
      let offer = ProposedViewSize(along: axis, nil, across: cross)
      let size = node.measure(offer)
      let fraction = axis == .vertical ? alignment.horizontal.fraction : alignment.verticalFraction
      let offset = (width - size.across(axis)) * fraction
      node.place(at: CGPoint(along: axis, position, across: offset), proposal: offer)
      position += size.along(axis) + spacing
    }
  }

  private func gridRowSize(_ nodes: [RenderNode]) -> CGSize {
    var size = CGSize.zero
    for (node, track) in zip(nodes, columns) {
      let cell = node.measure(ProposedViewSize(along: axis, nil, across: track.length))
      size = CGSize(
        along: axis, max(size.along(axis), cell.along(axis)),
        across: max(size.across(axis), track.start + track.length))
    }
    return size
  }

  private func placeGridRow(_ nodes: [RenderNode], at start: CGFloat, width: CGFloat) {
    let height = gridRowSize(nodes).along(axis)
    for (node, track) in zip(nodes, columns) {
      let offer = ProposedViewSize(along: axis, nil, across: track.length)
      let size = node.measure(offer)
      node.place(
        at: CGPoint(
          along: axis, start + (height - size.along(axis)) * track.alignment.verticalFraction,
          across: track.start + (track.length - size.across(axis)) * track.alignment.horizontal.fraction),
        proposal: offer)
    }
  }
}

extension ScrollRenderNode {
  func windowLength(along axis: Axis) -> CGFloat { frame.size.along(axis) }
}

extension Alignment {
  var verticalFraction: CGFloat {
    if case .fraction(let fraction) = vertical.guide { return fraction }
    return 0.5
  }
}
