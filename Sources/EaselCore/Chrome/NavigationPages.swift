/// Makes the navigator and the pages that are on it.
nonisolated struct NavigationHost<Root: View>: View {
  let root: Root

  @State private var navigator = Navigator()

  @MainActor var body: some View {
    NavigationPages(
      content: TupleView(
        NavigationPage(id: 0, content: root),
        ForEach(navigator.pushed) { page in
          NavigationPage(id: page.id, content: PushedContent(link: page.link)).transition(.move(edge: .trailing))
        })
    )
    .environment(\.navigator, navigator)
    // What is said about these pages does not concern pages around them.
    .preference(key: NavigationTitleKey.self, value: nil)
    .preference(key: NavigationTitleModeKey.self, value: nil)
  }
}

nonisolated private struct PushedContent: View {
  let link: NavigationLinkTarget
  @MainActor var body: some View { link.destination() }
}

/// A stack of pages: the last is on top, the ones below are kept.
nonisolated struct NavigationPages<Content: View>: PrimitiveView {
  let content: Content

  @MainActor static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    NavigationPagesNode(view, parent: parent, environment: environment)
  }
}

/// Only the page on top has appeared.
final class NavigationPagesNode<Content: View>: ViewNode<NavigationPages<Content>> {
  private let render: NavigationPagesRenderNode
  private var content: ViewNode<Content>?

  override init(_ view: NavigationPages<Content>, parent: Node, environment: EnvironmentValues) {
    render = NavigationPagesRenderNode(graph: parent.graph)
    super.init(view, parent: parent, environment: environment)
    render.owner = self
    content = makeChild(view.content, environment: environment)
    showTop()
  }

  override var ownRenderNode: RenderNode? { render }

  override var children: [Node] { content.map { [$0] } ?? [] }

  override var distributesScopes: Bool { true }

  override func update(_ view: NavigationPages<Content>, environment: EnvironmentValues) {
    super.update(view, environment: environment)
    content?.update(view.content, environment: environment)
    showTop()
  }

  private func showTop() {
    // A page that is leaving has appeared until it is gone.
    let pages = render.arrangedChildren
    PageAppearance.show(pages.last, among: pages, in: self)
  }
}

/// Lays out and draws the page on top; while a page slides in or out, the one it covers as well.
final class NavigationPagesRenderNode: RenderNode {
  private var visible: [RenderNode] {
    let pages = children
    guard let moving = pages.firstIndex(where: { $0.transition != nil }) else { return pages.suffix(1) }
    return Array(pages[max(0, moving - 1)...])
  }

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    guard proposal.width == nil || proposal.height == nil else { return proposal.replacingUnspecifiedDimensions() }
    return proposal.replacingUnspecifiedDimensions(by: arrangedChildren.last?.measure(proposal) ?? .zero)
  }

  override func placeChildren(in size: CGSize, proposal: ProposedViewSize) {
    for page in visible where !page.isLeaving { page.place(at: .zero, proposal: ProposedViewSize(size)) }
  }

  override func draw(in context: inout DrawingContext) {
    let pages = visible
    for (index, page) in pages.enumerated() {
      guard index + 1 < pages.count, let transition = pages[index + 1].transition else {
        page.render(in: &context)
        continue
      }
      let covered = 1 - transition.distance
      context.translated(by: CGPoint(x: -0.3 * frame.width * covered, y: 0)) { page.render(in: &$0) }
      context.fill(bounds, with: .color(RGBA(red: 0, green: 0, blue: 0, alpha: 0.1 * covered)))
    }
  }

  override var reachableChildren: [RenderNode] { arrangedChildren.suffix(1) }

  override var decorated: RenderNode? { nil }
}
