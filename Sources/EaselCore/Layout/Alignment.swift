/// A guide along the horizontal axis.
public struct HorizontalAlignment: Equatable, Sendable {
  let fraction: CGFloat

  public static let leading = HorizontalAlignment(fraction: 0)
  public static let center = HorizontalAlignment(fraction: 0.5)
  public static let trailing = HorizontalAlignment(fraction: 1)

  /// Where the guide lies in a view of this width.
  func position(in width: CGFloat) -> CGFloat { width * fraction }
}

/// A guide along the vertical axis.
public struct VerticalAlignment: Equatable, Sendable {
  enum Guide: Equatable, Sendable {
    case fraction(CGFloat)
    case firstBaseline
    case lastBaseline
  }

  let guide: Guide

  public static let top = VerticalAlignment(guide: .fraction(0))
  public static let center = VerticalAlignment(guide: .fraction(0.5))
  public static let bottom = VerticalAlignment(guide: .fraction(1))
  public static let firstTextBaseline = VerticalAlignment(guide: .firstBaseline)
  public static let lastTextBaseline = VerticalAlignment(guide: .lastBaseline)

  /// Where the guide lies in `node` at this size.
  @MainActor func position(in node: RenderNode, size: CGSize) -> CGFloat {
    switch guide {
    case .fraction(let fraction): size.height * fraction
    case .firstBaseline: node.baseline(.first, size: size) ?? size.height
    case .lastBaseline: node.baseline(.last, size: size) ?? size.height
    }
  }
}

enum Baseline {
  case first
  case last
}

/// A guide along both axes.
public struct Alignment: Equatable, Sendable {
  public var horizontal: HorizontalAlignment
  public var vertical: VerticalAlignment

  public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  public static let center = Alignment(horizontal: .center, vertical: .center)
  public static let leading = Alignment(horizontal: .leading, vertical: .center)
  public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
  public static let top = Alignment(horizontal: .center, vertical: .top)
  public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
  public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
  public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
  public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
  public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)
  public static let leadingFirstTextBaseline = Alignment(horizontal: .leading, vertical: .firstTextBaseline)
  public static let centerFirstTextBaseline = Alignment(horizontal: .center, vertical: .firstTextBaseline)

  /// Where a child of size `inner` goes in a parent of size `outer`.
  func origin(of inner: CGSize, in outer: CGSize) -> CGPoint {
    let vertical =
      switch self.vertical.guide {
      case .fraction(let fraction): fraction
      case .firstBaseline, .lastBaseline: 0.5
      }
    return CGPoint(
      x: (outer.width - inner.width) * horizontal.fraction, y: (outer.height - inner.height) * vertical)
  }
}
