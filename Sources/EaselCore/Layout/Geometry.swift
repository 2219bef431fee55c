/// The size a parent offers a child, in points. nil asks for the child's ideal size in that direction.
public struct ProposedViewSize: Hashable, Sendable {
  public var width: CGFloat?
  public var height: CGFloat?

  public static let zero = ProposedViewSize(width: 0, height: 0)
  public static let unspecified = ProposedViewSize(width: nil, height: nil)
  public static let infinity = ProposedViewSize(width: .infinity, height: .infinity)

  public init(width: CGFloat?, height: CGFloat?) {
    self.width = width
    self.height = height
  }

  public init(_ size: CGSize) { self.init(width: size.width, height: size.height) }

  public func replacingUnspecifiedDimensions(by size: CGSize = CGSize(width: 10, height: 10)) -> CGSize {
    CGSize(width: width ?? size.width, height: height ?? size.height)
  }
}

extension ProposedViewSize {
  /// Without values no layout could make sense of: NaN becomes nil, a negative length 0.
  var sanitized: ProposedViewSize {
    func clean(_ length: CGFloat?) -> CGFloat? {
      guard let length, !length.isNaN else { return nil }
      return max(0, length)
    }
    return ProposedViewSize(width: clean(width), height: clean(height))
  }

  func inset(by insets: EdgeInsets) -> ProposedViewSize {
    ProposedViewSize(
      width: width.map { max(0, $0 - insets.leading - insets.trailing) },
      height: height.map { max(0, $0 - insets.top - insets.bottom) })
  }
}

extension CGSize {
  /// NaN and negative lengths become 0.
  var sanitized: CGSize {
    func clean(_ length: CGFloat) -> CGFloat { length > 0 ? length : 0 }
    return CGSize(width: clean(width), height: clean(height))
  }
}

extension CGFloat {
  /// A finite length, for places where something must be drawn or put; about 2^24 points at most, so that differences
  /// of positions keep sub-pixel precision.
  var bounded: CGFloat {
    guard !isNaN else { return 0 }
    return Swift.min(Swift.max(self, -16_777_216), 16_777_216)
  }
}

// Foundation's own operations on rectangles stop the program where a coordinate is no number; these do not.
extension CGRect {
  /// Whether the two have a point in common, this one enlarged by `outset` on every side.
  func overlaps(_ other: CGRect, outset: CGFloat = 0) -> Bool {
    origin.x - outset < other.origin.x + other.size.width && origin.x + size.width + outset > other.origin.x
      && origin.y - outset < other.origin.y + other.size.height && origin.y + size.height + outset > other.origin.y
  }

  /// What lies in both; of no size where nothing does.
  func part(within other: CGRect) -> CGRect {
    let (left, top) = (Swift.max(origin.x, other.origin.x), Swift.max(origin.y, other.origin.y))
    let right = Swift.min(origin.x + size.width, other.origin.x + other.size.width)
    let bottom = Swift.min(origin.y + size.height, other.origin.y + other.size.height)
    return CGRect(x: left, y: top, width: Swift.max(0, right - left), height: Swift.max(0, bottom - top))
  }
}

public enum Axis: Int8, CaseIterable, Sendable {
  case horizontal
  case vertical

  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }

    public static let horizontal = Set(rawValue: 1)
    public static let vertical = Set(rawValue: 2)
  }
}

public enum Edge: Int8, CaseIterable, Sendable {
  case top
  case leading
  case bottom
  case trailing

  var opposite: Edge {
    switch self {
    case .top: .bottom
    case .leading: .trailing
    case .bottom: .top
    case .trailing: .leading
    }
  }

  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }
    public init(_ edge: Edge) { self.init(rawValue: 1 << edge.rawValue) }

    public static let top = Set(.top)
    public static let leading = Set(.leading)
    public static let bottom = Set(.bottom)
    public static let trailing = Set(.trailing)
    public static let horizontal: Set = [.leading, .trailing]
    public static let vertical: Set = [.top, .bottom]
    public static let all: Set = [.horizontal, .vertical]
  }
}

/// Distances from the edges of a rectangle, in points.
public struct EdgeInsets: Equatable, Sendable {
  public var top: CGFloat
  public var leading: CGFloat
  public var bottom: CGFloat
  public var trailing: CGFloat

  public init() { self.init(top: 0, leading: 0, bottom: 0, trailing: 0) }

  public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
    self.top = top
    self.leading = leading
    self.bottom = bottom
    self.trailing = trailing
  }

  init(_ edges: Edge.Set, _ length: CGFloat) {
    self.init(
      top: edges.contains(.top) ? length : 0, leading: edges.contains(.leading) ? length : 0,
      bottom: edges.contains(.bottom) ? length : 0, trailing: edges.contains(.trailing) ? length : 0)
  }
}

/// A point in a rectangle: (0, 0) is the top leading corner, (1, 1) the bottom trailing one.
public struct UnitPoint: Hashable, Sendable {
  public var x: CGFloat
  public var y: CGFloat

  public init() { self.init(x: 0, y: 0) }
  public init(x: CGFloat, y: CGFloat) {
    self.x = x
    self.y = y
  }

  public static let zero = UnitPoint()
  public static let center = UnitPoint(x: 0.5, y: 0.5)
  public static let leading = UnitPoint(x: 0, y: 0.5)
  public static let trailing = UnitPoint(x: 1, y: 0.5)
  public static let top = UnitPoint(x: 0.5, y: 0)
  public static let bottom = UnitPoint(x: 0.5, y: 1)
  public static let topLeading = UnitPoint(x: 0, y: 0)
  public static let topTrailing = UnitPoint(x: 1, y: 0)
  public static let bottomLeading = UnitPoint(x: 0, y: 1)
  public static let bottomTrailing = UnitPoint(x: 1, y: 1)
}

/// How far an angle turns; positive is clockwise on the screen.
public struct Angle: Hashable, Comparable, Sendable {
  public var radians: Double
  public var degrees: Double {
    get { radians * 180 / .pi }
    set { radians = newValue * .pi / 180 }
  }

  public init() { radians = 0 }
  public init(radians: Double) { self.radians = radians }
  public init(degrees: Double) { radians = degrees * .pi / 180 }
  public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }
  public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }
  public static let zero = Angle()
  public static func < (first: Angle, second: Angle) -> Bool { first.radians < second.radians }
}
