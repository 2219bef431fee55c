/// What outlives a view value: its place in the tree, environment, state and lifetime.
///
/// Invariants: a node is made once per identity and lives until `unmount()`, which reaches all its descendants exactly
/// once; `environment` is always the one its view was last given; a node re-evaluates only in `update` (its parent has
/// a new value for it) or in `reevaluate` (something it read has changed). All of it happens on the main actor.
///
/// A node either owns a render node (it is a rectangle on the screen) or is *structural* and stands for its children.
@MainActor public class Node {
  /// Deeper trees than this are cut: a view nested deeper renders nothing and is reported once
  /// (`ViewHost.diagnostics`). 600 levels of containers were measured to take less than 2 MB of stack in a debug build
  /// (less than half of that in release), so this many stay well below the 8 MB of a main thread.
  nonisolated static let maximumDepth = 1_000

  let graph: Graph
  private(set) weak var parent: Node?
  let depth: Int
  /// The nearest ancestor that owns a render node: whose children change when this node's structure does.
  private(set) weak var renderOwner: Node?
  /// Which appearance this node's lifecycle follows: that of the window, a tab, a pushed page, a lazy row.
  let scope: AppearanceScope
  private(set) var environment: EnvironmentValues
  private(set) var isMounted = true
  /// Set while the node is on its way out.
  var departure: TransitionState?
  /// Whether the node waits in the graph's queue, and under which transaction.
  var pendingTransaction: Transaction?

  init(parent: Node, environment: EnvironmentValues, scope: AppearanceScope? = nil) {
    graph = parent.graph
    self.parent = parent
    depth = parent.depth + 1
    renderOwner = parent.ownRenderNode == nil ? parent.renderOwner : parent
    self.scope = scope ?? parent.scopeForChild ?? parent.scope
    self.environment = environment
  }

  /// The root, which has no parent.
  init(graph: Graph, scope: AppearanceScope, environment: EnvironmentValues) {
    self.graph = graph
    depth = 0
    self.scope = scope
    self.environment = environment
  }

  // MARK: For subclasses

  /// The nodes directly below.
  var children: [Node] { [] }
  /// The rectangle this node is, if it is one.
  var ownRenderNode: RenderNode? { nil }
  /// A scope of its own for a child that is about to be made; nil puts it in this node's.
  var scopeForChild: AppearanceScope? { nil }
  /// Whether each element among this node's descendants (child of a tuple or `ForEach`) appears and disappears by
  /// itself, as the pages of a tab view do.
  var distributesScopes: Bool { false }
  /// Something read during the last evaluation has changed.
  func reevaluate() {}
  /// Changes the transaction of changes that begin below this node.
  func adjust(_ transaction: inout Transaction) {}
  /// Called once, before the children are unmounted.
  func willUnmount() {}

  // MARK: Tree

  final func setEnvironment(_ environment: EnvironmentValues) { self.environment = environment }

  /// Makes the node of a child view, or an empty one where the tree is too deep.
  final func makeChild<V: View>(_ view: V, environment: EnvironmentValues) -> ViewNode<V> {
    guard depth < Self.maximumDepth else {
      graph.report(.tooDeep(limit: Self.maximumDepth))
      return ViewNode(view, parent: self, environment: environment)
    }
    return V._makeNode(view, parent: self, environment: environment)
  }

  final func unmount() {
    guard isMounted else { return }
    isMounted = false
    willUnmount()
    for child in children { child.unmount() }
    ownRenderNode?.detach()
  }

  /// The top-level rectangles this node stands for, in order.
  func collectRenderNodes(into list: inout [RenderNode]) {
    let start = list.count
    if let own = ownRenderNode {
      list.append(own)
    } else {
      for child in children { child.collectRenderNodes(into: &list) }
    }
    markDepartures(in: list[start...])
  }

  /// What a leaving node shows anew leaves with it.
  private func markDepartures(in nodes: ArraySlice<RenderNode>) {
    guard let departure else { return }
    for node in nodes where !node.isLeaving { node.transition = departure }
  }

  final var renderNodes: [RenderNode] {
    var list: [RenderNode] = []
    collectRenderNodes(into: &list)
    return list
  }

  /// Children were added, removed or reordered: whoever lays them out must ask again.
  final func structureChanged() {
    graph.preferencesChanged = true
    renderOwner?.childStructureChanged()
  }

  /// A structural descendant added, removed or reordered its children.
  func childStructureChanged() { ownRenderNode?.setChildrenDirty() }

  final func invalidate(_ transaction: Transaction = Transaction()) {
    guard isMounted else { return }
    graph.enqueue(self, transaction: transaction)
  }

  // MARK: Rows, for lazy containers

  /// How many rows this node stands for in a lazy container. Constant time for a `ForEach`.
  var rowCount: Int {
    if ownRenderNode != nil { return 1 }
    return children.reduce(0) { $0 + $1.rowCount }
  }

  /// The rectangles of one row, made if need be.
  func row(at index: Int) -> [RenderNode] {
    if let own = ownRenderNode { return [own] }
    var rest = index
    for child in children {
      let count = child.rowCount
      if rest < count { return child.row(at: rest) }
      rest -= count
    }
    return []
  }

  /// The rectangles of every row, made if need be: a row of a lazy container that holds rows itself is one row.
  final var allRows: [RenderNode] { (0..<rowCount).flatMap { row(at: $0) } }

  /// Lets go of rows outside `range`; those rows disappear and lose their state.
  func releaseRows(outside range: Range<Int>) {
    guard ownRenderNode == nil else { return }
    var start = 0
    for child in children {
      let count = child.rowCount
      child.releaseRows(outside: range.shifted(by: -start, within: count))
      start += count
    }
  }

  /// A stable name for a row, by which its measured height is remembered.
  func rowIdentity(at index: Int) -> AnyHashable? { nil }
}

extension Range<Int> {
  /// The part of this range that lies in `0..<count` after moving it by `offset`.
  func shifted(by offset: Int, within count: Int) -> Range<Int> {
    let lower = Swift.min(Swift.max(0, lowerBound + offset), count)
    let upper = Swift.min(Swift.max(lower, upperBound + offset), count)
    return lower..<upper
  }
}

/// A node that knows the type of its view; as it stands, the node of a view that shows nothing.
@MainActor public class ViewNode<V>: Node {
  var view: V

  init(_ view: V, parent: Node, environment: EnvironmentValues) {
    self.view = view
    super.init(parent: parent, environment: environment)
  }

  /// The parent has a new value for this identity.
  func update(_ view: V, environment: EnvironmentValues) {
    self.view = view
    setEnvironment(environment)
    // A new value supersedes whatever the node was waiting to do.
    graph.dequeue(self)
  }
}
