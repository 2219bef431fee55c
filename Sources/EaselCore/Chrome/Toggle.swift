/// A switch with a label. A tap anywhere on it turns it.
nonisolated public struct Toggle<Label: View>: View {
  let isOn: Binding<Bool>
  let label: Label

  @Environment(\.isEnabled) private var isEnabled
  @Environment(\.labelsAreHidden) private var labelIsHidden
  @State private var isPressed = false

  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
    self.isOn = isOn
    self.label = label()
  }

  @MainActor public var body: some View {
    let isOn = isOn
    InteractionView(
      content: content, role: .toggle, isEnabled: isEnabled,
      label: labelIsHidden ? (label as? Text)?.string : nil, value: isOn.wrappedValue ? "on" : "off",
      action: { isOn.wrappedValue.toggle() },
      onPress: { pressed in withAnimation(.easeOut(duration: 0.2)) { isPressed = pressed } })
  }

  @MainActor @ViewBuilder private var content: some View {
    let knob = Switch(isOn: isOn.wrappedValue, isPressed: isPressed).opacity(isEnabled ? 1 : 0.5)
    if labelIsHidden {
      knob
    } else {
      HStack(spacing: 8) {
        label
        Spacer(minLength: 0)
        knob
      }
    }
  }
}

extension Toggle where Label == Text {
  public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) {
    self.init(isOn: isOn) { Text(titleKey) }
  }

  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {
    self.init(isOn: isOn) { Text(title) }
  }
}

extension Toggle where Label == EaselCore.Label<Text, Image> {
  public init(_ titleKey: LocalizedStringKey, systemImage: String, isOn: Binding<Bool>) {
    self.init(isOn: isOn) { EaselCore.Label(titleKey, systemImage: systemImage) }
  }

  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, systemImage: String, isOn: Binding<Bool>) {
    self.init(isOn: isOn) { EaselCore.Label(title, systemImage: systemImage) }
  }
}

/// 51 by 31 points; the knob grows towards the middle while it is pressed.
nonisolated private struct Switch: View {
  let isOn: Bool
  let isPressed: Bool

  @Environment(\.tint) private var tint

  private static let off = Color(light: 0xE9E9EA, dark: 0x39393D)

  @MainActor var body: some View {
    let width: CGFloat = isPressed ? 33 : 27
    let reach = (51 - 4 - width) / 2
    ZStack {
      Capsule(style: .circular).fill(isOn ? tint ?? .green : Self.off)
      Capsule(style: .circular).fill(Color.white)
        .frame(width: width, height: 27)
        .shadow(color: Color.black.opacity(0.18), radius: 2.5, y: 2)
        .offset(x: isOn ? reach : -reach)
    }
    .frame(width: 51, height: 31)
    .animation(.easeInOut(duration: 0.2), value: isOn)
  }
}

private enum LabelsHiddenKey: EnvironmentKey {
  static var defaultValue: Bool { false }
}

extension EnvironmentValues {
  fileprivate var labelsAreHidden: Bool {
    get { self[LabelsHiddenKey.self] }
    set { self[LabelsHiddenKey.self] = newValue }
  }
}

extension View {
  /// Hides the labels of the controls inside; assistive technology still says those that are texts.
  nonisolated public func labelsHidden() -> some View { environment(\.labelsAreHidden, true) }
}
