/// Elements in numbered slots, chained into lists by number: a doubly linked list without an object for each element.
///
/// Invariants: a slot in use is in at most one list, the one its owner linked it into; freed slots are used again before
/// new ones are made. Every operation is O(1). A number is valid from `add` until `free`.
struct LinkedSlots<Element> {
  /// Both ends of a list, and how long it is. Used only with the slots it was made for.
  struct List {
    fileprivate(set) var newest: Int?
    fileprivate(set) var oldest: Int?
    fileprivate(set) var count = 0
  }

  private struct Node {
    var element: Element?
    var newer: Int?
    /// The next free slot, where the slot is free.
    var older: Int?
  }

  private var nodes: [Node] = []
  private var firstFree: Int?
  private(set) var count = 0

  /// The element in a slot; `nil` where the slot is free.
  subscript(_ at: Int) -> Element? {
    @inline(__always) get { nodes[at].element }
    _modify { yield &nodes[at].element }
  }

  /// Changes an element in place, without the frame that the subscript's `_modify` allocates: for hits.
  @inline(__always) mutating func update(_ at: Int, _ change: (inout Element?) -> Void) { change(&nodes[at].element) }

  func newer(than at: Int) -> Int? { nodes[at].newer }

  /// Puts an element into a slot that is in no list yet.
  mutating func add(_ element: Element) -> Int {
    count += 1
    guard let at = firstFree else {
      nodes.append(Node(element: element))
      return nodes.count - 1
    }
    firstFree = nodes[at].older
    nodes[at] = Node(element: element)
    return at
  }

  /// Empties a slot that is in no list any more.
  mutating func free(_ at: Int) {
    nodes[at] = Node(element: nil, newer: nil, older: firstFree)
    firstFree = at
    count -= 1
  }

  /// Puts a slot at the newest end.
  mutating func link(_ at: Int, into list: inout List) {
    nodes[at].older = list.newest
    nodes[at].newer = nil
    if let newest = list.newest { nodes[newest].newer = at } else { list.oldest = at }
    list.newest = at
    list.count += 1
  }

  /// Puts a slot at the oldest end.
  mutating func linkOldest(_ at: Int, into list: inout List) {
    nodes[at].newer = list.oldest
    nodes[at].older = nil
    if let oldest = list.oldest { nodes[oldest].older = at } else { list.newest = at }
    list.oldest = at
    list.count += 1
  }

  mutating func unlink(_ at: Int, from list: inout List) {
    let (newer, older) = (nodes[at].newer, nodes[at].older)
    if let newer { nodes[newer].older = older } else { list.newest = older }
    if let older { nodes[older].newer = newer } else { list.oldest = newer }
    nodes[at].newer = nil
    nodes[at].older = nil
    list.count -= 1
  }

  /// The slots of a list from the oldest to the newest; for tests and for emptying.
  func slots(of list: List) -> [Int] {
    var result: [Int] = []
    var next = list.oldest
    while let at = next, result.count <= nodes.count {
      result.append(at)
      next = nodes[at].newer
    }
    return result
  }

  /// Checks what the type promises of these lists, which must be all there are; for tests.
  func checkInvariants(_ lists: [List]) -> String? {
    var seen: Set<Int> = []
    for list in lists {
      let members = slots(of: list)
      if members.count != list.count { return "a list of \(list.count) has \(members.count) members" }
      if members.last != list.newest { return "the newest end is not where the list ends" }
      for (older, newer) in zip([nil] + members, members) where nodes[newer].older != older {
        return "slot \(newer) does not know the one before it"
      }
      for at in members {
        if nodes[at].element == nil { return "slot \(at) is linked but free" }
        if !seen.insert(at).inserted { return "slot \(at) is in two lists" }
      }
    }
    if seen.count != count { return "\(count) slots are in use, \(seen.count) linked" }
    var free = 0
    var next = firstFree
    while let at = next, free <= nodes.count {
      free += 1
      next = nodes[at].older
    }
    if free + count != nodes.count { return "\(free) free and \(count) used slots, \(nodes.count) in all" }
    return nil
  }
}
