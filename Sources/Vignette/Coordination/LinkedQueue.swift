/// A queue with two ends from whose middle elements are taken too. Every operation is O(1).
///
/// Invariant: every slot in use is in the list. Memory follows the largest number of elements held at once.
struct LinkedQueue<Element> {
  /// Where an element is, until it is removed.
  struct Place: Hashable { fileprivate let slot: Int }

  private var slots = LinkedSlots<Element>()
  private var list = LinkedSlots<Element>.List()

  var count: Int { list.count }
  var first: Element? { list.oldest.flatMap { slots[$0] } }
  var last: Element? { list.newest.flatMap { slots[$0] } }

  mutating func append(_ element: Element) -> Place {
    let slot = slots.add(element)
    slots.link(slot, into: &list)
    return Place(slot: slot)
  }

  mutating func prepend(_ element: Element) -> Place {
    let slot = slots.add(element)
    slots.linkOldest(slot, into: &list)
    return Place(slot: slot)
  }

  mutating func remove(_ place: Place) {
    // Only the scheduler holds places, and it forgets each as it removes it: what is asked for from outside never is one.
    guard slots[place.slot] != nil else { preconditionFailure("an element is removed once") }
    slots.unlink(place.slot, from: &list)
    slots.free(place.slot)
    if count == 0 { self = LinkedQueue() }
  }
}

// MARK: For tests

extension LinkedQueue {
  /// From first to last.
  var elements: [Element] { slots.slots(of: list).compactMap { slots[$0] } }

  /// What the type promises and does not keep; `nil` when all is well.
  func checkInvariants() -> String? { slots.checkInvariants([list]) }
}
