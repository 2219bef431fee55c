extension View {
  /// What assistive technology says in place of what the view shows.
  nonisolated public func accessibilityLabel(_ label: Text) -> some View {
    AccessibilityView(content: self, label: label.string)
  }

  nonisolated public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View {
    AccessibilityView(content: self, label: labelKey.string)
  }

  @_disfavoredOverload
  nonisolated public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View {
    AccessibilityView(content: self, label: String(label))
  }

  nonisolated public func accessibilityValue<S: StringProtocol>(_ value: S) -> some View {
    AccessibilityView(content: self, value: String(value))
  }

  /// Hides the view and all it contains from assistive technology.
  nonisolated public func accessibilityHidden(_ hidden: Bool) -> some View {
    AccessibilityView(content: self, isHidden: hidden)
  }
}

nonisolated struct AccessibilityView<Content: View>: RenderableView {
  let content: Content
  var label: String?
  var value: String?
  var isHidden = false
  var role: AccessibilityElement.Role?

  @MainActor func makeRenderNode(in graph: Graph) -> AccessibilityRenderNode { AccessibilityRenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: AccessibilityRenderNode, environment: EnvironmentValues) {
    render.label = label
    render.value = value
    render.isHidden = isHidden
    render.role = role
  }
}

/// Changes what its content says. With a label the content becomes one element: of its first element's role, or a
/// picture's where the content was only decoration.
final class AccessibilityRenderNode: RenderNode {
  var label: String?
  var value: String?
  var isHidden = false
  var role: AccessibilityElement.Role?

  override func collectAccessibility(into list: inout [AccessibilityElement], at origin: CGPoint) {
    guard !isHidden else { return }
    var inner: [AccessibilityElement] = []
    super.collectAccessibility(into: &inner, at: origin)
    guard label != nil || value != nil || role != nil else {
      list += inner
      return
    }
    var element =
      inner.first ?? AccessibilityElement(role: .image, label: "", frame: CGRect(origin: origin, size: frame.size))
    if let label {
      element.label = label
      element.frame = CGRect(origin: origin, size: frame.size)
    }
    if let value { element.value = value }
    if let role { element.role = role }
    list.append(element)
    if label == nil { list += inner.dropFirst() }
  }
}
