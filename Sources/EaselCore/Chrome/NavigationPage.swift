/// One page of a navigation view: a bar with the title its content asks for, and the content below it.
nonisolated struct NavigationPage<Content: View>: View {
  let id: Int
  let content: Content

  @Environment(\.navigator) private var navigator

  @MainActor var body: some View {
    NavigationPageLayout(
      content: TupleView(
        PageContent(content: content)
          .environment(\.navigationPageID, id)
          .onPreferenceChange(NavigationTitleKey.self) { title in navigator?.changeBar(of: id) { $0.title = title } }
          .onPreferenceChange(NavigationTitleModeKey.self) { mode in navigator?.changeBar(of: id) { $0.mode = mode } },
        NavigationBar(id: id))
    )
    .background(Color.systemBackground)
  }
}

/// The back button and the title, as parts that the page's layout puts together. Nothing where there is neither.
nonisolated private struct NavigationBar: View {
  let id: Int

  @Environment(\.navigator) private var navigator

  @MainActor var body: some View {
    let below = navigator?.page(below: id)
    let title = navigator?.bar(of: id).title
    let isLarge = navigator?.isLarge(id) == true
    if let title, isLarge {
      LargeTitle(title: title, hasBar: below != nil).trait(NavigationPartTrait.self, .largeTitle)
    }
    if below != nil || title != nil {
      InlineBar(title: isLarge ? title : nil, back: nil) {}
        .background(Color.barBackground)
        .overlay(alignment: .bottom) { Hairline() }
        .trait(NavigationPartTrait.self, .scrolledBar)
    }
    if below != nil || (title != nil && !isLarge) {
      InlineBar(title: isLarge ? nil : title, back: below.map { backTitle(of: $0) }) { navigator?.pop(id) }
        .trait(NavigationPartTrait.self, .bar)
    }
  }

  @MainActor private func backTitle(of page: Int) -> Text { navigator?.bar(of: page).title ?? Text("Back") }
}

nonisolated private struct LargeTitle: View {
  let title: Text
  let hasBar: Bool

  @MainActor var body: some View {
    title.font(.system(size: 34, weight: .bold)).lineLimit(1)
      .frame(maxWidth: .infinity, alignment: .leading)
      .padding(EdgeInsets(top: hasBar ? 3 : 24, leading: 16, bottom: 8, trailing: 16))
  }
}

/// 44 points: the way back at the leading edge, the title in the middle of what is left.
nonisolated private struct InlineBar: View {
  let title: Text?
  let back: Text?
  let goBack: @MainActor () -> Void

  @MainActor var body: some View {
    HStack(spacing: 8) {
      HStack(spacing: 0) {
        if let back { BackButton(title: back, action: goBack) }
      }
      .frame(maxWidth: .infinity, alignment: .leading)
      title?.font(.headline).lineLimit(1).layoutPriority(1)
      Color.clear.frame(maxWidth: .infinity, maxHeight: 1)
    }
    .frame(maxWidth: .infinity, minHeight: 44, maxHeight: 44)
    .padding(.horizontal, 8)
  }
}

nonisolated private struct BackButton: View {
  let title: Text
  let action: @MainActor () -> Void

  @MainActor var body: some View {
    Button(action: action) {
      HStack(spacing: 6) {
        Chevron(direction: .backward)
          .stroke(Color.accentColor, style: StrokeStyle(lineWidth: 2.6, lineCap: .round, lineJoin: .round))
          .frame(width: 9, height: 17)
        title.lineLimit(1)
      }
      .frame(minHeight: 44)
    }
  }
}

/// An angle that points along the line of text.
nonisolated struct Chevron: Shape {
  enum Direction {
    case backward
    case forward
  }

  let direction: Direction

  func path(in rect: CGRect) -> Path {
    let (base, tip) = direction == .backward ? (rect.maxX, rect.minX) : (rect.minX, rect.maxX)
    return Path { path in
      path.move(to: CGPoint(x: base, y: rect.minY))
      path.addLine(to: CGPoint(x: tip, y: rect.midY))
      path.addLine(to: CGPoint(x: base, y: rect.maxY))
    }
  }
}
