/// One thing assistive technology can name: what it is, what it says, where it is.
public struct AccessibilityElement: Equatable, Sendable {
  public enum Role: String, Sendable {
    case text, image, button, tab, progress, toggle, heading, list, slider, textField, group
  }

  public var role: Role
  public var label: String
  /// What changes: "on", "40%".
  public var value: String?
  /// In the window, points.
  public var frame: CGRect
  public var isEnabled = true
  public var isSelected = false

  public init(role: Role, label: String, value: String? = nil, frame: CGRect) {
    self.role = role
    self.label = label
    self.value = value
    self.frame = frame
  }
}
