/// An outline that depends on the rectangle it is drawn in. As a view it is filled with the foreground style.
nonisolated public protocol Shape: Sendable, View {
  nonisolated func path(in rect: CGRect) -> Path
}

extension Shape where Body == ShapeView<Self, ForegroundStyle> {
  @MainActor public var body: ShapeView<Self, ForegroundStyle> {
    ShapeView(shape: self, style: ForegroundStyle(), stroke: nil)
  }
}

extension Shape {
  /// Fills the shape.
  nonisolated public func fill<S: ShapeStyle>(_ content: S, style: FillStyle = FillStyle()) -> ShapeView<Self, S> {
    ShapeView(shape: self, style: content, stroke: nil, fill: style)
  }

  nonisolated public func fill(style: FillStyle = FillStyle()) -> ShapeView<Self, ForegroundStyle> {
    fill(ForegroundStyle(), style: style)
  }

  /// Draws the outline, half of the line outside the shape.
  nonisolated public func stroke<S: ShapeStyle>(_ content: S, style: StrokeStyle) -> ShapeView<Self, S> {
    ShapeView(shape: self, style: content, stroke: style)
  }

  nonisolated public func stroke<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1) -> ShapeView<Self, S> {
    stroke(content, style: StrokeStyle(lineWidth: lineWidth))
  }

  nonisolated public func stroke(lineWidth: CGFloat = 1) -> ShapeView<Self, ForegroundStyle> {
    stroke(ForegroundStyle(), lineWidth: lineWidth)
  }

  nonisolated public func stroke(style: StrokeStyle) -> ShapeView<Self, ForegroundStyle> {
    stroke(ForegroundStyle(), style: style)
  }
}

/// A shape that can be drawn smaller by an inset on every side.
nonisolated public protocol InsettableShape: Shape {
  associatedtype InsetShape: InsettableShape
  nonisolated func inset(by amount: CGFloat) -> InsetShape
}

extension InsettableShape {
  /// Draws the outline wholly inside the shape.
  nonisolated public func strokeBorder<S: ShapeStyle>(
    _ content: S, lineWidth: CGFloat = 1
  ) -> ShapeView<InsetShape, S> {
    inset(by: lineWidth / 2).stroke(content, lineWidth: lineWidth)
  }
}

/// A shape inset from the rectangle it is drawn in.
nonisolated public struct InsetShape<Base: Shape>: InsettableShape {
  let base: Base
  let amount: CGFloat

  public func path(in rect: CGRect) -> Path { base.path(in: rect.insetSafely(by: amount)) }
  public func inset(by amount: CGFloat) -> InsetShape<Base> {
    InsetShape(base: base, amount: self.amount + amount)
  }
}

extension CGRect {
  /// Never inside out: an inset of more than half leaves the middle.
  func insetSafely(by amount: CGFloat) -> CGRect {
    let amount = amount.bounded
    let (dx, dy) = (min(amount, width / 2), min(amount, height / 2))
    return CGRect(x: minX + dx, y: minY + dy, width: width - 2 * dx, height: height - 2 * dy)
  }
}

nonisolated public struct Rectangle: InsettableShape {
  public init() {}
  public func path(in rect: CGRect) -> Path { Path(rect) }
  public func inset(by amount: CGFloat) -> InsetShape<Rectangle> { InsetShape(base: self, amount: amount) }
}

nonisolated public struct RoundedRectangle: InsettableShape {
  public var cornerSize: CGSize
  public var style: RoundedCornerStyle

  public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
    cornerSize = CGSize(width: cornerRadius, height: cornerRadius)
    self.style = style
  }

  public func path(in rect: CGRect) -> Path {
    Path(roundedRect: rect, cornerRadius: cornerSize.width, style: style)
  }

  public func inset(by amount: CGFloat) -> InsetRoundedRectangle {
    InsetRoundedRectangle(base: self, amount: amount)
  }
}

