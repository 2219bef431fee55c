/// The storage behind the dynamic properties of one node's view, in the order of `DynamicPropertyLayout`.
@MainActor struct DynamicPropertyStorage {
  private var slots: [AnyObject?] = []
  private(set) var hasCustomUpdate = false

  /// Connects every dynamic property in `view` to its storage and updates it.
  mutating func link<V>(_ view: inout V, node: Node) {
    let layout = DynamicPropertyLayout.of(V.self)
    guard !layout.entries.isEmpty else { return }
    hasCustomUpdate = layout.hasCustomUpdate
    if slots.isEmpty { slots = Array(repeating: nil, count: layout.entries.count) }
    withUnsafeMutableBytes(of: &view) { bytes in
      guard let base = bytes.baseAddress else { return }
      for (index, entry) in layout.entries.enumerated() {
        entry.link(base + entry.offset, &slots[index], node)
      }
    }
  }

  mutating func unlink() { slots = [] }
}

/// Where in values of one type the dynamic properties lie, nested ones before what contains them.
///
/// Contract of the unsafe part: the offsets and types come from the runtime's own description of the type
/// (`_forEachField`), and are used only on memory that holds a value of exactly that type, inside
/// `DynamicPropertyStorage.link`.
@MainActor struct DynamicPropertyLayout {
  struct Entry {
    let offset: Int
    let link: @MainActor (UnsafeMutableRawPointer, inout AnyObject?, Node) -> Void
  }

  let entries: [Entry]
  /// Whether a property outside Easel's own runs code in `update()`, which may depend on anything.
  let hasCustomUpdate: Bool

  private static var known: [ObjectIdentifier: DynamicPropertyLayout] = [:]

  static func of<V>(_ type: V.Type) -> DynamicPropertyLayout {
    let key = ObjectIdentifier(type)
    if let layout = known[key] { return layout }
    var entries: [Entry] = []
    var hasCustomUpdate = false
    collect(from: type, at: 0, into: &entries, hasCustomUpdate: &hasCustomUpdate)
    let layout = DynamicPropertyLayout(entries: entries, hasCustomUpdate: hasCustomUpdate)
    known[key] = layout
    return layout
  }

  private static func collect(
    from type: Any.Type, at base: Int, into entries: inout [Entry], hasCustomUpdate: inout Bool
  ) {
    for field in storedFields(of: type) {
      guard let property = field.type as? any DynamicProperty.Type else { continue }
      let offset = base + field.offset
      if let container = property as? any DynamicPropertyContainer.Type {
        collect(from: container.contained, at: offset, into: &entries, hasCustomUpdate: &hasCustomUpdate)
      } else if let linked = property as? any LinkedProperty.Type {
        entries.append(Entry(offset: offset) { linked.linkInPlace($0, slot: &$1, node: $2) })
      } else {
        collect(from: field.type, at: offset, into: &entries, hasCustomUpdate: &hasCustomUpdate)
        entries.append(Entry(offset: offset) { pointer, _, _ in property.updateInPlace(pointer) })
        hasCustomUpdate = true
      }
    }
  }
}

/// Wraps exactly one value of a type that is no dynamic property itself but has some, such as a modifier.
protocol DynamicPropertyContainer: DynamicProperty {
  static var contained: Any.Type { get }
}

extension LinkedProperty {
  fileprivate static func linkInPlace(_ pointer: UnsafeMutableRawPointer, slot: inout AnyObject?, node: Node) {
    pointer.assumingMemoryBound(to: Self.self).pointee.link(to: &slot, node: node)
  }
}

extension DynamicProperty {
  @MainActor fileprivate static func updateInPlace(_ pointer: UnsafeMutableRawPointer) {
    pointer.assumingMemoryBound(to: Self.self).pointee.update()
  }
}
