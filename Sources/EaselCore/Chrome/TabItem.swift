extension View {
  /// What the tab bar shows for this view: a `Label`, or an `Image` and a `Text`.
  nonisolated public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View {
    TabItemView(content: self, label: AnyView(label()))
  }
}

nonisolated struct TabItemView<Content: View>: PrimitiveView {
  let content: Content
  let label: AnyView

  @MainActor static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    TabItemNode(view, parent: parent, environment: environment)
  }
}

/// A page of a tab view that is made when it is first shown.
@MainActor protocol TabPage: Node {
  var label: AnyView { get }
  /// Makes what is on the page, once.
  func open()
}

/// What holds tabs, told when one of them has a new label.
@MainActor protocol TabContainer: Node {
  func tabItemChanged()
}

enum TabPageTrait: TraitKey {
  static var defaultValue: TabPageReference? { nil }
}

/// Stands for a page in a trait, without owning it.
@MainActor final class TabPageReference {
  private(set) weak var page: (any TabPage)?
  init(_ page: any TabPage) { self.page = page }
}

/// Directly inside a tab view this node is a page: one rectangle, whose content waits until it is first shown.
/// Anywhere else it stands for its content.
final class TabItemNode<Content: View>: ViewNode<TabItemView<Content>>, TabPage {
  private var child: ViewNode<Content>?
  private let render: OverlayingRenderNode?
  private lazy var reference = TabPageReference(self)

  override init(_ view: TabItemView<Content>, parent: Node, environment: EnvironmentValues) {
    let owner = parent.ownRenderNode == nil ? parent.renderOwner : parent
    render = owner is any TabContainer ? OverlayingRenderNode(graph: parent.graph) : nil
    super.init(view, parent: parent, environment: environment)
    render?.owner = self
    if render == nil { open() }
    updateTag()
  }

  var label: AnyView { view.label }

  override var ownRenderNode: RenderNode? { render }

  override var children: [Node] { child.map { [$0] } ?? [] }

  func open() {
    guard child == nil, isMounted else { return }
    child = makeChild(view.content, environment: environment)
    render?.setChildrenDirty()
    graph.preferencesChanged = true
  }

  override func update(_ view: TabItemView<Content>, environment: EnvironmentValues) {
    super.update(view, environment: environment)
    updateTag()
    child?.update(view.content, environment: environment)
    (renderOwner as? any TabContainer)?.tabItemChanged()
  }

  override func collectRenderNodes(into list: inout [RenderNode]) {
    let start = list.count
    super.collectRenderNodes(into: &list)
    for render in list[start...] { render.setTrait(TabPageTrait.self, reference) }
  }

  /// The tag may be inside: it is needed before the content is made.
  private func updateTag() {
    guard let render, let tag = tag(of: view.content) else { return }
    render.setTrait(TagTrait.self, tag)
  }
}
