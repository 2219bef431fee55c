/// Rows one below the other that scroll, with lines between them; rows are made when they come near the window.
///
/// Every child is a row, and a `Section` a group of them. Headers scroll with their rows in every style.
nonisolated public struct List<SelectionValue: Hashable, Content: View>: View {
  let content: Content

  @Environment(\.listIsInset) private var isInset

  @MainActor public var body: some View {
    ScrollContainer(
      axes: .vertical, showsIndicators: true,
      content: LazyVStack(spacing: 0) { ListRows(content: content, isInset: isInset) }
        .padding(EdgeInsets(top: isInset ? 16 : 0, leading: 0, bottom: isInset ? 24 : 0, trailing: 0))
    )
    .background(isInset ? Color.groupedBackground : .systemBackground)
  }
}

extension List where SelectionValue == Never {
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  public init<Data: RandomAccessCollection, Row: View>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {
    content = ForEach(data, content: rowContent)
  }

  public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Content == ForEach<Data, ID, Row> {
    content = ForEach(data, id: id, content: rowContent)
  }

  public init<Row: View>(_ data: Range<Int>, @ViewBuilder rowContent: @escaping (Int) -> Row)
  where Content == ForEach<Range<Int>, Int, Row> {
    content = ForEach(data, content: rowContent)
  }
}

// MARK: Styles

/// The look of the lists inside a view.
@MainActor @preconcurrency public protocol ListStyle {
  var _isInset: Bool { get }
}

/// Rounded groups on a grey ground.
public struct InsetGroupedListStyle: ListStyle {
  nonisolated public init() {}
  public var _isInset: Bool { true }
}

/// What a list looks like unless told otherwise: inset groups.
public struct DefaultListStyle: ListStyle {
  nonisolated public init() {}
  public var _isInset: Bool { true }
}

/// Rows from edge to edge on the window's background.
public struct PlainListStyle: ListStyle {
  nonisolated public init() {}
  public var _isInset: Bool { false }
}

extension ListStyle where Self == InsetGroupedListStyle {
  nonisolated public static var insetGrouped: InsetGroupedListStyle { InsetGroupedListStyle() }
}

extension ListStyle where Self == DefaultListStyle {
  nonisolated public static var automatic: DefaultListStyle { DefaultListStyle() }
}

extension ListStyle where Self == PlainListStyle {
  nonisolated public static var plain: PlainListStyle { PlainListStyle() }
}

private enum ListIsInsetKey: EnvironmentKey {
  static var defaultValue: Bool { true }
}

extension EnvironmentValues {
  fileprivate var listIsInset: Bool {
    get { self[ListIsInsetKey.self] }
    set { self[ListIsInsetKey.self] = newValue }
  }
}

extension View {
  @MainActor public func listStyle<S: ListStyle>(_ style: S) -> some View {
    environment(\.listIsInset, style._isInset)
  }
}
