/// One entry of a tab bar.
struct TabBarItem: Identifiable {
  let id: ObjectIdentifier
  let place: Int
  let count: Int
  let isSelected: Bool
  /// nil where the page has no tab item: its place in the bar stays empty.
  let label: AnyView?
}

/// The bar below the pages: a hairline, then an icon above a title for each page, the selected one tinted and filled.
nonisolated struct TabBar: View {
  let items: [TabBarItem]
  let select: (ObjectIdentifier) -> Void

  /// Points, the hairline included.
  static let height: CGFloat = 49

  @MainActor var body: some View {
    HStack(spacing: 0) {
      ForEach(items) { item in
        TabBarButton(item: item) { select(item.id) }
      }
    }
    .frame(maxWidth: .infinity, minHeight: Self.height, maxHeight: Self.height)
    .background(Color.barBackground)
    .overlay(alignment: .top) { Hairline() }
  }
}

nonisolated private struct TabBarButton: View {
  let item: TabBarItem
  let action: () -> Void

  @MainActor var body: some View {
    InteractionView(
      content: label.frame(maxWidth: .infinity, maxHeight: .infinity), role: .tab, isSelected: item.isSelected,
      action: action)
  }

  @MainActor private var label: some View {
    VStack(spacing: 1) { item.label }
      .font(.system(size: 10, weight: .medium))
      .environment(\.symbolFont, .system(size: 20))
      .environment(\.labelPlace, .tabBar)
      .symbolVariant(.fill)
      .lineLimit(1)
      .foregroundColor(item.isSelected ? .accentColor : .secondary)
      .padding(EdgeInsets(top: 3, leading: 2, bottom: 1, trailing: 2))
  }
}

/// A horizontal line of one pixel.
nonisolated struct Hairline: View {
  @Environment(\.pixelLength) private var pixelLength

  @MainActor var body: some View { Color.separator.frame(height: max(pixelLength, 0.5)) }
}
