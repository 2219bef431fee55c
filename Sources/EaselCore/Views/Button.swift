/// A control that performs an action.
nonisolated public struct Button<Label: View>: View {
  let role: ButtonRole?
  let action: @MainActor () -> Void
  let label: Label

  @Environment(\.buttonStyle) private var style
  @Environment(\.isEnabled) private var isEnabled
  @State private var isPressed = false

  @preconcurrency
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    self.init(role: nil, action: action, label: label)
  }

  @preconcurrency
  public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    self.role = role
    self.action = action
    self.label = label()
  }

  @MainActor public var body: some View {
    InteractionView(
      content: style.make(
        ButtonStyleConfiguration(role: role, label: .init(content: AnyView(label)), isPressed: isPressed)),
      role: .button, isEnabled: isEnabled, buttonRole: role, action: { action() },
      onPress: { pressed in
        withTransaction(Transaction(animation: pressed ? nil : .easeOut(duration: 0.2))) { isPressed = pressed }
      })
  }
}

extension Button where Label == Text {
  @preconcurrency
  public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(titleKey) }
  }

  @_disfavoredOverload
  @preconcurrency
  public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(title) }
  }

  @preconcurrency
  public init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
    self.init(role: role, action: action) { Text(titleKey) }
  }

  @_disfavoredOverload
  @preconcurrency
  public init<S: StringProtocol>(_ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
    self.init(role: role, action: action) { Text(title) }
  }
}

/// What a button is for.
public struct ButtonRole: Equatable, Sendable {
  let name: String
  public static let destructive = ButtonRole(name: "destructive")
  public static let cancel = ButtonRole(name: "cancel")
}

/// A rectangle that can be tapped, and what it is called.
nonisolated struct InteractionView<Content: View>: RenderableView {
  let content: Content
  var role: AccessibilityElement.Role?
  var isEnabled = true
  var fillsRectangle = true
  var label: String?
  var value: String?
  var isSelected = false
  var buttonRole: ButtonRole?
  let action: () -> Void
  var onPress: ((Bool) -> Void)?

  @MainActor func makeRenderNode(in graph: Graph) -> InteractionRenderNode { InteractionRenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: InteractionRenderNode, environment: EnvironmentValues) {
    render.action = action
    render.onPress = onPress
    render.isEnabled = isEnabled
    render.role = role
    render.fillsRectangle = fillsRectangle
    render.label = label
    render.value = value
    render.isSelected = isSelected
    render.buttonRole = buttonRole
  }
}

extension View {
  /// Runs `action` when the view is tapped. Only what the view draws answers.
  nonisolated public func onTapGesture(perform action: @escaping () -> Void) -> some View {
    InteractionView(content: self, fillsRectangle: false, action: action)
  }
}
