/// What shapes and texts can be painted with.
public protocol ShapeStyle: Sendable {
  func _resolve(in environment: EnvironmentValues) -> _ResolvedStyle
}

/// A style with its colours resolved for one place on the screen.
public struct _ResolvedStyle: Sendable {
  let paint: Paint
}

extension ShapeStyle {
  func paint(in environment: EnvironmentValues) -> Paint { _resolve(in: environment).paint }

  public func opacity(_ opacity: Double) -> some ShapeStyle { OpacityStyle(base: self, opacity: opacity) }
}

private struct OpacityStyle<Base: ShapeStyle>: ShapeStyle {
  let base: Base
  let opacity: Double

  func _resolve(in environment: EnvironmentValues) -> _ResolvedStyle {
    _ResolvedStyle(paint: base.paint(in: environment).opacity(min(1, max(0, opacity))))
  }
}

extension Color: ShapeStyle {
  public func _resolve(in environment: EnvironmentValues) -> _ResolvedStyle {
    _ResolvedStyle(paint: .color(resolve(in: environment)))
  }
}

/// A style whose type is hidden.
public struct AnyShapeStyle: ShapeStyle {
  let base: any ShapeStyle

  public init<S: ShapeStyle>(_ style: S) { base = style }

  public func _resolve(in environment: EnvironmentValues) -> _ResolvedStyle { base._resolve(in: environment) }
}

/// `.primary`, `.secondary`, …: fainter and fainter versions of the foreground.
public struct HierarchicalShapeStyle: ShapeStyle {
  let level: Int

  public static let primary = HierarchicalShapeStyle(level: 0)
  public static let secondary = HierarchicalShapeStyle(level: 1)
  public static let tertiary = HierarchicalShapeStyle(level: 2)
  public static let quaternary = HierarchicalShapeStyle(level: 3)

  public func _resolve(in environment: EnvironmentValues) -> _ResolvedStyle {
    // A foreground set from outside fades; without one these are the system's label colours.
    if let style = environment.foregroundStyle {
      let factors = [1, 0.6, 0.3, 0.18]
      return _ResolvedStyle(paint: style.paint(in: environment).opacity(factors[level]))
    }
    let labels: [Color] = [.primary, .secondary, .tertiary, .quaternary]
    return labels[level]._resolve(in: environment)
  }
}

/// The tint of the place it is used in.
public struct TintShapeStyle: ShapeStyle {
  public init() {}
  public func _resolve(in environment: EnvironmentValues) -> _ResolvedStyle {
    Color.accentColor._resolve(in: environment)
  }
}

/// The foreground style of the place it is used in.
public struct ForegroundStyle: ShapeStyle {
  public init() {}
  public func _resolve(in environment: EnvironmentValues) -> _ResolvedStyle {
    _ResolvedStyle(paint: environment.foregroundPaint)
  }
}

/// The background of a window.
public struct BackgroundStyle: ShapeStyle {
  public init() {}
  public func _resolve(in environment: EnvironmentValues) -> _ResolvedStyle {
    Color.systemBackground._resolve(in: environment)
  }
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
  public static var primary: HierarchicalShapeStyle { .primary }
  public static var secondary: HierarchicalShapeStyle { .secondary }
  public static var tertiary: HierarchicalShapeStyle { .tertiary }
  public static var quaternary: HierarchicalShapeStyle { .quaternary }
}

extension ShapeStyle where Self == TintShapeStyle {
  public static var tint: TintShapeStyle { TintShapeStyle() }
}

extension ShapeStyle where Self == ForegroundStyle {
  public static var foreground: ForegroundStyle { ForegroundStyle() }
}

extension ShapeStyle where Self == BackgroundStyle {
  public static var background: BackgroundStyle { BackgroundStyle() }
}

extension ShapeStyle where Self == Color {
  public static var red: Color { Color.red }
  public static var orange: Color { Color.orange }
  public static var yellow: Color { Color.yellow }
  public static var green: Color { Color.green }
  public static var mint: Color { Color.mint }
  public static var teal: Color { Color.teal }
  public static var cyan: Color { Color.cyan }
  public static var blue: Color { Color.blue }
  public static var indigo: Color { Color.indigo }
  public static var purple: Color { Color.purple }
  public static var pink: Color { Color.pink }
  public static var brown: Color { Color.brown }
  public static var gray: Color { Color.gray }
  public static var black: Color { Color.black }
  public static var white: Color { Color.white }
  public static var clear: Color { Color.clear }
}

private enum ForegroundStyleKey: EnvironmentKey {
  static var defaultValue: AnyShapeStyle? { nil }
}

private enum TintKey: EnvironmentKey {
  static var defaultValue: Color? { nil }
}

extension EnvironmentValues {
  var foregroundStyle: AnyShapeStyle? {
    get { self[ForegroundStyleKey.self] }
    set { self[ForegroundStyleKey.self] = newValue }
  }

  var tint: Color? {
    get { self[TintKey.self] }
    set { self[TintKey.self] = newValue }
  }

  /// What texts and symbols are drawn with.
  var foregroundPaint: Paint {
    guard let style = foregroundStyle else { return Color.primary.paint(in: self) }
    // The style is resolved as if nothing were set, or it could mean itself.
    var outer = self
    outer.foregroundStyle = nil
    return style.paint(in: outer)
  }
}

extension View {
  nonisolated public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View {
    environment(\.foregroundStyle, AnyShapeStyle(style))
  }

  nonisolated public func foregroundColor(_ color: Color?) -> some View {
    environment(\.foregroundStyle, color.map { AnyShapeStyle($0) })
  }

  nonisolated public func tint(_ tint: Color?) -> some View { environment(\.tint, tint) }

  nonisolated public func accentColor(_ accentColor: Color?) -> some View { environment(\.tint, accentColor) }
}
