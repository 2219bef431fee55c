/// Views that belong together, with something said above and below them. In a list a group of rows; elsewhere its
/// parts one after the other.
nonisolated public struct Section<Parent: View, Content: View, Footer: View>: PrimitiveView {
  let header: Parent
  let content: Content
  let footer: Footer

  public init(
    @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer
  ) {
    self.header = header()
    self.content = content()
    self.footer = footer()
  }

  /// As before the labels were reordered.
  public init(header: Parent, footer: Footer, @ViewBuilder content: () -> Content) {
    self.init(content: content, header: { header }, footer: { footer })
  }

  @MainActor public static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    SectionNode(view, parent: parent, environment: environment)
  }
}

extension Section where Footer == EmptyView {
  public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
    self.init(content: content, header: header, footer: { EmptyView() })
  }

  public init(header: Parent, @ViewBuilder content: () -> Content) {
    self.init(content: content, header: { header })
  }
}

extension Section where Parent == EmptyView {
  public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
    self.init(content: content, header: { EmptyView() }, footer: footer)
  }

  public init(footer: Footer, @ViewBuilder content: () -> Content) {
    self.init(content: content, footer: { footer })
  }
}

extension Section where Parent == EmptyView, Footer == EmptyView {
  public init(@ViewBuilder content: () -> Content) {
    self.init(content: content, header: { EmptyView() }, footer: { EmptyView() })
  }
}

extension Section where Parent == Text, Footer == EmptyView {
  public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
    self.init(content: content, header: { Text(titleKey) })
  }

  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
    self.init(content: content, header: { Text(title) })
  }
}

/// Rows that know their place: header, then rows, then footer.
@MainActor protocol ListSectioning: Node {}

final class SectionNode<Parent: View, Content: View, Footer: View>:
  ViewNode<Section<Parent, Content, Footer>>, ListSectioning
{
  private var header: ViewNode<Parent>?
  private var content: ViewNode<Content>?
  private var footer: ViewNode<Footer>?

  override init(_ view: Section<Parent, Content, Footer>, parent: Node, environment: EnvironmentValues) {
    super.init(view, parent: parent, environment: environment)
    header = makeChild(view.header, environment: ends(.header))
    content = makeChild(view.content, environment: environment)
    footer = makeChild(view.footer, environment: ends(.footer))
  }

  override var children: [Node] { [header, content, footer].compactMap { $0 } }

  override var distributesScopes: Bool { parent?.distributesScopes ?? false }

  override func update(_ view: Section<Parent, Content, Footer>, environment: EnvironmentValues) {
    super.update(view, environment: environment)
    header?.update(view.header, environment: ends(.header))
    content?.update(view.content, environment: environment)
    footer?.update(view.footer, environment: ends(.footer))
  }

  override func row(at index: Int) -> [RenderNode] {
    let nodes = super.row(at: index)
    let headers = header?.rowCount ?? 0
    let rows = content?.rowCount ?? 0
    var place = ListRowPlace(
      kind: .row, isFirst: index == headers, isLast: index == headers + rows - 1, startsSection: index == 0)
    if index < headers { place.kind = .header }
    if index >= headers + rows { place.kind = .footer }
    nodes.mark(place)
    return nodes
  }

  /// In a list, what is above and below a section is small and grey.
  private func ends(_ kind: ListRowPlace.Kind) -> EnvironmentValues {
    guard environment.isInListRow else { return environment }
    var result = environment
    result.isInListRow = false
    result.font = .footnote
    result.foregroundStyle = AnyShapeStyle(Color.secondary)
    return result
  }
}

extension [RenderNode] {
  /// Tells rows their place; several that come from one element are first and last together.
  @MainActor func mark(_ place: ListRowPlace) {
    for (index, render) in enumerated() {
      var own = place
      own.isFirst = place.isFirst && index == 0
      own.isLast = place.isLast && index == count - 1
      own.startsSection = place.startsSection && index == 0
      render.setTrait(ListRowPlaceTrait.self, own)
    }
  }
}
