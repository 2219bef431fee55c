/// The outline of a shape, in points. Immutable once drawn; copies share their elements.
public struct Path: Equatable, Sendable {
  enum Element: Equatable, Sendable {
    case move(CGPoint)
    case line(CGPoint)
    case curve(CGPoint, control1: CGPoint, control2: CGPoint)
    case close
  }

  private(set) var elements: [Element] = []
  /// Set where the path is exactly one rectangle, which draws and clips faster.
  private(set) var rectangle: CGRect?
  /// Whether what lies within an even number of outlines is outside, instead of what no outline winds round.
  var usesEvenOddRule = false
  /// Whether pixels that a fill's or a clip's edge crosses are covered in part.
  var isAntialiased = true

  public init() {}
  public init(_ rect: CGRect) { addRect(rect) }
  public init(ellipseIn rect: CGRect) { addEllipse(in: rect) }
  public init(roundedRect rect: CGRect, cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
    addRoundedRect(in: rect, cornerRadius: cornerRadius, style: style)
  }
  public init(_ build: (inout Path) -> Void) { build(&self) }

  public var isEmpty: Bool { elements.isEmpty }

  public mutating func move(to point: CGPoint) { append(.move(point)) }
  public mutating func addLine(to point: CGPoint) { append(.line(point)) }

  public mutating func addLines(_ points: [CGPoint]) {
    guard let first = points.first else { return }
    move(to: first)
    for point in points.dropFirst() { addLine(to: point) }
  }

  public mutating func addCurve(to point: CGPoint, control1: CGPoint, control2: CGPoint) {
    append(.curve(point, control1: control1, control2: control2))
  }

  public mutating func addQuadCurve(to point: CGPoint, control: CGPoint) {
    let start = currentPoint
    func towards(_ end: CGPoint) -> CGPoint {
      CGPoint(x: end.x + (control.x - end.x) * 2 / 3, y: end.y + (control.y - end.y) * 2 / 3)
    }
    addCurve(to: point, control1: towards(start), control2: towards(point))
  }

  public mutating func closeSubpath() { append(.close) }

  public mutating func addRect(_ rect: CGRect) {
    let isOnly = elements.isEmpty
    move(to: CGPoint(x: rect.minX, y: rect.minY))
    addLine(to: CGPoint(x: rect.maxX, y: rect.minY))
    addLine(to: CGPoint(x: rect.maxX, y: rect.maxY))
    addLine(to: CGPoint(x: rect.minX, y: rect.maxY))
    closeSubpath()
    if isOnly { rectangle = rect }
  }

  public mutating func addEllipse(in rect: CGRect) {
    move(to: CGPoint(x: rect.maxX, y: rect.midY))
    for quarter in 0..<4 { addQuarter(center: rect.center, radii: rect.radii, quarter: quarter) }
    closeSubpath()
  }

  /// The radius is at most half the shorter side. `continuous` corners follow the curve of a superellipse closely.
  public mutating func addRoundedRect(
    in rect: CGRect, cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous
  ) {
    let half = min(rect.width, rect.height) / 2
    let radius = min(max(0, cornerRadius.bounded), half)
    guard radius > 0 else { return addRect(rect) }
    // A continuous corner starts its bend earlier, where there is room for it.
    let reach = style == .continuous ? min(radius * 1.25, half) : radius
    addCorners(of: rect, reach: reach, isContinuous: reach > radius * 1.02)
  }

  public mutating func addPath(_ other: Path) {
    for element in other.elements { append(element) }
  }

  /// An arc of a circle from one angle to another, in the direction of growing angles unless `clockwise`.
  public mutating func addArc(
    center: CGPoint, radius: CGFloat, startAngle: Angle, endAngle: Angle, clockwise: Bool
  ) {
    var sweep = (endAngle.radians - startAngle.radians).truncatingRemainder(dividingBy: 2 * .pi)
    if abs(endAngle.radians - startAngle.radians) >= 2 * .pi {
      sweep = clockwise ? -2 * .pi : 2 * .pi
    } else if clockwise != (sweep < 0), sweep != 0 {
      sweep += clockwise ? -2 * .pi : 2 * .pi
    }
    guard sweep.isFinite, startAngle.radians.isFinite else { return }
    let steps = max(1, Int((abs(sweep) / (.pi / 2)).rounded(.up)))
    let step = sweep / Double(steps)
    func point(_ angle: Double) -> CGPoint {
      CGPoint(x: center.x + radius * cos(angle), y: center.y + radius * sin(angle))
    }
    let start = point(startAngle.radians)
    if elements.isEmpty { move(to: start) } else { addLine(to: start) }
    let handle = 4.0 / 3 * tan(step / 4) * radius
    for index in 0..<steps {
      let from = startAngle.radians + Double(index) * step
      let to = from + step
      let (first, last) = (point(from), point(to))
      addCurve(
        to: last,
        control1: CGPoint(x: first.x - handle * sin(from), y: first.y + handle * cos(from)),
        control2: CGPoint(x: last.x + handle * sin(to), y: last.y - handle * cos(to)))
    }
  }

  public func offsetBy(dx: CGFloat, dy: CGFloat) -> Path {
    applying { CGPoint(x: $0.x + dx, y: $0.y + dy) }
  }

