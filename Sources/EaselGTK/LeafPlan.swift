import EaselCore

/// Which leaf stands for which element after a change of the screen: the same one for as long as the element is the
/// same, so that assistive technology sees one thing change instead of another come.
///
/// Elements the keyboard can reach are told apart by their identity, the others by what they say, in order.
struct LeafPlan {
  struct Key: Hashable {
    let role: AccessibilityElement.Role
    let id: AccessibilityElement.ID?
    let label: String?

    init(_ element: AccessibilityElement) {
      role = element.role
      id = element.id
      label = element.id == nil ? element.label : nil
    }
  }

  /// For each new element, the index of the leaf it keeps; nil for a new leaf.
  private(set) var kept: [Int?] = []
  /// The indices of the leaves that go.
  private(set) var removed: [Int] = []

  init(from old: [Key], to elements: [AccessibilityElement]) {
    var free: [Key: [Int]] = [:]
    for (index, key) in old.enumerated().reversed() { free[key, default: []].append(index) }
    for element in elements { kept.append(free[Key(element)]?.popLast()) }
    removed = free.values.flatMap { $0 }.sorted()
  }
}
