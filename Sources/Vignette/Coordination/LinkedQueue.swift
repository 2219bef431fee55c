/// A queue with two ends from whose middle elements are taken too. Every operation is O(1).
///
/// Invariants: `first` to `last` by `next` visits every element once; places of removed elements are used again, so
/// memory follows the largest number of elements held at once.
struct LinkedQueue<Element> {
  /// Where an element is, until it is removed.
  struct Place: Hashable { fileprivate let index: Int }

  private struct Node {
    var element: Element?
    var next: Int?
    var previous: Int?
  }

  private var nodes: [Node] = []
  private var free: [Int] = []
  private var head: Int?
  private var tail: Int?
  private(set) var count = 0

  var first: Element? { head.flatMap { nodes[$0].element } }
  var last: Element? { tail.flatMap { nodes[$0].element } }

  mutating func append(_ element: Element) -> Place {
    let index = place(Node(element: element, next: nil, previous: tail))
    if let tail { nodes[tail].next = index } else { head = index }
    tail = index
    return Place(index: index)
  }

  mutating func prepend(_ element: Element) -> Place {
    let index = place(Node(element: element, next: head, previous: nil))
    if let head { nodes[head].previous = index } else { tail = index }
    head = index
    return Place(index: index)
  }

  mutating func remove(_ place: Place) {
    let node = nodes[place.index]
    guard node.element != nil else { preconditionFailure("an element is removed once") }
    if let next = node.next { nodes[next].previous = node.previous } else { tail = node.previous }
    if let previous = node.previous { nodes[previous].next = node.next } else { head = node.next }
    nodes[place.index] = Node()
    free.append(place.index)
    count -= 1
    if count == 0 { self = LinkedQueue() }
  }

  private mutating func place(_ node: Node) -> Int {
    count += 1
    guard let index = free.popLast() else {
      nodes.append(node)
      return nodes.count - 1
    }
    nodes[index] = node
    return index
  }
}

// MARK: For tests

extension LinkedQueue {
  /// From first to last.
  var elements: [Element] {
    var elements: [Element] = []
    var index = head
    while let here = index, elements.count < count, let element = nodes[here].element {
      elements.append(element)
      index = nodes[here].next
    }
    return elements
  }

  /// What the type promises and does not keep; `nil` when all is well.
  func checkInvariants() -> String? {
    if elements.count != count { return "\(elements.count) elements are linked and \(count) counted" }
    if nodes.count != count + free.count { return "a place is neither used nor free" }
    if free.contains(where: { nodes[$0].element != nil }) { return "a place that is used counts as free" }
    for (index, node) in nodes.enumerated() where node.element != nil {
      let isLinked = node.next.map { nodes[$0].previous == index } ?? (tail == index)
      let isLinkedBack = node.previous.map { nodes[$0].next == index } ?? (head == index)
      guard isLinked, isLinkedBack else { return "the neighbours of place \(index) do not know it" }
    }
    return nil
  }
}
