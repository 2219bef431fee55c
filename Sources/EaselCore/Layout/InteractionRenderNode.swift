/// A rectangle that can be tapped or pressed.
final class InteractionRenderNode: RenderNode {
  var action: (() -> Void)?
  /// Called as a press begins and ends.
  var onPress: ((Bool) -> Void)?
  var isEnabled = true
  private(set) var isPressed = false
  /// What a button is for, where a host lists it in a menu.
  var buttonRole: ButtonRole?
  /// What it is to assistive technology; nil leaves its content to speak for itself.
  var role: AccessibilityElement.Role?
  /// Whether the whole rectangle answers, or only what its content draws.
  var fillsRectangle = true
  /// Said in place of the labels inside.
  var label: String?
  var value: String?
  var isSelected = false

  override var isOpaqueToHits: Bool { fillsRectangle }

  func press(_ isPressed: Bool) {
    self.isPressed = isPressed
    setNeedsDisplay()
    onPress?(isPressed)
  }

  override func collectAccessibility(into list: inout [AccessibilityElement], at origin: CGPoint) {
    guard let role else { return super.collectAccessibility(into: &list, at: origin) }
    var inner: [AccessibilityElement] = []
    super.collectAccessibility(into: &inner, at: origin)
    let said = label ?? inner.map(\.label).filter { !$0.isEmpty }.joined(separator: ", ")
    var element = AccessibilityElement(
      role: role, label: said, value: value, frame: CGRect(origin: origin, size: frame.size))
    element.isEnabled = isEnabled
    element.isSelected = isSelected
    element.id = AccessibilityElement.ID(node: ObjectIdentifier(self))
    list.append(element)
  }
}
