/// The value by which a container with a selection knows one of its children.
enum TagTrait: TraitKey {
  static var defaultValue: AnyHashable? { nil }
}

extension View {
  /// Names the view within a container that has a selection, such as a tab view. The type must be the selection's.
  nonisolated public func tag<V: Hashable>(_ tag: V) -> some View {
    trait(TagTrait.self, AnyHashable(tag))
  }
}

/// A view that carries a tag which can be read before the view has a node.
@MainActor private protocol TaggedView {
  var tag: AnyHashable? { get }
}

extension TraitView: TaggedView where Key == TagTrait {
  fileprivate var tag: AnyHashable? { value }
}

/// The outermost tag among the modifiers of a view.
@MainActor func tag<Content: View>(of view: Content) -> AnyHashable? {
  if let tagged = view as? any TaggedView { return tagged.tag }
  func open<V: ForwardingView>(_ view: V) -> AnyHashable? { tag(of: view.content) }
  guard let forwarding = view as? any ForwardingView else { return nil }
  return open(forwarding)
}
