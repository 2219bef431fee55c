/// The content of a list between its lazy stack and its rows.
nonisolated struct ListRows<Content: View>: PrimitiveView, ForwardingView {
  let content: Content
  let isInset: Bool

  @MainActor static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    ListRowsNode(view, parent: parent, environment: environment)
  }
}

/// Wraps each row in a `ListRowRenderNode`. The wrapper is the row's parent and lives as long as the lazy stack keeps
/// it; a row asked for again keeps its wrapper.
final class ListRowsNode<Content: View>: ForwardingNode<ListRows<Content>> {
  private lazy var look = ListLook(isInset: view.isInset, environment: environment)

  override func environmentForChild(_ environment: EnvironmentValues) -> EnvironmentValues {
    if let derived, derived.base.isIdentical(to: environment) { return derived.result }
    var result = environment
    result.isInListRow = true
    derived = (environment, result)
    return result
  }

  private var derived: (base: EnvironmentValues, result: EnvironmentValues)?

  override func update(_ view: ListRows<Content>, environment: EnvironmentValues) {
    super.update(view, environment: environment)
    let newLook = ListLook(isInset: view.isInset, environment: environment)
    guard newLook != look else { return }
    look = newLook
    structureChanged()
  }

  override func row(at index: Int) -> [RenderNode] {
    let nodes = super.row(at: index)
    if let place = loosePlace(of: index) { nodes.filter { !$0.isInSection }.mark(place) }
    return nodes.enumerated().map { offset, row in
      let wrapper = (row.parent as? ListRowRenderNode) ?? ListRowRenderNode(row: row)
      wrapper.look = look
      wrapper.place = row.trait(ListRowPlaceTrait.self)
      wrapper.isFirstOfList = index == 0 && offset == 0
      return wrapper
    }
  }

  /// The place of a row that is in no section: such rows next to one another are a group. nil for rows of sections.
  private func loosePlace(of index: Int) -> ListRowPlace? {
    var segments: [ListSegment] = []
    child?.collectSegments(into: &segments)
    var start = 0
    for segment in segments {
      if index < start + segment.count {
        guard !segment.isSection else { return nil }
        let isFirst = index == start
        return ListRowPlace(
          isFirst: isFirst, isLast: index == start + segment.count - 1, startsSection: isFirst)
      }
      start += segment.count
    }
    return nil
  }
}

/// A run of rows: those of one section, or some that are in none.
struct ListSegment {
  let isSection: Bool
  var count: Int
}

extension Node {
  fileprivate func collectSegments(into segments: inout [ListSegment]) {
    if self is any ListSectioning { return segments.append(ListSegment(isSection: true, count: rowCount)) }
    guard ownRenderNode != nil || self is any ElementIdentifying else {
      for child in children { child.collectSegments(into: &segments) }
      return
    }
    if let last = segments.last, !last.isSection {
      segments[segments.count - 1].count += rowCount
    } else {
      segments.append(ListSegment(isSection: false, count: rowCount))
    }
  }
}

extension RenderNode {
  /// Whether the rectangle comes from a section, which has told it its place.
  fileprivate var isInSection: Bool {
    var node = owner?.parent
    while let current = node {
      if current is any ListSectioning { return true }
      if current.ownRenderNode != nil { return false }
      node = current.parent
    }
    return false
  }
}
