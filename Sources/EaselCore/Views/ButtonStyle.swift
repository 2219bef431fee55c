/// What a button style is given to build the button's look from.
public struct ButtonStyleConfiguration {
  /// The label, its type hidden.
  nonisolated public struct Label: View {
    let content: AnyView
    @MainActor public var body: some View { content }
  }

  public let role: ButtonRole?
  public let label: Label
  public let isPressed: Bool
}

/// The look of the buttons inside a view.
@MainActor @preconcurrency public protocol ButtonStyle {
  associatedtype Body: View
  typealias Configuration = ButtonStyleConfiguration
  @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// A look of Easel's own, or the app's.
struct AnyButtonStyle {
  let make: @MainActor (ButtonStyleConfiguration) -> AnyView

  @MainActor init<S: ButtonStyle>(_ style: S) {
    make = { AnyView(style.makeBody(configuration: $0)) }
  }

  init(make: @escaping @MainActor (ButtonStyleConfiguration) -> AnyView) { self.make = make }
}

/// A tinted label without a background: what buttons look like on iOS unless told otherwise.
public struct DefaultButtonStyle: PrimitiveButtonStyle {
  nonisolated public init() {}
  public var look: ButtonLook { .borderless }
}

public struct BorderlessButtonStyle: PrimitiveButtonStyle {
  nonisolated public init() {}
  public var look: ButtonLook { .borderless }
}

/// The label as it is; it fades while pressed.
public struct PlainButtonStyle: PrimitiveButtonStyle {
  nonisolated public init() {}
  public var look: ButtonLook { .plain }
}

/// A tinted label on a grey fill, or on a light one of the tint where `tint(_:)` says one or the role is destructive.
public struct BorderedButtonStyle: PrimitiveButtonStyle {
  nonisolated public init() {}
  public var look: ButtonLook { .bordered }
}

/// A white label on the tint.
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {
  nonisolated public init() {}
  public var look: ButtonLook { .prominent }
}

public enum ButtonLook: Sendable {
  case borderless, plain, bordered, prominent
}

/// A style among those that come with the system.
@MainActor @preconcurrency public protocol PrimitiveButtonStyle {
  var look: ButtonLook { get }
}

extension PrimitiveButtonStyle where Self == DefaultButtonStyle {
  nonisolated public static var automatic: DefaultButtonStyle { DefaultButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
  nonisolated public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}

extension PrimitiveButtonStyle where Self == PlainButtonStyle {
  nonisolated public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
  nonisolated public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
  nonisolated public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}

/// The four looks drawn.
nonisolated struct ButtonLookView: View {
  let look: ButtonLook
  let configuration: ButtonStyleConfiguration

  @Environment(\.isEnabled) private var isEnabled
  @Environment(\.isInListRow) private var isInListRow
  @Environment(\.tint) private var explicitTint

  private var tint: Color { configuration.role == .destructive ? .red : .accentColor }

  private static let pressedFill = Color(light: 0x787880, dark: 0x787880, lightAlpha: 0.3, darkAlpha: 0.5)

  /// Grey, unless a tint was asked for.
  private var borderedFill: Color {
    guard isEnabled else { return .tertiarySystemFill }
    guard configuration.role == .destructive || explicitTint != nil else {
      return configuration.isPressed ? Self.pressedFill : .secondarySystemFill
    }
    return tint.opacity(configuration.isPressed ? 0.32 : 0.18)
  }

  @MainActor var body: some View {
    switch look {
    case .plain:
      configuration.label.opacity(isEnabled ? (configuration.isPressed ? 0.4 : 1) : 0.35)
    case .borderless:
      configuration.label
        .foregroundColor(isEnabled ? tint : .tertiary)
        // A row of a list shows that it is pressed as a whole.
        .opacity(configuration.isPressed && !isInListRow ? 0.35 : 1)
    case .bordered:
      configuration.label
        .foregroundColor(isEnabled ? tint : .tertiary)
        .padding(EdgeInsets(top: 7, leading: 14, bottom: 7, trailing: 14))
        .background(borderedFill, in: RoundedRectangle(cornerRadius: 9))
    case .prominent:
      configuration.label
        .foregroundColor(isEnabled ? .white : .tertiary)
        .padding(EdgeInsets(top: 7, leading: 14, bottom: 7, trailing: 14))
        .background(isEnabled ? tint : Color.tertiarySystemFill, in: RoundedRectangle(cornerRadius: 9))
        .opacity(configuration.isPressed ? 0.75 : 1)
    }
  }
}

private enum ButtonStyleKey: EnvironmentKey {
  static var defaultValue: AnyButtonStyle {
    AnyButtonStyle { AnyView(ButtonLookView(look: .borderless, configuration: $0)) }
  }
}

extension EnvironmentValues {
  var buttonStyle: AnyButtonStyle {
    get { self[ButtonStyleKey.self] }
    set { self[ButtonStyleKey.self] = newValue }
  }
}

extension View {
  @MainActor public func buttonStyle<S: ButtonStyle>(_ style: S) -> some View {
    environment(\.buttonStyle, AnyButtonStyle(style))
  }

  @MainActor public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View {
    let look = style.look
    return environment(
      \.buttonStyle, AnyButtonStyle { AnyView(ButtonLookView(look: look, configuration: $0)) })
  }
}
