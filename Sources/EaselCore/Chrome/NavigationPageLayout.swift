/// What is on a page as one rectangle, centred.
nonisolated struct PageContent<Content: View>: RenderableView {
  let content: Content

  @MainActor func makeRenderNode(in graph: Graph) -> RenderNode { RenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: RenderNode, environment: EnvironmentValues) {}
}

/// The parts of a page: its content first, then those marked with a `NavigationPart`, back to front.
nonisolated struct NavigationPageLayout<Content: View>: RenderableView {
  let content: Content

  @MainActor func makeRenderNode(in graph: Graph) -> NavigationPageRenderNode {
    NavigationPageRenderNode(graph: graph)
  }

  @MainActor func updateRenderNode(_ render: NavigationPageRenderNode, environment: EnvironmentValues) {}
}

enum NavigationPart {
  case content
  /// 44 points at the top; always shown.
  case bar
  /// Below the bar; scrolls away.
  case largeTitle
  /// What lies behind the bar once content has been scrolled below it.
  case scrolledBar
}

enum NavigationPartTrait: TraitKey {
  static var defaultValue: NavigationPart { .content }
}

/// Puts a page together. Content that is a scroll view reaches up behind the bar and takes the large title with it as
/// it scrolls; any other begins below the title, and a plain background it has all over is continued behind the bar.
final class NavigationPageRenderNode: RenderNode {
  private weak var scroll: ScrollRenderNode?
  /// What lies above the content while nothing is scrolled.
  private var barHeight: CGFloat = 0
  private var titleHeight: CGFloat = 0

  private static let fullBarHeight: CGFloat = 44

  override var decorated: RenderNode? { nil }

  private func part(_ part: NavigationPart) -> RenderNode? {
    arrangedChildren.first { $0.trait(NavigationPartTrait.self) == part }
  }

  private var page: RenderNode? { arrangedChildren.first }

  private func measureBars(width: CGFloat?) -> CGFloat {
    let offer = ProposedViewSize(width: width, height: nil)
    barHeight = part(.bar)?.measure(offer).height ?? 0
    titleHeight = part(.largeTitle)?.measure(offer).height ?? 0
    return barHeight + titleHeight
  }

  // MARK: Layout

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    guard proposal.width == nil || proposal.height == nil else { return proposal.replacingUnspecifiedDimensions() }
    let height = measureBars(width: proposal.width)
    let inner = ProposedViewSize(width: proposal.width, height: proposal.height.map { $0 - height })
    let size = page?.measure(inner) ?? .zero
    return proposal.replacingUnspecifiedDimensions(by: CGSize(width: size.width, height: size.height + height))
  }

  override func placeChildren(in size: CGSize, proposal: ProposedViewSize) {
    let height = min(size.height, measureBars(width: size.width))
    let offer = ProposedViewSize(width: size.width, height: nil)
    part(.bar)?.place(at: .zero, proposal: offer)
    part(.scrolledBar)?.place(at: .zero, proposal: offer)
    part(.largeTitle)?.place(at: CGPoint(x: 0, y: barHeight), proposal: offer)
    guard let page else { return }
    scroll = page.edgeScroll
    scroll?.topInset = height
    let top = scroll == nil ? height : 0
    let area = CGSize(width: size.width, height: size.height - top)
    let origin = Alignment.center.origin(of: page.measure(ProposedViewSize(area)), in: area)
    page.place(at: CGPoint(x: origin.x, y: top + origin.y), proposal: ProposedViewSize(area))
  }

  // MARK: Scrolling

  private var scrolled: CGFloat { scroll?.offset.y ?? 0 }

  /// From 0, with the title in its place, to 1, with content below the bar: grows as the title's end passes the bar's.
  private var coverage: Double {
    let start = barHeight + titleHeight - Self.fullBarHeight
    return min(1, max(0, Double(scrolled - start) / 12))
  }

  override var reachableChildren: [RenderNode] {
    let coverage = coverage
    return arrangedChildren.filter { child in
      switch child.trait(NavigationPartTrait.self) {
      case .content, .bar: true
      case .largeTitle: coverage < 0.5
      case .scrolledBar: coverage >= 0.5
      }
    }
  }

  /// The bar is read before what is drawn below it.
  override func collectAccessibility(into list: inout [AccessibilityElement], at origin: CGPoint) {
    let parts = reachableChildren
    for child in parts.dropFirst().reversed() + parts.prefix(1) {
      child.collectAccessibility(
        into: &list, at: CGPoint(x: origin.x + child.frame.minX, y: origin.y + child.frame.minY))
    }
  }

  override func draw(in context: inout DrawingContext) {
    if scroll == nil, let page, let paint = page.edgeBackground(width: frame.width) {
      context.fill(CGRect(x: 0, y: 0, width: frame.width, height: page.frame.minY), with: paint)
    }
    for child in children {
      switch child.trait(NavigationPartTrait.self) {
      case .content, .bar: child.render(in: &context)
      case .scrolledBar: context.withOpacity(coverage) { child.render(in: &$0) }
      case .largeTitle: drawLargeTitle(child, in: &context)
      }
    }
  }

  private func drawLargeTitle(_ title: RenderNode, in context: inout DrawingContext) {
    let below = CGRect(x: 0, y: barHeight, width: frame.width, height: max(0, frame.height - barHeight))
    let offset = CGPoint(x: 0, y: -scrolled)
    context.clipped(to: Path(context.snapped(below))) { context in
      context.translated(by: offset) { title.render(in: &$0) }
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

  /// The vertical scroll view that this node is, with nothing but backgrounds around it.
  fileprivate var edgeScroll: ScrollRenderNode? {
    var node: RenderNode? = self
    while let current = node {
      if let scroll = current as? ScrollRenderNode { return scroll.axes.contains(.vertical) ? scroll : nil }
      let isTransparent =
        type(of: current) == RenderNode.self || current is AccessibilityRenderNode || current is ContextMenuRenderNode
        || (current as? LayeredRenderNode)?.isInFront == false
      guard isTransparent else { return nil }
      node = current.decorated
    }
    return nil
  }
}