  /// The path with every point mapped.
  func applying(_ transform: (CGPoint) -> CGPoint) -> Path {
    var result = Path()
    result.usesEvenOddRule = usesEvenOddRule
    result.isAntialiased = isAntialiased
    for element in elements {
      switch element {
      case .move(let point): result.move(to: transform(point))
      case .line(let point): result.addLine(to: transform(point))
      case .curve(let point, let control1, let control2):
        result.addCurve(to: transform(point), control1: transform(control1), control2: transform(control2))
      case .close: result.closeSubpath()
      }
    }
    return result
  }

  /// The smallest rectangle around all points and control points.
  public var boundingRect: CGRect {
    let points = elements.flatMap(\.points)
    guard let first = points.first else { return .zero }
    var (low, high) = (first, first)
    for point in points {
      low = CGPoint(x: min(low.x, point.x), y: min(low.y, point.y))
      high = CGPoint(x: max(high.x, point.x), y: max(high.y, point.y))
    }
    return CGRect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
  }

  private mutating func append(_ element: Element) {
    rectangle = nil
    elements.append(element)
  }

  private var currentPoint: CGPoint { elements.last { !$0.points.isEmpty }?.points.first ?? .zero }
}

extension Path.Element {
  /// The end point first.
  fileprivate var points: [CGPoint] {
    switch self {
    case .move(let point), .line(let point): [point]
    case .curve(let point, let control1, let control2): [point, control1, control2]
    case .close: []
    }
  }
}

extension Path {
  /// The distance of a control point that makes a Bézier curve a quarter of a circle of radius 1.
  private static let circleHandle: CGFloat = 0.5522847498

  private mutating func addQuarter(center: CGPoint, radii: CGSize, quarter: Int) {
    let unit: [CGPoint] = [
      CGPoint(x: 1, y: 0), CGPoint(x: 0, y: 1), CGPoint(x: -1, y: 0), CGPoint(x: 0, y: -1), CGPoint(x: 1, y: 0),
    ]
    let (from, to) = (unit[quarter], unit[quarter + 1])
    func place(_ point: CGPoint, _ tangent: CGPoint) -> CGPoint {
      CGPoint(
        x: center.x + (point.x + tangent.x * Self.circleHandle) * radii.width,
        y: center.y + (point.y + tangent.y * Self.circleHandle) * radii.height)
    }
    addCurve(to: place(to, .zero), control1: place(from, to), control2: place(to, from))
  }

  private mutating func addCorners(of rect: CGRect, reach: CGFloat, isContinuous: Bool) {
    // Handles nearer the corner flatten the ends of the bend, which is what makes it look continuous.
    let handle = reach * (isContinuous ? 0.33 : 1 - Self.circleHandle)
    let corners: [(corner: CGPoint, into: CGPoint, out: CGPoint)] = [
      (CGPoint(x: rect.maxX, y: rect.minY), CGPoint(x: -1, y: 0), CGPoint(x: 0, y: 1)),
      (CGPoint(x: rect.maxX, y: rect.maxY), CGPoint(x: 0, y: -1), CGPoint(x: -1, y: 0)),
      (CGPoint(x: rect.minX, y: rect.maxY), CGPoint(x: 1, y: 0), CGPoint(x: 0, y: -1)),
      (CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: 0, y: 1), CGPoint(x: 1, y: 0)),
    ]
    func point(_ corner: CGPoint, _ direction: CGPoint, _ distance: CGFloat) -> CGPoint {
      CGPoint(x: corner.x + direction.x * distance, y: corner.y + direction.y * distance)
    }
    move(to: CGPoint(x: rect.minX + reach, y: rect.minY))
    for (corner, into, out) in corners {
      addLine(to: point(corner, into, reach))
      addCurve(
        to: point(corner, out, reach), control1: point(corner, into, handle), control2: point(corner, out, handle))
    }
    closeSubpath()
  }
}

extension CGRect {
  var center: CGPoint { CGPoint(x: midX, y: midY) }
  var radii: CGSize { CGSize(width: width / 2, height: height / 2) }
}

public enum RoundedCornerStyle: Sendable {
  case circular
  case continuous
}

/// How a line is drawn along a path; lengths in points.
public struct StrokeStyle: Equatable, Sendable {
  public enum LineCap: Sendable {
    case butt
    case round
    case square
  }

  public enum LineJoin: Sendable {
    case miter
    case round
    case bevel
  }

  public var lineWidth: CGFloat
  public var lineCap: LineCap
  public var lineJoin: LineJoin
  public var miterLimit: CGFloat
  public var dash: [CGFloat]
  public var dashPhase: CGFloat

  public init(
    lineWidth: CGFloat = 1, lineCap: LineCap = .butt, lineJoin: LineJoin = .miter, miterLimit: CGFloat = 10,
    dash: [CGFloat] = [], dashPhase: CGFloat = 0
  ) {
    self.lineWidth = lineWidth
    self.lineCap = lineCap
    self.lineJoin = lineJoin
    self.miterLimit = miterLimit
    self.dash = dash
    self.dashPhase = dashPhase
  }
}
