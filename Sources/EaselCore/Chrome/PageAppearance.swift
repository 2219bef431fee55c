/// Which page of a container has appeared, for the lifecycle modifiers on and in its pages.
@MainActor enum PageAppearance {
  /// Lets `page` appear and all others disappear, those first.
  static func show(_ page: RenderNode?, among pages: [RenderNode], in container: Node) {
    let shown = page.map { scopes(of: $0, in: container) } ?? []
    for other in pages where other !== page {
      for scope in scopes(of: other, in: container) where !shown.contains(where: { $0 === scope }) {
        change(scope, isShown: false, in: container.graph)
      }
    }
    for scope in shown { change(scope, isShown: true, in: container.graph) }
  }

  private static func change(_ scope: AppearanceScope, isShown: Bool, in graph: Graph) {
    guard scope.isShown != isShown else { return }
    scope.setShown(isShown)
    graph.preferencesChanged = true
  }

  /// The scopes between the container's and the page's own, outermost first: a group of pages has one as well.
  private static func scopes(of page: RenderNode, in container: Node) -> [AppearanceScope] {
    var result: [AppearanceScope] = []
    var scope = page.owner?.scope
    while let current = scope, current !== container.scope {
      result.insert(current, at: 0)
      scope = current.outer
    }
    return result
  }
}

extension RenderNode {
  /// Lets go of what can be made again, here and below: nothing of it will be drawn for a while.
  func releaseAllDrawingResources() {
    releaseDrawingResources()
    for child in children { child.releaseAllDrawingResources() }
  }
}

/// A node whose children are the elements of a collection.
@MainActor protocol ElementIdentifying {
  func identifier(of child: Node) -> AnyHashable?
}

extension ForEachNode: ElementIdentifying {}
