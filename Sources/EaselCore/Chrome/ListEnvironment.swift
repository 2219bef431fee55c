/// How a list shows its rows.
struct ListLook: Equatable {
  /// Rows in rounded groups on a grey ground, or from edge to edge.
  var isInset = true
  var ground = RGBA.clear
  var row = RGBA.clear
  var highlight = RGBA.clear
  var separator = RGBA.clear
  /// The thickness of a separator, points.
  var hairline: CGFloat = 1

  init() {}

  @MainActor init(isInset: Bool, environment: EnvironmentValues) {
    self.isInset = isInset
    ground = (isInset ? Color.groupedBackground : .systemBackground).resolve(in: environment)
    row = (isInset ? Color.secondaryGroupedBackground : .clear).resolve(in: environment)
    highlight = Color(light: 0xD1D1D6, dark: 0x3A3A3C).resolve(in: environment)
    separator = Color.separator.resolve(in: environment)
    hairline = max(environment.pixelLength, 0.5)
  }
}

/// What a row is in its list.
struct ListRowPlace: Equatable {
  enum Kind {
    case row
    case header
    case footer
  }

  var kind = Kind.row
  /// Whether it is the first or last of the rows of its section.
  var isFirst = true
  var isLast = true
  /// Whether a section begins with it: a header, or the first row where there is none.
  var startsSection = true
}

enum ListRowPlaceTrait: TraitKey {
  static var defaultValue: ListRowPlace { ListRowPlace() }
}

enum ListRowInsetsTrait: TraitKey {
  static var defaultValue: EdgeInsets? { nil }
}

enum ListRowSeparatorTrait: TraitKey {
  static var defaultValue: Visibility { .automatic }
}

/// Whether something is shown.
public enum Visibility: Hashable, CaseIterable, Sendable {
  case automatic
  case visible
  case hidden
}

extension View {
  /// The space around the row this view is in a list; nil is the list's own.
  nonisolated public func listRowInsets(_ insets: EdgeInsets?) -> some View {
    trait(ListRowInsetsTrait.self, insets)
  }

  /// Whether there is a line below the row this view is in a list.
  nonisolated public func listRowSeparator(_ visibility: Visibility) -> some View {
    trait(ListRowSeparatorTrait.self, visibility)
  }
}

private enum ListRowKey: EnvironmentKey {
  static var defaultValue: Bool { false }
}

extension EnvironmentValues {
  /// Whether the view is a row of a list, or in one.
  var isInListRow: Bool {
    get { self[ListRowKey.self] }
    set {
      self[ListRowKey.self] = newValue
      labelPlace = newValue ? .row : .text
    }
  }
}
