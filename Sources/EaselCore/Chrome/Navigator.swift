/// The pages of one navigation view: which are pushed, and what each asks of its bar.
///
/// Invariant: the root is page 0 and always there; identifiers are never used twice.
@Observable @MainActor final class Navigator {
  struct PushedPage: Identifiable {
    let id: Int
    let link: NavigationLinkTarget
  }

  /// What a page's content asks of the bar above it.
  struct PageBar: Equatable {
    var title: Text?
    var mode: NavigationBarItem.TitleDisplayMode?
  }

  private(set) var pushed: [PushedPage] = []
  private var bars: [Int: PageBar] = [:]
  @ObservationIgnored private var lastID = 0

  nonisolated init() {}

  func push(_ link: NavigationLinkTarget) {
    // A second tap before the page covers the link.
    guard pushed.last?.link !== link else { return }
    lastID += 1
    withAnimation(.easeInOut(duration: 0.35)) { pushed.append(PushedPage(id: lastID, link: link)) }
  }

  /// Goes back to the page below `id`.
  func pop(_ id: Int) {
    guard let index = pushed.firstIndex(where: { $0.id == id }) else { return }
    let kept = Array(pushed[..<index])
    for page in pushed[index...] { bars[page.id] = nil }
    withAnimation(.easeInOut(duration: 0.35)) { pushed = kept }
  }

  func bar(of id: Int) -> PageBar { bars[id] ?? PageBar() }

  func changeBar(of id: Int, _ change: (inout PageBar) -> Void) {
    guard id == 0 || pushed.contains(where: { $0.id == id }) else { return }
    var bar = bar(of: id)
    change(&bar)
    if bar != bars[id] { bars[id] = bar }
  }

  /// The page below; nil for the root.
  func page(below id: Int) -> Int? {
    guard let index = pushed.firstIndex(where: { $0.id == id }) else { return nil }
    return index == 0 ? 0 : pushed[index - 1].id
  }

  /// Whether the page's title is large: as it asks, else as the page below has it; the root's is.
  func isLarge(_ id: Int) -> Bool {
    let index = pushed.firstIndex { $0.id == id }
    let idsFromHere = pushed[..<(index.map { $0 + 1 } ?? 0)].map(\.id).reversed() + [0]
    for id in idsFromHere {
      switch bar(of: id).mode {
      case .large: return true
      case .inline: return false
      case .automatic, nil: continue
      }
    }
    return true
  }
}

/// What a link leads to, kept up to date by the link while the page is shown.
@Observable @MainActor final class NavigationLinkTarget {
  private(set) var destination: @MainActor () -> AnyView = { AnyView(EmptyView()) }

  nonisolated init() {}

  func update(_ destination: @escaping @MainActor () -> AnyView) { self.destination = destination }
}

private enum NavigatorKey: EnvironmentKey {
  static var defaultValue: Navigator? { nil }
}

private enum NavigationPageIDKey: EnvironmentKey {
  static var defaultValue: Int { 0 }
}

extension EnvironmentValues {
  var navigator: Navigator? {
    get { self[NavigatorKey.self] }
    set { self[NavigatorKey.self] = newValue }
  }

  /// The page the view is on.
  var navigationPageID: Int {
    get { self[NavigationPageIDKey.self] }
    set { self[NavigationPageIDKey.self] = newValue }
  }
}
