/// A font by its role or size, by SwiftUI's names. Sizes in points, those of the standard Dynamic Type size.
public struct Font: Hashable, Sendable {
  public enum TextStyle: CaseIterable, Hashable, Sendable {
    case largeTitle, title, title2, title3, headline, subheadline, body, callout, footnote, caption, caption2
  }

  public struct Weight: Hashable, Sendable {
    let value: Int

    public static let ultraLight = Weight(value: 200)
    public static let thin = Weight(value: 100)
    public static let light = Weight(value: 300)
    public static let regular = Weight(value: 400)
    public static let medium = Weight(value: 500)
    public static let semibold = Weight(value: 600)
    public static let bold = Weight(value: 700)
    public static let heavy = Weight(value: 800)
    public static let black = Weight(value: 900)
  }

  public enum Design: Hashable, Sendable {
    case `default`, serif, rounded, monospaced
  }

  private(set) var size: CGFloat
  private(set) var weightValue: Weight
  private(set) var design: Design
  private(set) var isItalic = false
  private(set) var monospacedDigits = false

  private init(size: CGFloat, weight: Weight, design: Design) {
    self.size = size
    weightValue = weight
    self.design = design
  }

  public static let largeTitle = system(.largeTitle)
  public static let title = system(.title)
  public static let title2 = system(.title2)
  public static let title3 = system(.title3)
  public static let headline = system(.headline)
  public static let subheadline = system(.subheadline)
  public static let body = system(.body)
  public static let callout = system(.callout)
  public static let footnote = system(.footnote)
  public static let caption = system(.caption)
  public static let caption2 = system(.caption2)

  public static func system(size: CGFloat, weight: Weight? = nil, design: Design? = nil) -> Font {
    Font(size: size, weight: weight ?? .regular, design: design ?? .default)
  }

  public static func system(_ style: TextStyle, design: Design? = nil, weight: Weight? = nil) -> Font {
    Font(size: style.size, weight: weight ?? style.weight, design: design ?? .default)
  }

  public func weight(_ weight: Weight) -> Font { changed { $0.weightValue = weight } }
  public func bold() -> Font { weight(.bold) }
  public func italic() -> Font { changed { $0.isItalic = true } }
  public func monospaced() -> Font { changed { $0.design = .monospaced } }
  public func monospacedDigit() -> Font { changed { $0.monospacedDigits = true } }

  private func changed(_ change: (inout Font) -> Void) -> Font {
    var copy = self
    change(&copy)
    return copy
  }
}

extension Font.TextStyle {
  var size: CGFloat {
    switch self {
    case .largeTitle: 34
    case .title: 28
    case .title2: 22
    case .title3: 20
    case .headline, .body: 17
    case .callout: 16
    case .subheadline: 15
    case .footnote: 13
    case .caption: 12
    case .caption2: 11
    }
  }

  var weight: Font.Weight { self == .headline ? .semibold : .regular }
}

/// A font as the text engine is asked for it.
struct ResolvedFont: Equatable {
  var size: CGFloat
  var weight: Int
  var isItalic: Bool
  var monospacedDigits: Bool
  var design: Font.Design

  init(_ font: Font) {
    size = font.size.isFinite ? font.size : 17
    weight = font.weightValue.value
    isItalic = font.isItalic
    monospacedDigits = font.monospacedDigits
    design = font.design
  }

  /// In order of preference; the last name of each list is one that every system answers.
  var families: String {
    switch design {
    case .default, .rounded: size >= 20 ? "Inter Display, Inter, Sans" : "Inter, Sans"
    case .serif: "Source Serif 4, Noto Serif, Serif"
    case .monospaced: "JetBrains Mono, DejaVu Sans Mono, Monospace"
    }
  }
}

private enum FontKey: EnvironmentKey {
  static var defaultValue: Font? { nil }
}

extension EnvironmentValues {
  /// The font of texts that do not say their own; nil is `body`.
  public var font: Font? {
    get { self[FontKey.self] }
    set { self[FontKey.self] = newValue }
  }
}

extension View {
  /// The font of the texts and symbols inside.
  nonisolated public func font(_ font: Font?) -> some View { environment(\.font, font) }

  nonisolated public func fontWeight(_ weight: Font.Weight?) -> some View {
    transformEnvironment(\.font) { font in
      if let weight { font = (font ?? .body).weight(weight) }
    }
  }

  nonisolated public func bold(_ isActive: Bool = true) -> some View {
    transformEnvironment(\.font) { font in if isActive { font = (font ?? .body).bold() } }
  }

  nonisolated public func italic(_ isActive: Bool = true) -> some View {
    transformEnvironment(\.font) { font in if isActive { font = (font ?? .body).italic() } }
  }

  nonisolated public func monospacedDigit() -> some View {
    transformEnvironment(\.font) { font in font = (font ?? .body).monospacedDigit() }
  }
}
