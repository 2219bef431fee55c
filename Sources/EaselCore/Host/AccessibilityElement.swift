/// One thing assistive technology can name: what it is, what it says, where it is.
public struct AccessibilityElement: Equatable, Sendable {
  public enum Role: String, Sendable {
    case text, image, button, tab, progress, toggle, heading, list, slider, textField, group
  }

  /// Tells what the keyboard can reach apart, for as long as it is on the screen.
  public struct ID: Hashable, Sendable {
    let node: ObjectIdentifier
  }

  /// Of what the keyboard can reach; nil for the rest.
  public internal(set) var id: ID?
  public var role: Role
  public var label: String
  /// What changes: "on", "40%".
  public var value: String?
  /// In the window, points.
  public var frame: CGRect
  public var isEnabled = true
  public var isSelected = false
  /// Whether there is a menu for it (`ViewHost.contextMenuOfFocus()`).
  public internal(set) var hasContextMenu = false

  /// Whether the keyboard can reach it.
  public var isFocusable: Bool { id != nil && isEnabled }

  public init(role: Role, label: String, value: String? = nil, frame: CGRect) {
    self.role = role
    self.label = label
    self.value = value
    self.frame = frame
  }
}
