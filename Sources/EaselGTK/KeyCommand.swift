import EaselCore

/// What a key means to a window.
enum KeyCommand: Equatable {
  case focusNext, focusPrevious
  case activate
  case menu
  /// Points, or parts of what is seen.
  case scroll(by: Distance)
  case scrollToStart, scrollToEnd
  /// Takes the focus away.
  case leave

  enum Distance: Equatable {
    case points(x: CGFloat, y: CGFloat)
    case pages(CGFloat)
  }

  /// How far an arrow key scrolls, in points.
  static let line: CGFloat = 60

  /// - Parameter key: an X11 keysym (X11/keysymdef.h), which GDK uses on every display.
  init?(key: UInt32, shift: Bool, control: Bool) {
    // Other combinations with Control belong to the desktop or the app.
    if control { return nil }
    switch key {
    case 0xFF09: self = shift ? .focusPrevious : .focusNext
    case 0xFE20: self = .focusPrevious
    case 0xFF0D, 0xFF8D: self = .activate
    case 0x20, 0xFF80: self = .activate
    case 0xFF67: self = .menu
    case 0xFFC7 where shift: self = .menu
    case 0xFF55, 0xFF9A: self = .scroll(by: .pages(-1))
    case 0xFF56, 0xFF9B: self = .scroll(by: .pages(1))
    case 0xFF50, 0xFF95: self = .scrollToStart
    case 0xFF57, 0xFF9C: self = .scrollToEnd
    case 0xFF51: self = .scroll(by: .points(x: -Self.line, y: 0))
    case 0xFF52: self = .scroll(by: .points(x: 0, y: -Self.line))
    case 0xFF53: self = .scroll(by: .points(x: Self.line, y: 0))
    case 0xFF54: self = .scroll(by: .points(x: 0, y: Self.line))
    case 0xFF1B: self = .leave
    default: return nil
    }
  }
}
