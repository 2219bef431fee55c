/// What a label style is given to build a label's look from.
public struct LabelStyleConfiguration {
  /// The label's title, its type hidden.
  nonisolated public struct Title: View {
    let content: AnyView
    @MainActor public var body: some View { content }
  }

  /// The label's icon, its type hidden.
  nonisolated public struct Icon: View {
    let content: AnyView
    @MainActor public var body: some View { content }
  }

  public let title: Title
  public let icon: Icon
}

/// The look of the labels inside a view.
@MainActor @preconcurrency public protocol LabelStyle {
  associatedtype Body: View
  typealias Configuration = LabelStyleConfiguration
  @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// The look that suits the place: icon before title, in a tab bar icon above title.
public struct DefaultLabelStyle: LabelStyle {
  nonisolated public init() {}
  public func makeBody(configuration: Configuration) -> some View { AutomaticLabel(configuration: configuration) }
}

public struct TitleAndIconLabelStyle: LabelStyle {
  nonisolated public init() {}
  public func makeBody(configuration: Configuration) -> some View { TitleAndIcon(configuration: configuration) }
}

public struct TitleOnlyLabelStyle: LabelStyle {
  nonisolated public init() {}
  public func makeBody(configuration: Configuration) -> some View { configuration.title }
}

/// Only the icon; assistive technology still says the title.
public struct IconOnlyLabelStyle: LabelStyle {
  nonisolated public init() {}
  public func makeBody(configuration: Configuration) -> some View { configuration.icon }
}

extension LabelStyle where Self == DefaultLabelStyle {
  nonisolated public static var automatic: DefaultLabelStyle { DefaultLabelStyle() }
}

extension LabelStyle where Self == TitleAndIconLabelStyle {
  nonisolated public static var titleAndIcon: TitleAndIconLabelStyle { TitleAndIconLabelStyle() }
}

extension LabelStyle where Self == TitleOnlyLabelStyle {
  nonisolated public static var titleOnly: TitleOnlyLabelStyle { TitleOnlyLabelStyle() }
}

extension LabelStyle where Self == IconOnlyLabelStyle {
  nonisolated public static var iconOnly: IconOnlyLabelStyle { IconOnlyLabelStyle() }
}

// MARK: The looks

nonisolated private struct TitleAndIcon: View {
  let configuration: LabelStyleConfiguration

  @MainActor var body: some View {
    HStack(spacing: 8) {
      configuration.icon
      configuration.title
    }
  }
}

nonisolated private struct AutomaticLabel: View {
  let configuration: LabelStyleConfiguration

  @Environment(\.labelPlace) private var place

  @MainActor var body: some View {
    switch place {
    case .text: TitleAndIcon(configuration: configuration)
    case .tabBar:
      VStack(spacing: 1) {
        configuration.icon
        configuration.title
      }
    case .row:
      HStack(spacing: 16) {
        configuration.icon.foregroundColor(.accentColor).frame(minWidth: 24)
        configuration.title
      }
    }
  }
}

/// Where a label is, for the automatic style.
enum LabelPlace {
  case text
  case tabBar
  case row
}

struct AnyLabelStyle {
  let make: @MainActor (LabelStyleConfiguration) -> AnyView

  @MainActor init<S: LabelStyle>(_ style: S) {
    make = { AnyView(style.makeBody(configuration: $0)) }
  }

  init(make: @escaping @MainActor (LabelStyleConfiguration) -> AnyView) { self.make = make }
}

private enum LabelStyleKey: EnvironmentKey {
  static var defaultValue: AnyLabelStyle { AnyLabelStyle { AnyView(AutomaticLabel(configuration: $0)) } }
}

private enum LabelPlaceKey: EnvironmentKey {
  static var defaultValue: LabelPlace { .text }
}

extension EnvironmentValues {
  var labelStyle: AnyLabelStyle {
    get { self[LabelStyleKey.self] }
    set { self[LabelStyleKey.self] = newValue }
  }

  var labelPlace: LabelPlace {
    get { self[LabelPlaceKey.self] }
    set { self[LabelPlaceKey.self] = newValue }
  }
}

extension View {
  /// The style of the labels inside.
  @MainActor public func labelStyle<S: LabelStyle>(_ style: S) -> some View {
    environment(\.labelStyle, AnyLabelStyle(style))
  }
}
