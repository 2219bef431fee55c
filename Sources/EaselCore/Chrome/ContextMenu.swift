/// One entry of a context menu.
public struct ContextMenuItem {
  public let label: String
  /// The name of the symbol beside the label.
  public let systemImage: String?
  public let role: ButtonRole?
  public let isDisabled: Bool
  /// Whether a line separates it from the entry before it.
  public let startsGroup: Bool
  let perform: @MainActor () -> Void

  /// Does what the entry says, unless it is disabled.
  @MainActor public func activate() {
    if !isDisabled { perform() }
  }
}

extension View {
  /// What can be done with the view: buttons, perhaps with dividers between them. The host shows them
  /// (`ViewHost.contextMenu(at:)`); where menus nest, the innermost is shown.
  nonisolated public func contextMenu<MenuItems: View>(@ViewBuilder menuItems: () -> MenuItems) -> some View {
    ContextMenuView(content: self, items: menuItems())
  }
}

nonisolated struct ContextMenuView<Content: View, Items: View>: PrimitiveView {
  let content: Content
  let items: Items

  @MainActor static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    ContextMenuNode(view, parent: parent, environment: environment)
  }
}

/// Keeps the menu's views beside the content. They are made when the menu is first asked for, kept up to date from then
/// on, never appear and are never laid out.
final class ContextMenuNode<Content: View, Items: View>: ViewNode<ContextMenuView<Content, Items>> {
  private let render: ContextMenuRenderNode
  private var content: ViewNode<Content>?
  private var items: ViewNode<Items>?

  override init(_ view: ContextMenuView<Content, Items>, parent: Node, environment: EnvironmentValues) {
    render = ContextMenuRenderNode(graph: parent.graph)
    super.init(view, parent: parent, environment: environment)
    render.owner = self
    content = makeChild(view.content, environment: environment)
    render.content = content
    render.makeItems = { [weak self] in self?.makeItems() ?? [] }
  }

  override var ownRenderNode: RenderNode? { render }

  override var children: [Node] { [content, items].compactMap { $0 } }

  override func update(_ view: ContextMenuView<Content, Items>, environment: EnvironmentValues) {
    super.update(view, environment: environment)
    content?.update(view.content, environment: environment)
    items?.update(view.items, environment: environment)
  }

  override var scopeForChild: AppearanceScope? { content == nil ? nil : AppearanceScope(outer: scope, isShown: false) }

  private func makeItems() -> [ContextMenuItem] {
    guard isMounted else { return [] }
    let items = self.items ?? makeChild(view.items, environment: environment)
    self.items = items
    var collector = ContextMenuCollector()
    for render in items.renderNodes { collector.add(render) }
    return collector.items
  }
}

/// A rectangle with a menu, its gaps included.
final class ContextMenuRenderNode: RenderNode {
  weak var content: Node?
  var makeItems: (() -> [ContextMenuItem])?

  override func resolveChildren() -> [RenderNode] { content?.renderNodes ?? [] }

  override var isOpaqueToHits: Bool { true }

  /// The first thing inside stands for the menu, so that the keyboard can reach it.
  override func collectAccessibility(into list: inout [AccessibilityElement], at origin: CGPoint) {
    let first = list.count
    super.collectAccessibility(into: &list, at: origin)
    guard first < list.count else { return }
    list[first].hasContextMenu = true
    if list[first].id == nil { list[first].id = AccessibilityElement.ID(node: ObjectIdentifier(self)) }
  }
}

/// Reads a menu's entries off its views: each button is one, a divider begins a group.
@MainActor private struct ContextMenuCollector {
  private(set) var items: [ContextMenuItem] = []
  private var startsGroup = false

  mutating func add(_ render: RenderNode) {
    if render is DividerRenderNode {
      startsGroup = !items.isEmpty
    } else if let control = render as? InteractionRenderNode {
      add(control)
    } else {
      for child in render.arrangedChildren { add(child) }
    }
  }

  private mutating func add(_ control: InteractionRenderNode) {
    var spoken: [AccessibilityElement] = []
    control.collectAccessibility(into: &spoken, at: .zero)
    items.append(
      ContextMenuItem(
        label: spoken.first?.label ?? "", systemImage: control.firstSymbol, role: control.buttonRole,
        isDisabled: !control.isEnabled, startsGroup: startsGroup
      ) { [weak control] in
        guard let control, control.isEnabled else { return }
        control.action?()
      })
    startsGroup = false
  }
}

extension RenderNode {
  /// The entries of the innermost menu this node lies in.
  var contextMenu: [ContextMenuItem] {
    var node: RenderNode? = self
    while let current = node {
      if let menu = current as? ContextMenuRenderNode { return menu.makeItems?() ?? [] }
      node = current.parent
    }
    return []
  }

  fileprivate var firstSymbol: String? {
    if case .symbol(let name)? = (self as? ImageRenderNode)?.image.source { return name }
    for child in arrangedChildren {
      if let name = child.firstSymbol { return name }
    }
    return nil
  }
}

extension ViewHost {
  /// The entries of the menu of the front-most view at a point (in the window) that has one; none where there is none.
  public func contextMenu(at point: CGPoint) -> [ContextMenuItem] {
    frontmost(at: point)?.contextMenu ?? []
  }

  /// Does what an entry of the menu at a point says. False if there is no such entry, or it is disabled.
  @discardableResult
  public func activateMenuItem(_ label: String, at point: CGPoint) -> Bool {
    guard let item = contextMenu(at: point).first(where: { $0.label == label && !$0.isDisabled }) else { return false }
    item.activate()
    return true
  }
}
