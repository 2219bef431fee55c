/// The node of a `ForEach`. In a lazy container a row's node is made when the row is asked for and let go when it is
/// far away; elsewhere all rows exist.
///
/// Invariant: `rows` holds one node per key; `keys` gives the key of each place that has a node.
final class ForEachNode<Data: RandomAccessCollection, ID: Hashable, Content: View>:
  ViewNode<ForEach<Data, ID, Content>>
{
  /// An identifier, and for repetitions of it the place of the element (0 for the first).
  private struct Key: Hashable {
    let id: ID
    var repetition = 0
  }

  private var rows: [Key: ViewNode<Content>] = [:]
  private var keys: [Int: Key] = [:]
  private let departures = Departures()
  private let isLazy: Bool
  private var lastCount = 0

  override init(_ view: ForEach<Data, ID, Content>, parent: Node, environment: EnvironmentValues) {
    isLazy = (parent.ownRenderNode == nil ? parent.renderOwner : parent)?.laysOutRowsLazily == true
    super.init(view, parent: parent, environment: environment)
    lastCount = view.data.count
    if !isLazy { makeAllRows() }
  }

  override var children: [Node] { departures.nodes + keys.sorted { $0.key < $1.key }.compactMap { rows[$0.value] } }

  override var scopeForChild: AppearanceScope? { elementScope }

  override var distributesScopes: Bool { parent?.distributesScopes ?? false }

  override func update(_ view: ForEach<Data, ID, Content>, environment: EnvironmentValues) {
    super.update(view, environment: environment)
    if isLazy { updateLazyRows() } else { updateAllRows() }
  }

  override func reevaluate() { update(view, environment: environment) }

  // MARK: All rows at once

  private func makeAllRows() {
    keys = currentKeys()
    for (place, key) in keys.sorted(by: { $0.key < $1.key }) { rows[key] = makeRow(at: place) }
  }

  private func updateAllRows() {
    let newKeys = currentKeys()
    guard newKeys != keys else {
      for (place, key) in keys { updateRow(key, at: place) }
      return
    }
    let kept = Set(newKeys.values)
    let removed = rows.filter { !kept.contains($0.key) }
    keys = newKeys
    for (key, node) in removed {
      rows[key] = nil
      departures.dismiss(node, from: self)
    }
    for (place, key) in newKeys.sorted(by: { $0.key < $1.key }) {
      if rows[key] != nil {
        updateRow(key, at: place)
      } else {
        let node = makeRow(at: place)
        rows[key] = node
        if let node { Transitions.insert(node, in: graph) }
      }
    }
    structureChanged()
  }

  private func currentKeys() -> [Int: Key] {
    var result: [Int: Key] = [:]
    var seen: Set<ID> = []
    for (place, element) in view.data.enumerated() {
      let id = view.identifier(element)
      if seen.insert(id).inserted {
        result[place] = Key(id: id)
      } else {
        graph.report(.duplicateIdentifier(String(describing: id)))
        result[place] = Key(id: id, repetition: place)
      }
    }
    return result
  }

  // MARK: Rows one by one

  override var rowCount: Int { isLazy ? view.data.count : super.rowCount }

  override func row(at index: Int) -> [RenderNode] {
    guard isLazy else { return super.row(at: index) }
    guard index >= 0, index < view.data.count else { return [] }
    if let key = keys[index], let node = rows[key] { return node.allRows }
    let key = freshKey(at: index)
    guard let node = makeRow(at: index) else { return [] }
    keys[index] = key
    rows[key] = node
    return node.allRows
  }

  override func releaseRows(outside range: Range<Int>) {
    guard isLazy else { return }
    for (place, key) in keys where !range.contains(place) {
      keys[place] = nil
      rows.removeValue(forKey: key)?.unmount()
    }
  }

  private func freshKey(at index: Int) -> Key {
    guard let id = identifier(at: index) else { return Key(id: view.identifier(view.data[view.data.startIndex])) }
    let key = Key(id: id)
    guard rows[key] != nil else { return key }
    graph.report(.duplicateIdentifier(String(describing: id)))
    return Key(id: id, repetition: index + 1)
  }

  /// Keeps the rows whose elements are still there, wherever they are now.
  private func updateLazyRows() {
    let old = keys
    defer {
      if keys != old || view.data.count != lastCount { structureChanged() }
      lastCount = view.data.count
    }
    var lost: [ID: Key] = [:]
    keys = [:]
    for (place, key) in old {
      if identifier(at: place) == key.id { keys[place] = key } else { lost[key.id] = key }
    }
    if !lost.isEmpty { find(&lost) }
    for key in old.values where !keys.values.contains(key) { rows.removeValue(forKey: key)?.unmount() }
    for (place, key) in keys { updateRow(key, at: place) }
  }

  private func find(_ lost: inout [ID: Key]) {
    for (place, element) in view.data.enumerated() where keys[place] == nil {
      if let key = lost.removeValue(forKey: view.identifier(element)) { keys[place] = key }
      if lost.isEmpty { return }
    }
  }

  // MARK: Elements

  private func element(at place: Int) -> Data.Element? {
    let data = view.data
    guard place >= 0, place < data.count else { return nil }
    return data[data.index(data.startIndex, offsetBy: place)]
  }

  private func identifier(at place: Int) -> ID? { element(at: place).map(view.identifier) }

  /// The identifier of the element a child stands for.
  func identifier(of child: Node) -> AnyHashable? {
    rows.first { $0.value === child }.map { AnyHashable($0.key.id) }
  }

  private func makeRow(at place: Int) -> ViewNode<Content>? {
    guard let element = element(at: place) else { return nil }
    return makeChild(tracking { view.content(element) }, environment: environment)
  }

  private func updateRow(_ key: Key, at place: Int) {
    guard let element = element(at: place), let node = rows[key] else { return }
    node.update(tracking { view.content(element) }, environment: environment)
  }
}

extension Node {
  /// Whether this node's render node asks for rows one by one.
  var laysOutRowsLazily: Bool { ownRenderNode?.laysOutRowsLazily == true }
}
