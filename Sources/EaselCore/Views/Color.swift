/// A colour, as a view (it fills what it is offered) and as a style. Semantic colours follow the colour scheme.
nonisolated public struct Color: Hashable, Sendable {
  public enum RGBColorSpace: Sendable {
    case sRGB
    case sRGBLinear
  }

  enum Storage: Hashable, Sendable {
    case fixed(RGBA)
    case dynamic(light: RGBA, dark: RGBA)
    case accent
  }

  let storage: Storage
  var alpha = 1.0

  public init(_ colorSpace: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1) {
    func encode(_ value: Double) -> Double {
      let value = min(1, max(0, value.isNaN ? 0 : value))
      guard colorSpace == .sRGBLinear else { return value }
      return value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
    }
    storage = .fixed(
      RGBA(red: encode(red), green: encode(green), blue: encode(blue), alpha: min(1, max(0, opacity))))
  }

  public init(_ colorSpace: RGBColorSpace = .sRGB, white: Double, opacity: Double = 1) {
    self.init(colorSpace, red: white, green: white, blue: white, opacity: opacity)
  }

  public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
    func channel(_ offset: Double) -> Double {
      let position = (offset + hue * 6).truncatingRemainder(dividingBy: 6)
      let wedge = max(0, min(position, 4 - position, 1))
      return brightness - brightness * saturation * wedge
    }
    self.init(red: channel(5), green: channel(3), blue: channel(1), opacity: opacity)
  }

  init(light: Int, dark: Int, lightAlpha: Double = 1, darkAlpha: Double = 1) {
    storage = .dynamic(light: RGBA(hex: light, alpha: lightAlpha), dark: RGBA(hex: dark, alpha: darkAlpha))
  }

  private init(storage: Storage) { self.storage = storage }

  // MARK: Apple's system colours, light and dark

  public static let red = Color(light: 0xFF3B30, dark: 0xFF453A)
  public static let orange = Color(light: 0xFF9500, dark: 0xFF9F0A)
  public static let yellow = Color(light: 0xFFCC00, dark: 0xFFD60A)
  public static let green = Color(light: 0x34C759, dark: 0x30D158)
  public static let mint = Color(light: 0x00C7BE, dark: 0x63E6E2)
  public static let teal = Color(light: 0x30B0C7, dark: 0x40C8E0)
  public static let cyan = Color(light: 0x32ADE6, dark: 0x64D2FF)
  public static let blue = Color(light: 0x007AFF, dark: 0x0A84FF)
  public static let indigo = Color(light: 0x5856D6, dark: 0x5E5CE6)
  public static let purple = Color(light: 0xAF52DE, dark: 0xBF5AF2)
  public static let pink = Color(light: 0xFF2D55, dark: 0xFF375F)
  public static let brown = Color(light: 0xA2845E, dark: 0xAC8E68)
  public static let gray = Color(light: 0x8E8E93, dark: 0x8E8E93)
  public static let black = Color(red: 0, green: 0, blue: 0)
  public static let white = Color(red: 1, green: 1, blue: 1)
  public static let clear = Color(red: 0, green: 0, blue: 0, opacity: 0)
  public static let primary = Color(light: 0x000000, dark: 0xFFFFFF)
  public static let secondary = Color(light: 0x3C3C43, dark: 0xEBEBF5, lightAlpha: 0.6, darkAlpha: 0.6)
  /// The tint of the view it is used in.
  public static let accentColor = Color(storage: .accent)

  // MARK: Backgrounds and fills that SwiftUI draws itself with

  package static let tertiary = Color(light: 0x3C3C43, dark: 0xEBEBF5, lightAlpha: 0.3, darkAlpha: 0.3)
  package static let quaternary = Color(light: 0x3C3C43, dark: 0xEBEBF5, lightAlpha: 0.18, darkAlpha: 0.16)
  package static let systemBackground = Color(light: 0xFFFFFF, dark: 0x000000)
  package static let secondarySystemBackground = Color(light: 0xF2F2F7, dark: 0x1C1C1E)
  package static let groupedBackground = Color(light: 0xF2F2F7, dark: 0x000000)
  package static let secondaryGroupedBackground = Color(light: 0xFFFFFF, dark: 0x1C1C1E)
  package static let separator = Color(light: 0x3C3C43, dark: 0x545458, lightAlpha: 0.29, darkAlpha: 0.6)
  package static let systemFill = Color(light: 0x787880, dark: 0x787880, lightAlpha: 0.2, darkAlpha: 0.36)
  /// What an image's place is filled with while the image is not there.
  package static let secondarySystemFill = Color(light: 0x787880, dark: 0x787880, lightAlpha: 0.16, darkAlpha: 0.32)
  package static let tertiarySystemFill = Color(light: 0x767680, dark: 0x767680, lightAlpha: 0.12, darkAlpha: 0.24)
  package static let barBackground = Color(light: 0xF9F9F9, dark: 0x161616, lightAlpha: 0.94, darkAlpha: 0.94)

  /// The colour with its opacity multiplied.
  public func opacity(_ opacity: Double) -> Color {
    var copy = self
    copy.alpha *= min(1, max(0, opacity.isNaN ? 1 : opacity))
    return copy
  }

  func resolve(in environment: EnvironmentValues) -> RGBA {
    switch storage {
    case .fixed(let color): color.opacity(alpha)
    case .dynamic(let light, let dark): (environment.colorScheme == .dark ? dark : light).opacity(alpha)
    case .accent: (environment.tint ?? .blue).resolveTint(in: environment).opacity(alpha)
    }
  }

  /// As `resolve`, where the tint itself may be asked for.
  private func resolveTint(in environment: EnvironmentValues) -> RGBA {
    if case .accent = storage { return Color.blue.resolve(in: environment) }
    return resolve(in: environment)
  }
}

extension RGBA {
  init(hex: Int, alpha: Double) {
    self.init(
      red: Double(hex >> 16 & 0xFF) / 255, green: Double(hex >> 8 & 0xFF) / 255, blue: Double(hex & 0xFF) / 255,
      alpha: alpha)
  }
}

extension Color: View, RenderableView {
  public typealias Body = Never

  @MainActor func makeRenderNode(in graph: Graph) -> ColorRenderNode { ColorRenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: ColorRenderNode, environment: EnvironmentValues) {
    render.set(resolve(in: environment))
  }
}

/// Fills what it is offered; 10 points where nothing is offered, as in SwiftUI.
final class ColorRenderNode: RenderNode {
  private var color: Animated<RGBA>?

  func set(_ value: RGBA) {
    guard let color else {
      color = Animated(value)
      return
    }
    color.set(value, on: self) { [weak self] in self?.setNeedsDisplay() }
  }

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    proposal.replacingUnspecifiedDimensions()
  }

  override func draw(in context: inout DrawingContext) {
    guard let color, context.canSee(bounds) else { return }
    context.fill(bounds, with: .color(color.value))
  }

  override var plainFill: Paint? { color.map { .color($0.value) } }

  /// What cannot be seen cannot be tapped.
  override var isOpaqueToHits: Bool { (color?.target.alpha ?? 0) > 0 }
}
