/// A page with a title bar.
nonisolated public struct NavigationView<Content: View>: View {
  let content: Content

  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  @MainActor public var body: some View { NavigationPage(content: content) }
}

/// A page with a title bar, by its newer name.
nonisolated public struct NavigationStack<Root: View>: View {
  let root: Root

  public init(@ViewBuilder root: () -> Root) { self.root = root() }

  @MainActor public var body: some View { NavigationPage(content: root) }
}

/// A bar with the title its content asks for, and the content below it.
nonisolated struct NavigationPage<Content: View>: View {
  let content: Content

  @State private var title: Text?
  @State private var mode: NavigationBarItem.TitleDisplayMode?

  @MainActor var body: some View {
    NavigationPageLayout(
      content: TupleView(
        NavigationBar(title: title, isLarge: mode != .inline),
        ZStack { content }
          .onPreferenceChange(NavigationTitleKey.self) { title = $0 }
          .onPreferenceChange(NavigationTitleModeKey.self) { mode = $0 })
    )
    .background(Color.systemBackground)
    // What is said about this page does not concern pages around it.
    .preference(key: NavigationTitleKey.self, value: nil)
    .preference(key: NavigationTitleModeKey.self, value: nil)
  }
}

/// The title, large below an empty bar or small in the middle of it. Nothing without a title.
nonisolated private struct NavigationBar: View {
  let title: Text?
  let isLarge: Bool

  @MainActor var body: some View {
    if let title {
      if isLarge {
        title.font(.system(size: 34, weight: .bold)).lineLimit(1)
          .frame(maxWidth: .infinity, alignment: .leading)
          .padding(EdgeInsets(top: 24, leading: 16, bottom: 8, trailing: 16))
      } else {
        title.font(.headline).lineLimit(1)
          .frame(maxWidth: .infinity, minHeight: 44, maxHeight: 44)
          .overlay(alignment: .bottom) { Hairline() }
      }
    }
  }
}

nonisolated private struct NavigationPageLayout<Content: View>: RenderableView {
  let content: Content

  @MainActor func makeRenderNode(in graph: Graph) -> NavigationPageRenderNode {
    NavigationPageRenderNode(graph: graph)
  }

  @MainActor func updateRenderNode(_ render: NavigationPageRenderNode, environment: EnvironmentValues) {}
}

/// The last child is the page's content; those before it are the bar above.
final class NavigationPageRenderNode: RenderNode {
  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    guard proposal.width == nil || proposal.height == nil else { return proposal.replacingUnspecifiedDimensions() }
    let barHeight = barHeight(for: proposal.width)
    let inner = ProposedViewSize(width: proposal.width, height: proposal.height.map { $0 - barHeight })
    let size = arrangedChildren.last?.measure(inner) ?? .zero
    return proposal.replacingUnspecifiedDimensions(by: CGSize(width: size.width, height: size.height + barHeight))
  }

  override func placeChildren(in size: CGSize, proposal: ProposedViewSize) {
    let height = min(size.height, barHeight(for: size.width))
    for bar in arrangedChildren.dropLast() {
      bar.place(at: .zero, proposal: ProposedViewSize(width: size.width, height: nil))
    }
    guard let page = arrangedChildren.last else { return }
    let area = CGSize(width: size.width, height: size.height - height)
    let origin = Alignment.center.origin(of: page.measure(ProposedViewSize(area)), in: area)
    page.place(at: CGPoint(x: origin.x, y: height + origin.y), proposal: ProposedViewSize(area))
  }

  private func barHeight(for width: CGFloat?) -> CGFloat {
    arrangedChildren.dropLast().reduce(0) { height, bar in
      max(height, bar.measure(ProposedViewSize(width: width, height: nil)).height)
    }
  }
}
