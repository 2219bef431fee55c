/// Pages with a title bar, pushed over one another by `NavigationLink`.
nonisolated public struct NavigationView<Content: View>: View {
  let content: Content

  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  @MainActor public var body: some View { NavigationHost(root: content) }
}

/// The same by its newer name, with its links' destinations given in place.
nonisolated public struct NavigationStack<Root: View>: View {
  let root: Root

  public init(@ViewBuilder root: () -> Root) { self.root = root() }

  @MainActor public var body: some View { NavigationHost(root: root) }
}

/// How a navigation view shows its pages.
public struct StackNavigationViewStyle: Sendable {
  nonisolated public init() {}
}

extension StackNavigationViewStyle {
  nonisolated public static var stack: StackNavigationViewStyle { StackNavigationViewStyle() }
}

extension View {
  /// One page at a time: the only style there is.
  nonisolated public func navigationViewStyle(_ style: StackNavigationViewStyle) -> some View { self }
}

/// Shows a view over the page it is on when it is tapped. Disabled outside of a navigation view.
nonisolated public struct NavigationLink<Label: View, Destination: View>: View {
  let destination: () -> Destination
  let label: Label

  @Environment(\.navigator) private var navigator
  @Environment(\.isInListRow) private var isInListRow
  @State private var target = NavigationLinkTarget()

  public init(@ViewBuilder destination: @escaping () -> Destination, @ViewBuilder label: () -> Label) {
    self.destination = destination
    self.label = label()
  }

  public init(destination: Destination, @ViewBuilder label: () -> Label) {
    self.init(destination: { destination }, label: label)
  }

  @MainActor public var body: some View {
    // Read by the page that shows it, which follows what the closure reads.
    target.update { AnyView(destination()) }
    return Button {
      navigator?.push(target)
    } label: {
      if isInListRow {
        HStack(spacing: 8) {
          label.foregroundColor(.primary)
          Spacer(minLength: 0)
          Disclosure()
        }
      } else {
        label
      }
    }
    .disabled(navigator == nil)
  }
}

extension NavigationLink where Label == Text {
  public init(_ titleKey: LocalizedStringKey, @ViewBuilder destination: @escaping () -> Destination) {
    self.init(destination: destination) { Text(titleKey) }
  }

  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, @ViewBuilder destination: @escaping () -> Destination) {
    self.init(destination: destination) { Text(title) }
  }

  public init(_ titleKey: LocalizedStringKey, destination: Destination) {
    self.init(titleKey) { destination }
  }

  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, destination: Destination) {
    self.init(title) { destination }
  }
}

/// The mark of a row that leads to another page.
nonisolated private struct Disclosure: View {
  @MainActor var body: some View {
    Chevron(direction: .forward)
      .stroke(Color.tertiary, style: StrokeStyle(lineWidth: 2.2, lineCap: .round, lineJoin: .round))
      .frame(width: 6, height: 11)
      .padding(EdgeInsets(top: 0, leading: 0, bottom: 0, trailing: 2))
  }
}

/// Leaves the page or presentation the view is in.
public struct DismissAction {
  let dismiss: @MainActor () -> Void

  @MainActor public func callAsFunction() { dismiss() }
}

extension EnvironmentValues {
  /// Goes back from the page the view is on; does nothing on a root page.
  public var dismiss: DismissAction {
    let (navigator, id) = (navigator, navigationPageID)
    return DismissAction { navigator?.pop(id) }
  }
}