/// A rounded rectangle inset on every side; the corners stay concentric.
nonisolated public struct InsetRoundedRectangle: InsettableShape {
  let base: RoundedRectangle
  let amount: CGFloat

  public func path(in rect: CGRect) -> Path {
    Path(
      roundedRect: rect.insetSafely(by: amount), cornerRadius: max(0, base.cornerSize.width - amount),
      style: base.style)
  }

  public func inset(by amount: CGFloat) -> InsetRoundedRectangle {
    InsetRoundedRectangle(base: base, amount: self.amount + amount)
  }
}

nonisolated public struct Circle: InsettableShape {
  public init() {}

  public func path(in rect: CGRect) -> Path {
    let side = min(rect.width, rect.height)
    return Path(ellipseIn: CGRect(x: rect.midX - side / 2, y: rect.midY - side / 2, width: side, height: side))
  }

  public func inset(by amount: CGFloat) -> InsetShape<Circle> { InsetShape(base: self, amount: amount) }
}

nonisolated public struct Ellipse: InsettableShape {
  public init() {}
  public func path(in rect: CGRect) -> Path { Path(ellipseIn: rect) }
  public func inset(by amount: CGFloat) -> InsetShape<Ellipse> { InsetShape(base: self, amount: amount) }
}

nonisolated public struct Capsule: InsettableShape {
  public var style: RoundedCornerStyle

  public init(style: RoundedCornerStyle = .continuous) { self.style = style }

  public func path(in rect: CGRect) -> Path {
    Path(roundedRect: rect, cornerRadius: min(rect.width, rect.height) / 2, style: style)
  }

  public func inset(by amount: CGFloat) -> InsetShape<Capsule> { InsetShape(base: self, amount: amount) }
}

extension Path: Shape {
  public func path(in rect: CGRect) -> Path { self }
}

extension Shape where Self == Rectangle {
  public static var rect: Rectangle { Rectangle() }
}

extension Shape where Self == Circle {
  public static var circle: Circle { Circle() }
}

extension Shape where Self == Capsule {
  public static var capsule: Capsule { Capsule() }
}

extension Shape where Self == RoundedRectangle {
  public static func rect(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) -> RoundedRectangle {
    RoundedRectangle(cornerRadius: cornerRadius, style: style)
  }
}

/// A shape filled or stroked with a style.
nonisolated public struct ShapeView<Content: Shape, Style: ShapeStyle>: View {
  let shape: Content
  let style: Style
  let stroke: StrokeStyle?
  var fill = FillStyle()

  public typealias Body = Never
}

extension ShapeView: RenderableView {
  var content: EmptyView { EmptyView() }

  @MainActor func makeRenderNode(in graph: Graph) -> ShapeRenderNode { ShapeRenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: ShapeRenderNode, environment: EnvironmentValues) {
    render.set(shape: shape, stroke: stroke, fill: fill, paint: style.paint(in: environment))
  }
}

/// Fills or strokes a shape in what it is offered.
final class ShapeRenderNode: RenderNode {
  private var shape: (any Shape)?
  private var stroke: StrokeStyle?
  private var fill = FillStyle()
  private var paint: Animated<Paint>?

  func set(shape: any Shape, stroke: StrokeStyle?, fill: FillStyle, paint: Paint) {
    self.fill = fill
    self.shape = shape
    self.stroke = stroke
    setNeedsDisplay()
    guard let current = self.paint else {
      self.paint = Animated(paint)
      return
    }
    current.set(paint, on: self) { [weak self] in self?.setNeedsDisplay() }
  }

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    let size = proposal.replacingUnspecifiedDimensions()
    guard shape is Circle else { return size }
    let side = min(size.width, size.height)
    return CGSize(width: side, height: side)
  }

  override func draw(in context: inout DrawingContext) {
    guard let shape, let paint, context.canSee(bounds, outset: stroke?.lineWidth ?? 0) else { return }
    let path = shape.path(in: context.snapped(bounds))
    if let stroke {
      context.stroke(path, with: paint.value, style: stroke)
    } else {
      context.fill(path.filled(by: fill), with: paint.value)
    }
  }

  override var plainFill: Paint? {
    guard shape is Rectangle, stroke == nil, case .color(let color)? = paint?.value else { return nil }
    return .color(color)
  }

  override var isOpaqueToHits: Bool { true }
}
