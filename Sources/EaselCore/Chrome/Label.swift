/// A title with an icon. How the two are shown is up to the label style of the place.
nonisolated public struct Label<Title: View, Icon: View>: View {
  let title: Title
  let icon: Icon

  @Environment(\.labelStyle) private var style

  public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
    self.title = title()
    self.icon = icon()
  }

  @MainActor public var body: some View {
    LabelView(
      content: style.make(
        LabelStyleConfiguration(title: .init(content: AnyView(title)), icon: .init(content: AnyView(icon)))),
      spokenTitle: (title as? Text)?.string)
  }
}

extension Label where Title == Text, Icon == Image {
  public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
    self.init(title: { Text(titleKey) }, icon: { Image(systemName: name) })
  }

  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, systemImage name: String) {
    self.init(title: { Text(title) }, icon: { Image(systemName: name) })
  }
}

extension Label where Title == LabelStyleConfiguration.Title, Icon == LabelStyleConfiguration.Icon {
  /// The label a style was given, for styles that only add to it.
  public init(_ configuration: LabelStyleConfiguration) {
    self.init(title: { configuration.title }, icon: { configuration.icon })
  }
}

/// A label speaks with its title; the icon is decoration.
nonisolated private struct LabelView<Content: View>: RenderableView {
  let content: Content
  let spokenTitle: String?

  @MainActor func makeRenderNode(in graph: Graph) -> LabelRenderNode { LabelRenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: LabelRenderNode, environment: EnvironmentValues) {
    render.spokenTitle = spokenTitle
  }
}

private final class LabelRenderNode: RenderNode {
  var spokenTitle: String?

  override func collectAccessibility(into list: inout [AccessibilityElement], at origin: CGPoint) {
    var inner: [AccessibilityElement] = []
    super.collectAccessibility(into: &inner, at: origin)
    let texts = inner.filter { $0.role != .image }
    if !texts.isEmpty {
      list += texts
    } else if let spokenTitle, !inner.isEmpty {
      let frame = CGRect(origin: origin, size: frame.size)
      list.append(AccessibilityElement(role: .image, label: spokenTitle, frame: frame))
    } else {
      list += inner
    }
  }
}
