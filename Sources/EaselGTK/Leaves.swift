internal import CEaselGTK
import EaselCore

/// The invisible widgets of a window, one for each accessible element on the screen, in reading order.
@MainActor final class Leaves {
  /// More than any screen holds; a bound for what is not meant for one.
  private static let limit = 2_000

  private struct Leaf {
    let widget: Widget
    let key: LeafPlan.Key
    /// As last told; nil for a new leaf.
    var element: AccessibilityElement?
  }

  private let surface: Widget
  private var leaves: [Leaf] = []

  init(surface: Widget) { self.surface = surface }

  /// Makes the leaves those of the elements that can be seen in `window`.
  func show(_ elements: [AccessibilityElement], in window: CGRect) {
    let visible = Array(elements.lazy.filter { $0.frame.intersects(window) }.prefix(Self.limit))
    let plan = LeafPlan(from: leaves.map(\.key), to: visible)
    for index in plan.removed { easel_leaf_remove(leaves[index].widget) }
    var previous: Widget?
    leaves = zip(visible, plan.kept).map { element, kept in
      var leaf = kept.map { leaves[$0] } ?? makeLeaf(element)
      easel_leaf_place_after(leaf.widget, previous)
      previous = leaf.widget
      tell(leaf.widget, element, before: leaf.element)
      leaf.element = element
      return leaf
    }
  }

  /// Gives the focus to an element's leaf. False if there is none.
  func focus(_ id: AccessibilityElement.ID) -> Bool {
    guard let leaf = leaves.first(where: { $0.key.id == id }) else { return false }
    easel_leaf_focus(leaf.widget)
    return true
  }

  func id(of widget: Widget) -> AccessibilityElement.ID? {
    leaves.first { $0.widget == widget }?.key.id
  }

  private func makeLeaf(_ element: AccessibilityElement) -> Leaf {
    Leaf(widget: easel_leaf_new(surface, element.role.gtk), key: LeafPlan.Key(element))
  }

  private func tell(_ widget: Widget, _ element: AccessibilityElement, before: AccessibilityElement?) {
    guard element != before else { return }
    let frame = element.frame
    easel_leaf_set_frame(
      widget, Int32(clamping: Int(frame.minX.limited)), Int32(clamping: Int(frame.minY.limited)),
      Int32(clamping: Int(frame.width.limited)), Int32(clamping: Int(frame.height.limited)))
    if element.label != before?.label { easel_leaf_set_label(widget, element.label) }
    if element.value != before?.value { easel_leaf_set_value(widget, element.value) }
    easel_leaf_set_state(widget, element.isEnabled, element.isFocusable)
    easel_leaf_set_actions(
      widget, element.isFocusable && element.role.canBePressed, element.isFocusable && element.hasContextMenu)
    switch element.role {
    case .tab: easel_leaf_set_selected(widget, element.isSelected)
    case .toggle: easel_leaf_set_checked(widget, element.value == "on")
    default: break
    }
  }
}

extension CGFloat {
  /// A whole number that GTK can add and multiply without overflowing.
  fileprivate var limited: CGFloat { isFinite ? Swift.min(Swift.max(-1e6, rounded()), 1e6) : 0 }
}

extension AccessibilityElement.Role {
  fileprivate var canBePressed: Bool { self == .button || self == .tab || self == .toggle }

  fileprivate var gtk: GtkAccessibleRole {
    switch self {
    case .text: GTK_ACCESSIBLE_ROLE_LABEL
    case .image: GTK_ACCESSIBLE_ROLE_IMG
    case .button: GTK_ACCESSIBLE_ROLE_BUTTON
    case .tab: GTK_ACCESSIBLE_ROLE_TAB
    case .progress: GTK_ACCESSIBLE_ROLE_PROGRESS_BAR
    case .toggle: GTK_ACCESSIBLE_ROLE_SWITCH
    case .heading: GTK_ACCESSIBLE_ROLE_HEADING
    case .list: GTK_ACCESSIBLE_ROLE_LIST
    case .slider: GTK_ACCESSIBLE_ROLE_SLIDER
    case .textField: GTK_ACCESSIBLE_ROLE_TEXT_BOX
    case .group: GTK_ACCESSIBLE_ROLE_GROUP
    }
  }
}
