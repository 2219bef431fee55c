import EaselCore

/// The few colours of the app that are its own.
enum Palette {
  static func page(_ scheme: ColorScheme) -> Color {
    scheme == .light ? Color(red: 245 / 255, green: 245 / 255, blue: 250 / 255) : .black
  }

  static func card(_ scheme: ColorScheme) -> Color {
    scheme == .light ? .white : Color(white: 0.11)
  }

  static func placeholder(_ scheme: ColorScheme) -> Color {
    scheme == .light ? Color.black.opacity(0.12) : Color.white.opacity(0.16)
  }
}
