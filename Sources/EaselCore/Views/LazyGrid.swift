/// One column of a grid: how wide it is and how it stands apart from the next.
public struct GridItem: Sendable {
  public enum Size: Sendable {
    case fixed(CGFloat)
    /// A share of what is left, within bounds.
    case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
    /// As many columns as fit, each at least this wide.
    case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
  }

  public var size: Size
  /// Points to the next column; nil is 8.
  public var spacing: CGFloat?
  public var alignment: Alignment?

  public init(_ size: Size = .flexible(), spacing: CGFloat? = nil, alignment: Alignment? = nil) {
    self.size = size
    self.spacing = spacing
    self.alignment = alignment
  }
}

/// Children in rows of columns, made only when they come near the window of a scroll view.
nonisolated public struct LazyVGrid<Content: View>: RenderableView {
  let columns: [GridItem]
  let alignment: HorizontalAlignment
  let spacing: CGFloat?
  let content: Content

  /// `spacing` lies between rows; nil is 8 points.
  public init(
    columns: [GridItem], alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {
    self.columns = columns
    self.alignment = alignment
    self.spacing = spacing
    self.content = content()
  }

  @MainActor func makeRenderNode(in graph: Graph) -> LazyStackRenderNode {
    LazyStackRenderNode(graph: graph, axis: .vertical)
  }

  @MainActor func updateRenderNode(_ render: LazyStackRenderNode, environment: EnvironmentValues) {
    render.spacing = spacing ?? 8
    render.alignment = Alignment(horizontal: alignment, vertical: .center)
    render.grid = GridTracks(items: columns, alignment: alignment)
  }
}

/// A column of a grid as it came out: points from the leading edge, and where a cell goes in it.
struct GridTrack: Equatable {
  var start: CGFloat
  var length: CGFloat
  var alignment = Alignment.center
}

/// Divides a width among the columns of a grid: fixed ones first, what is left in equal shares within their bounds.
struct GridTracks: Equatable {
  let items: [GridItem]
  let alignment: HorizontalAlignment

  static func == (first: GridTracks, second: GridTracks) -> Bool {
    first.alignment == second.alignment && first.resolved(in: 1_000) == second.resolved(in: 1_000)
      && first.resolved(in: 313) == second.resolved(in: 313)
  }

  func resolved(in width: CGFloat) -> [GridTrack] {
    let spacings = items.map { $0.spacing ?? 8 }
    var left = width - spacings.dropLast().reduce(0, +)
    for case .fixed(let length) in items.map(\.size) { left -= length }
    var flexible = items.filter { if case .fixed = $0.size { false } else { true } }.count
    var tracks: [GridTrack] = []
    var position: CGFloat = 0
    for (item, spacing) in zip(items, spacings) {
      let share = max(0, left / CGFloat(max(1, flexible)))
      let lengths = lengths(of: item.size, share: share, spacing: spacing)
      if case .fixed = item.size {
      } else {
        flexible -= 1
        left -= lengths.reduce(0, +) + spacing * CGFloat(lengths.count - 1)
      }
      for length in lengths {
        tracks.append(GridTrack(start: position, length: length, alignment: item.alignment ?? .center))
        position += length + spacing
      }
    }
    return aligned(tracks, in: width)
  }

  private func lengths(of size: GridItem.Size, share: CGFloat, spacing: CGFloat) -> [CGFloat] {
    switch size {
    case .fixed(let length): return [max(0, length.bounded)]
    case .flexible(let minimum, let maximum): return [max(minimum, min(share, maximum))]
    case .adaptive(let minimum, let maximum):
      let smallest = max(1, minimum)
      let count = min(1_000, max(1, Int(((share + spacing) / max(1, smallest + spacing)).bounded)))
      let length = (share - spacing * CGFloat(count - 1)) / CGFloat(count)
      return Array(repeating: max(smallest, min(length, maximum)), count: count)
    }
  }

  private func aligned(_ tracks: [GridTrack], in width: CGFloat) -> [GridTrack] {
    guard let last = tracks.last else { return [] }
    let offset = max(0, width - last.start - last.length) * alignment.fraction
    return tracks.map { GridTrack(start: $0.start + offset, length: $0.length, alignment: $0.alignment) }
  }
}
