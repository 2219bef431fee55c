/// Pages of which one is shown, and a bar at the bottom to choose among them.
///
/// Every child is a page; `tabItem` says what the bar shows for it and `tag` which selection it stands for (the
/// elements of a `ForEach` are tagged with their identifiers unless they say otherwise). A page with a tab item is made
/// when it is first selected and kept from then on; only the selected page has appeared.
nonisolated public struct TabView<SelectionValue: Hashable, Content: View>: PrimitiveView {
  let selection: Binding<SelectionValue>?
  let content: Content

  /// A selection that no page is tagged with shows the page chosen last, at first the first one.
  public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {
    self.selection = selection
    self.content = content()
  }

  @MainActor public static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    TabViewNode(view, parent: parent, environment: environment)
  }
}

extension TabView where SelectionValue == Int {
  public init(@ViewBuilder content: () -> Content) {
    self.init(selection: nil, content: content)
  }
}

/// Keeps the pages, decides which is shown and tells the bar.
///
/// Invariant: after every evaluation exactly one page is open and shown, unless there is none.
final class TabViewNode<Selection: Hashable, Content: View>: ViewNode<TabView<Selection, Content>>, TabContainer {
  private let render: TabViewRenderNode
  private var content: ViewNode<Content>?
  private var bar: ViewNode<TabBar>?
  /// The page shown, and its place for when it is gone.
  private weak var shownPage: RenderNode?
  private var shownIndex = 0
  private var isUpdatingContent = true

  override init(_ view: TabView<Selection, Content>, parent: Node, environment: EnvironmentValues) {
    render = TabViewRenderNode(graph: parent.graph)
    super.init(view, parent: parent, environment: environment)
    render.owner = self
    content = makeChild(view.content, environment: environment)
    bar = makeChild(TabBar(items: []) { _ in }, environment: environment)
    isUpdatingContent = false
    showSelection()
  }

  override var ownRenderNode: RenderNode? { render }

  override var children: [Node] { [content, bar].compactMap { $0 } }

  override var distributesScopes: Bool { true }

  override func update(_ view: TabView<Selection, Content>, environment: EnvironmentValues) {
    super.update(view, environment: environment)
    isUpdatingContent = true
    content?.update(view.content, environment: environment)
    isUpdatingContent = false
    showSelection()
  }

  override func reevaluate() { showSelection() }

  override func childStructureChanged() {
    super.childStructureChanged()
    tabItemChanged()
  }

  func tabItemChanged() {
    if !isUpdatingContent { invalidate(graph.transaction) }
  }

  // MARK: Selection

  private var pages: [RenderNode] { (content?.renderNodes ?? []).filter { !$0.isLeaving } }

  private func showSelection() {
    let pages = pages
    let index = selectedIndex(among: pages)
    let page = index.map { pages[$0] }
    shownPage = page
    shownIndex = index ?? 0
    page?.tabPage?.open()
    PageAppearance.show(page, among: content?.renderNodes ?? [], in: self)
    render.show(page, bar: bar?.renderNodes ?? [])
    let items = pages.enumerated().map { place, page in
      TabBarItem(
        id: ObjectIdentifier(page), place: place, count: pages.count, isSelected: place == index,
        label: page.tabPage?.label)
    }
    let bar = TabBar(items: items) { [weak self] in self?.select($0) }
    self.bar?.update(bar, environment: environment)
  }

  private func selectedIndex(among pages: [RenderNode]) -> Int? {
    guard !pages.isEmpty else { return nil }
    if let selection = view.selection {
      let value = tracking { selection.wrappedValue }
      if let index = pages.firstIndex(where: { tag(of: $0) == value }) { return index }
    }
    return pages.firstIndex { $0 === shownPage } ?? min(shownIndex, pages.count - 1)
  }

  private func tag(of page: RenderNode) -> Selection? {
    (page.trait(TagTrait.self) ?? page.elementIdentifier(below: self)) as? Selection
  }

  private func select(_ id: ObjectIdentifier) {
    let pages = pages
    guard isMounted, let index = pages.firstIndex(where: { ObjectIdentifier($0) == id }) else { return }
    if let selection = view.selection, let tag = tag(of: pages[index]) {
      selection.wrappedValue = tag
    } else {
      shownPage = pages[index]
      invalidate(Transaction.current)
    }
  }
}

extension RenderNode {
  fileprivate var tabPage: (any TabPage)? { trait(TabPageTrait.self)?.page }

  /// The identifier of the `ForEach` element this is, if it is one of a `ForEach` below `container`.
  fileprivate func elementIdentifier(below container: Node) -> AnyHashable? {
    var node = owner
    while let current = node, current !== container {
      if let row = current.parent as? any ElementIdentifying { return row.identifier(of: current) }
      node = current.parent
    }
    return nil
  }
}

/// The page that is shown, above the bar.
final class TabViewRenderNode: RenderNode {
  private var page: RenderNode?
  private var bar: [RenderNode] = []

  func show(_ page: RenderNode?, bar: [RenderNode]) {
    guard page !== self.page || bar.map(ObjectIdentifier.init) != self.bar.map(ObjectIdentifier.init) else { return }
    if page !== self.page { self.page?.releaseAllDrawingResources() }
    self.page = page
    self.bar = bar
    setChildrenDirty()
  }

  override func resolveChildren() -> [RenderNode] { (page.map { [$0] } ?? []) + bar }

  override func detach() {
    super.detach()
    page = nil
    bar = []
  }

  /// All that is offered; the page's own size where nothing is.
  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    _ = children
    guard proposal.width == nil || proposal.height == nil else {
      return proposal.replacingUnspecifiedDimensions()
    }
    let barHeight = barHeight(for: proposal.width)
    let inner = ProposedViewSize(width: proposal.width, height: proposal.height.map { $0 - barHeight })
    let size = page?.measure(inner) ?? .zero
    return proposal.replacingUnspecifiedDimensions(
      by: CGSize(width: size.width, height: size.height + barHeight))
  }

  override func placeChildren(in size: CGSize, proposal: ProposedViewSize) {
    let barHeight = min(size.height, barHeight(for: size.width))
    let area = CGSize(width: size.width, height: size.height - barHeight)
    let offer = ProposedViewSize(area)
    if let page, page.parent === self {
      page.place(at: Alignment.center.origin(of: page.measure(offer), in: area), proposal: offer)
    }
    for child in bar {
      child.place(at: CGPoint(x: 0, y: area.height), proposal: ProposedViewSize(width: size.width, height: barHeight))
    }
  }

  private func barHeight(for width: CGFloat?) -> CGFloat {
    bar.reduce(0) { max($0, $1.measure(ProposedViewSize(width: width, height: nil)).height) }
  }
}
