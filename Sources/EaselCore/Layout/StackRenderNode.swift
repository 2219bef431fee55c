/// Lays its children in a row along an axis, by SwiftUI's rule: the least flexible child is offered its share of what
/// is left first; children of higher layout priority before all others; spacers get what remains.
final class StackRenderNode: RenderNode {
  let axis: Axis
  @Relayout var spacing: CGFloat = 8
  @Relayout var alignment = Alignment.center
  /// The last division of space, which placing needs again right after measuring.
  private var last: (proposal: ProposedViewSize, slots: [Slot])?

  private struct Slot {
    let child: RenderNode
    var proposal = ProposedViewSize.unspecified
    var size = CGSize.zero
  }

  init(graph: Graph, axis: Axis) {
    self.axis = axis
    super.init(graph: graph)
  }

  override var decorated: RenderNode? { nil }

  override func layoutInvalidated() { last = nil }

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    let slots = slots(for: proposal)
    guard !slots.isEmpty else { return .zero }
    let main = slots.reduce(0) { $0 + $1.size.along(axis) } + spacing * CGFloat(slots.count - 1)
    let (above, below) = extent(of: slots)
    return CGSize(along: axis, main, across: above + below)
  }

  override func placeChildren(in size: CGSize, proposal: ProposedViewSize) {
    let slots = slots(for: proposal)
    let (above, _) = extent(of: slots)
    var position: CGFloat = 0
    for slot in slots {
      let cross = above - guide(of: slot)
      slot.child.place(at: CGPoint(along: axis, position, across: cross), proposal: slot.proposal)
      position += slot.size.along(axis) + spacing
    }
  }

  override func baseline(_ baseline: Baseline, size: CGSize) -> CGFloat? {
    let slots = slots(for: ProposedViewSize(size))
    let ordered = baseline == .first ? slots : slots.reversed()
    var offset = axis == .vertical && baseline == .last ? size.height : 0
    for slot in ordered {
      if axis == .vertical, baseline == .last { offset -= slot.size.height }
      if let own = slot.child.baseline(baseline, size: slot.size) {
        return own + (axis == .vertical ? offset : (size.height - slot.size.height) / 2)
      }
      if axis == .vertical { offset += baseline == .first ? slot.size.height + spacing : -spacing }
    }
    return nil
  }

  // MARK: Dividing the space

  private func slots(for proposal: ProposedViewSize) -> [Slot] {
    if let last, last.proposal == proposal { return last.slots }
    var slots = arrangedChildren.map { Slot(child: $0) }
    let cross = proposal.across(axis)
    if let length = proposal.along(axis), length.isFinite {
      divide(length - spacing * CGFloat(max(0, slots.count - 1)), among: &slots, cross: cross)
    } else {
      for index in slots.indices { offer(proposal.along(axis), cross: cross, to: &slots[index]) }
    }
    last = (proposal, slots)
    return slots
  }

  private func divide(_ length: CGFloat, among slots: inout [Slot], cross: CGFloat?) {
    struct Candidate {
      let index: Int
      let priority: Double
      let minimum: CGFloat
      let flexibility: CGFloat
    }
    var candidates = slots.indices.map { index -> Candidate in
      let child = slots[index].child
      let minimum = child.measure(ProposedViewSize(along: axis, 0, across: cross)).along(axis)
      let maximum = child.measure(ProposedViewSize(along: axis, .infinity, across: cross)).along(axis)
      return Candidate(
        index: index, priority: child.layoutPriority, minimum: minimum, flexibility: maximum - minimum)
    }
    candidates.sort { ($1.priority, $0.flexibility, $0.index) < ($0.priority, $1.flexibility, $1.index) }

    var left = length
    var position = 0
    // What children of lower priority need at least is kept back for them.
    var reserved = candidates.reduce(0) { $0 + $1.minimum }
    while position < candidates.count {
      let priority = candidates[position].priority
      let group = candidates[position...].prefix { $0.priority == priority }
      reserved -= group.reduce(0) { $0 + $1.minimum }
      for (done, candidate) in group.enumerated() {
        let share = max(0, (left - reserved) / CGFloat(group.count - done))
        offer(share, cross: cross, to: &slots[candidate.index])
        left -= slots[candidate.index].size.along(axis)
      }
      position += group.count
    }
  }

  private func offer(_ length: CGFloat?, cross: CGFloat?, to slot: inout Slot) {
    slot.proposal = ProposedViewSize(along: axis, length, across: cross)
    slot.size = slot.child.measure(slot.proposal)
  }

  // MARK: Alignment across the axis

  private func guide(of slot: Slot) -> CGFloat {
    axis == .horizontal
      ? alignment.vertical.position(in: slot.child, size: slot.size)
      : alignment.horizontal.position(in: slot.size.width)
  }

  /// How far the children reach to both sides of the common guide.
  private func extent(of slots: [Slot]) -> (above: CGFloat, below: CGFloat) {
    var above: CGFloat = 0
    var below: CGFloat = 0
    for slot in slots {
      let guide = guide(of: slot)
      above = max(above, guide)
      below = max(below, slot.size.across(axis) - guide)
    }
    return (above, below)
  }
}

enum LayoutPriorityTrait: TraitKey {
  static var defaultValue: Double { 0 }
}

extension RenderNode {
  /// Spacers come after everything that shows something.
  var layoutPriority: Double { self is SpacerRenderNode ? -.greatestFiniteMagnitude : trait(LayoutPriorityTrait.self) }
}

extension View {
  /// In what order a stack offers space to its children: higher first; 0 unless set.
  nonisolated public func layoutPriority(_ value: Double) -> some View {
    trait(LayoutPriorityTrait.self, value.isNaN ? 0 : value)
  }
}

extension CGSize {
  init(along axis: Axis, _ main: CGFloat, across cross: CGFloat) {
    self = axis == .horizontal ? CGSize(width: main, height: cross) : CGSize(width: cross, height: main)
  }

  func along(_ axis: Axis) -> CGFloat { axis == .horizontal ? width : height }
  func across(_ axis: Axis) -> CGFloat { axis == .horizontal ? height : width }
}

extension CGPoint {
  init(along axis: Axis, _ main: CGFloat, across cross: CGFloat) {
    self = axis == .horizontal ? CGPoint(x: main, y: cross) : CGPoint(x: cross, y: main)
  }

  func along(_ axis: Axis) -> CGFloat { axis == .horizontal ? x : y }
  func across(_ axis: Axis) -> CGFloat { axis == .horizontal ? y : x }
}

extension ProposedViewSize {
  init(along axis: Axis, _ main: CGFloat?, across cross: CGFloat?) {
    self =
      axis == .horizontal
      ? ProposedViewSize(width: main, height: cross) : ProposedViewSize(width: cross, height: main)
  }

  func along(_ axis: Axis) -> CGFloat? { axis == .horizontal ? width : height }
  func across(_ axis: Axis) -> CGFloat? { axis == .horizontal ? height : width }
}
