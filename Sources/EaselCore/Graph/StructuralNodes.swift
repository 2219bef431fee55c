/// The node of a `TupleView`: a fixed number of children.
final class TupleNode<T>: ViewNode<TupleView<T>> {
  private var nodes: [Node] = []

  override init(_ view: TupleView<T>, parent: Node, environment: EnvironmentValues) {
    super.init(view, parent: parent, environment: environment)
    nodes = view.children.map { makeErased($0, environment: environment) }
  }

  override var children: [Node] { nodes }

  override var scopeForChild: AppearanceScope? { elementScope }

  override var distributesScopes: Bool { parent?.distributesScopes ?? false }

  override func update(_ view: TupleView<T>, environment: EnvironmentValues) {
    super.update(view, environment: environment)
    for (node, child) in zip(nodes, view.children) { updateErased(node, with: child, environment: environment) }
  }
}

extension Node {
  /// A scope for one element, where the container above wants them apart.
  var elementScope: AppearanceScope? {
    parent?.distributesScopes == true ? AppearanceScope(outer: scope, isShown: false) : nil
  }

  func makeErased(_ view: any View, environment: EnvironmentValues) -> Node {
    func open<V: View>(_ view: V) -> Node { makeChild(view, environment: environment) }
    return open(view)
  }

  func updateErased(_ node: Node, with view: any View, environment: EnvironmentValues) {
    func open<V: View>(_ view: V) { (node as? ViewNode<V>)?.update(view, environment: environment) }
    open(view)
  }
}

/// A structural view with exactly one child that is always the same one.
protocol ForwardingView<Content>: View {
  associatedtype Content: View
  var content: Content { get }
}

/// The node of a `ForwardingView`; subclasses add what passes through them (environment, lifecycle, preferences).
class ForwardingNode<V: ForwardingView>: ViewNode<V> {
  private(set) var child: ViewNode<V.Content>?

  override init(_ view: V, parent: Node, environment: EnvironmentValues) {
    super.init(view, parent: parent, environment: environment)
    child = makeChild(view.content, environment: environmentForChild(environment))
  }

  override var children: [Node] { child.map { [$0] } ?? [] }

  override var distributesScopes: Bool { parent?.distributesScopes ?? false }

  /// What the child is given in place of `environment`.
  func environmentForChild(_ environment: EnvironmentValues) -> EnvironmentValues { environment }

  override func update(_ view: V, environment: EnvironmentValues) {
    super.update(view, environment: environment)
    child?.update(view.content, environment: environmentForChild(environment))
  }

  override func rowIdentity(at index: Int) -> AnyHashable? { child?.rowIdentity(at: index) }
}

/// A structural view whose one child changes its identity with a key: branches, optionals, erased types, `.id`.
protocol SwitchingView: View {
  associatedtype Identity: Equatable
  @MainActor var identity: Identity { get }
  @MainActor var content: (any View)? { get }
}

/// Keeps the child while the key stays; replaces it, with the transition the child asks for, when the key changes.
final class SwitchNode<V: SwitchingView>: ViewNode<V> {
  private var child: Node?
  private let departures = Departures()

  override init(_ view: V, parent: Node, environment: EnvironmentValues) {
    super.init(view, parent: parent, environment: environment)
    child = view.content.map { makeErased($0, environment: environment) }
  }

  override var children: [Node] { departures.nodes + (child.map { [$0] } ?? []) }

  override var distributesScopes: Bool { parent?.distributesScopes ?? false }

  override func update(_ view: V, environment: EnvironmentValues) {
    let isSame = view.identity == self.view.identity
    super.update(view, environment: environment)
    if isSame {
      if let child, let content = view.content { updateErased(child, with: content, environment: environment) }
      return
    }
    let old = child
    child = view.content.map { makeErased($0, environment: environment) }
    if let old { departures.dismiss(old, from: self) }
    if let child { Transitions.insert(child, in: graph) }
    structureChanged()
  }

  // The rows of a lazy container are those of the child that stays.
  override var rowCount: Int { child?.rowCount ?? 0 }
  override func row(at index: Int) -> [RenderNode] { child?.row(at: index) ?? [] }
  override func releaseRows(outside range: Range<Int>) { child?.releaseRows(outside: range) }
  override func rowIdentity(at index: Int) -> AnyHashable? { child?.rowIdentity(at: index) }
}

/// Children that have been replaced and are still on the screen, leaving.
@MainActor final class Departures {
  private(set) var nodes: [Node] = []

  func dismiss(_ node: Node, from owner: Node) {
    let isLeaving = Transitions.remove(node, in: owner.graph) { [weak self, weak owner] in
      self?.nodes.removeAll { $0 === node }
      node.unmount()
      owner?.structureChanged()
    }
    if isLeaving {
      nodes.append(node)
    } else {
      node.unmount()
    }
  }
}
