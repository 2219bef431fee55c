/// One page of a navigation view: a bar with the title its content asks for, and the content below it.
nonisolated struct NavigationPage<Content: View>: View {
  let id: Int
  let content: Content

  @Environment(\.navigator) private var navigator

  @MainActor var body: some View {
    NavigationPageLayout(
      content: TupleView(
        NavigationBar(id: id),
        PageContent(content: content)
          .environment(\.navigationPageID, id)
          .onPreferenceChange(NavigationTitleKey.self) { title in navigator?.changeBar(of: id) { $0.title = title } }
          .onPreferenceChange(NavigationTitleModeKey.self) { mode in navigator?.changeBar(of: id) { $0.mode = mode } })
    )
    .background(Color.systemBackground)
  }
}

/// The back button and the title: large below the bar or small in the middle of it. Nothing where there is neither.
nonisolated private struct NavigationBar: View {
  let id: Int

  @Environment(\.navigator) private var navigator

  @MainActor var body: some View {
    let below = navigator?.page(below: id)
    let title = navigator?.bar(of: id).title
    let isLarge = navigator?.isLarge(id) == true
    VStack(spacing: 0) {
      if below != nil || (title != nil && !isLarge) {
        InlineBar(title: isLarge ? nil : title, back: below.map { backTitle(of: $0) }) { navigator?.pop(id) }
      }
      if let title, isLarge { LargeTitle(title: title, hasBar: below != nil) }
    }
  }

  @MainActor private func backTitle(of page: Int) -> Text { navigator?.bar(of: page).title ?? Text("Back") }
}

nonisolated private struct LargeTitle: View {
  let title: Text
  let hasBar: Bool

  @MainActor var body: some View {
    title.font(.system(size: 34, weight: .bold)).lineLimit(1)
      .frame(maxWidth: .infinity, alignment: .leading)
      .padding(EdgeInsets(top: hasBar ? 3 : 24, leading: 16, bottom: 8, trailing: 16))
  }
}

/// 44 points: the way back at the leading edge, the title in the middle of what is left.
nonisolated private struct InlineBar: View {
  let title: Text?
  let back: Text?
  let goBack: @MainActor () -> Void

  @MainActor var body: some View {
    HStack(spacing: 8) {
      HStack(spacing: 0) {
        if let back { BackButton(title: back, action: goBack) }
      }
      .frame(maxWidth: .infinity, alignment: .leading)
      title?.font(.headline).lineLimit(1).layoutPriority(1)
      Color.clear.frame(maxWidth: .infinity, maxHeight: 1)
    }
    .frame(maxWidth: .infinity, minHeight: 44, maxHeight: 44)
    .padding(.horizontal, 8)
  }
}

nonisolated private struct BackButton: View {
  let title: Text
  let action: @MainActor () -> Void

  @MainActor var body: some View {
    Button(action: action) {
      HStack(spacing: 6) {
        Chevron(direction: .backward)
          .stroke(Color.accentColor, style: StrokeStyle(lineWidth: 2.6, lineCap: .round, lineJoin: .round))
          .frame(width: 9, height: 17)
        title.lineLimit(1)
      }
      .frame(minHeight: 44)
    }
  }
}

/// An angle that points along the line of text.
nonisolated struct Chevron: Shape {
  enum Direction {
    case backward
    case forward
  }

  let direction: Direction

  func path(in rect: CGRect) -> Path {
    let (base, tip) = direction == .backward ? (rect.maxX, rect.minX) : (rect.minX, rect.maxX)
    return Path { path in
      path.move(to: CGPoint(x: base, y: rect.minY))
      path.addLine(to: CGPoint(x: tip, y: rect.midY))
      path.addLine(to: CGPoint(x: base, y: rect.maxY))
    }
  }
}

/// What is on a page as one rectangle, centred.
nonisolated private struct PageContent<Content: View>: RenderableView {
  let content: Content

  @MainActor func makeRenderNode(in graph: Graph) -> RenderNode { RenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: RenderNode, environment: EnvironmentValues) {}
}

nonisolated private struct NavigationPageLayout<Content: View>: RenderableView {
  let content: Content

  @MainActor func makeRenderNode(in graph: Graph) -> NavigationPageRenderNode {
    NavigationPageRenderNode(graph: graph)
  }

  @MainActor func updateRenderNode(_ render: NavigationPageRenderNode, environment: EnvironmentValues) {}
}

/// The last child is the page's content; those before it are the bar above. A plain background that the content has
/// all over is continued below the bar.
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

  override func draw(in context: inout DrawingContext) {
    if let page = arrangedChildren.last, let paint = page.edgeBackground(width: frame.width) {
      context.fill(CGRect(x: 0, y: 0, width: frame.width, height: page.frame.minY), with: paint)
    }
    super.draw(in: &context)
  }

  override var decorated: RenderNode? { nil }

  private func barHeight(for width: CGFloat?) -> CGFloat {
    arrangedChildren.dropLast().reduce(0) { height, bar in
      max(height, bar.measure(ProposedViewSize(width: width, height: nil)).height)
    }
  }
}

extension RenderNode {
  /// The plain colour behind all of this node up to its top edge, if it spans `width`.
  fileprivate func edgeBackground(width: CGFloat) -> Paint? {
    var node: RenderNode? = self
    while let current = node, current.frame.minY == 0 || current === self, current.frame.width >= width {
      if let paint = (current as? LayeredRenderNode)?.plainBackground { return paint }
      node = current.decorated
    }
    return nil
  }
}
