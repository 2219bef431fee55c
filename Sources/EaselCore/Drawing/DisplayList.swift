import Pixels

/// What is to be drawn, in order, as values: produced by render nodes, executed by a renderer that knows nothing of
/// views. Coordinates are points; every `save`, group and shadow is closed by its counterpart.
public struct DisplayList {
  enum Command {
    case save
    case restore
    case translate(x: CGFloat, y: CGFloat)
    case scale(x: CGFloat, y: CGFloat)
    case rotate(radians: Double)
    case clip(Path)
    /// Draws what follows, up to `endGroup`, as one picture with this opacity.
    case beginGroup(opacity: Double)
    case endGroup
    /// Draws what follows, up to `endShadow`, above its own blurred shadow.
    case beginShadow(Shadow)
    case endShadow
    case fill(Path, Paint)
    case stroke(Path, Paint, StrokeStyle)
    case image(ImageDrawing)
    case text(TextLayout, at: CGPoint, Paint)
  }

  struct Shadow: Equatable {
    let color: RGBA
    let radius: CGFloat
    let offset: CGSize
  }

  struct ImageDrawing {
    let bitmap: Bitmap
    let rect: CGRect
    let interpolation: Image.Interpolation
    /// A colour that replaces those of the picture, its alpha kept.
    let tint: RGBA?
    var opacity = 1.0
    let cache: ImageSurfaceCache
  }

  var commands: [Command] = []

  public init() {}

  /// The number of commands.
  public var count: Int { commands.count }
}

/// Builds a display list while walking the render tree, and knows where on the screen that walk is.
struct DrawingContext {
  private(set) var list = DisplayList()
  /// Seconds on the animation clock.
  let time: TimeInterval
  /// Pixels per point.
  let displayScale: CGFloat
  /// The part of the current coordinate system that can be seen; what lies outside may be left out.
  private(set) var visible: CGRect
  /// The current origin in the window, while nothing but translations lies between; nil below a scale or rotation.
  private var windowOrigin: CGPoint? = .zero
  /// Set by what moves by itself as long as it is drawn.
  var needsContinuousFrames = false

  init(size: CGSize, displayScale: CGFloat, time: TimeInterval) {
    visible = CGRect(origin: .zero, size: size)
    self.displayScale = displayScale
    self.time = time
  }

  func canSee(_ rect: CGRect, outset: CGFloat = 0) -> Bool {
    rect.overlaps(visible, outset: outset.bounded)
  }

  /// `rect` with its edges on whole device pixels, so that they are sharp and neighbours neither overlap nor gap.
  func snapped(_ rect: CGRect) -> CGRect {
    guard let origin = windowOrigin else { return rect }
    func snap(_ value: CGFloat, _ base: CGFloat) -> CGFloat {
      ((value + base) * displayScale).rounded() / displayScale - base
    }
    let minX = snap(rect.minX, origin.x)
    let minY = snap(rect.minY, origin.y)
    return CGRect(
      x: minX, y: minY, width: snap(rect.maxX, origin.x) - minX, height: snap(rect.maxY, origin.y) - minY)
  }

  // MARK: Drawing

  mutating func fill(_ path: Path, with paint: Paint) {
    guard !paint.isInvisible, !path.isEmpty else { return }
    list.commands.append(.fill(path, paint))
  }

  mutating func fill(_ rect: CGRect, with paint: Paint) { fill(Path(snapped(rect)), with: paint) }

  mutating func stroke(_ path: Path, with paint: Paint, style: StrokeStyle) {
    guard !paint.isInvisible, !path.isEmpty, style.lineWidth > 0 else { return }
    var style = style
    style.lineWidth = style.lineWidth.bounded
    list.commands.append(.stroke(path, paint, style))
  }

  mutating func draw(_ image: DisplayList.ImageDrawing) { list.commands.append(.image(image)) }

  mutating func draw(_ text: TextLayout, at point: CGPoint, with paint: Paint) {
    guard !paint.isInvisible else { return }
    list.commands.append(.text(text, at: point, paint))
  }

  // MARK: Nesting

  mutating func translated(by offset: CGPoint, _ body: (inout DrawingContext) -> Void) {
    guard offset != .zero else { return body(&self) }
    nested(.translate(x: offset.x, y: offset.y)) { context in
      context.visible = context.visible.offsetBy(dx: -offset.x, dy: -offset.y)
      context.windowOrigin = context.windowOrigin.map { CGPoint(x: $0.x + offset.x, y: $0.y + offset.y) }
      body(&context)
    }
  }

  mutating func scaled(x: CGFloat, y: CGFloat, anchor: CGPoint, _ body: (inout DrawingContext) -> Void) {
    guard x != 1 || y != 1 else { return body(&self) }
    // Nothing is left of what is scaled to nothing, and no drawing library inverts such a matrix.
    guard abs(x) > 1e-6, abs(y) > 1e-6, x.isFinite, y.isFinite else { return }
    transformed(.scale(x: x, y: y), anchor: anchor, body) { visible in
      // A negative factor mirrors: what was the far edge is then the near one.
      CGRect(
        x: anchor.x + ((x > 0 ? visible.minX : visible.maxX) - anchor.x) / x,
        y: anchor.y + ((y > 0 ? visible.minY : visible.maxY) - anchor.y) / y,
        width: visible.width / abs(x), height: visible.height / abs(y))
    }
  }

  mutating func rotated(by angle: Angle, anchor: CGPoint, _ body: (inout DrawingContext) -> Void) {
    guard angle.radians != 0, angle.radians.isFinite else { return body(&self) }
    transformed(.rotate(radians: angle.radians), anchor: anchor, body) { visible in
      let reach = hypot(
        max(abs(visible.minX - anchor.x), abs(visible.maxX - anchor.x)),
        max(abs(visible.minY - anchor.y), abs(visible.maxY - anchor.y)))
      return CGRect(x: anchor.x - reach, y: anchor.y - reach, width: 2 * reach, height: 2 * reach)
    }
  }

  mutating func clipped(to path: Path, _ body: (inout DrawingContext) -> Void) {
    nested(.clip(path)) { context in
      context.visible = context.visible.part(within: path.rectangle ?? path.boundingRect)
      guard context.visible.width > 0, context.visible.height > 0 else { return }
      body(&context)
    }
  }

  mutating func withOpacity(_ opacity: Double, _ body: (inout DrawingContext) -> Void) {
    let opacity = opacity.isNaN ? 1 : min(1, max(0, opacity))
    guard opacity < 1 else { return body(&self) }
    guard opacity > 0 else { return }
    let start = list.commands.count
    list.commands.append(.beginGroup(opacity: opacity))
    body(&self)
    close(.endGroup, from: start, opacity: opacity)
  }

  mutating func withShadow(_ shadow: DisplayList.Shadow, _ body: (inout DrawingContext) -> Void) {
    guard shadow.color.alpha > 0 else { return body(&self) }
    list.commands.append(.beginShadow(shadow))
    body(&self)
    list.commands.append(.endShadow)
  }

  /// Ends a group; one with a single fill or text needs no picture of its own.
  private mutating func close(_ end: DisplayList.Command, from start: Int, opacity: Double) {
    let inner = list.commands[(start + 1)...]
    let drawings = inner.indices.filter { list.commands[$0].isDrawing }
    let hasNesting = inner.contains { $0.isGrouping }
    guard let only = drawings.first else {
      list.commands.removeSubrange(start...)
      return
    }
    if drawings.count == 1, !hasNesting, let faded = list.commands[only].faded(opacity) {
      list.commands[only] = faded
      list.commands.remove(at: start)
    } else {
      list.commands.append(end)
    }
  }

  private mutating func transformed(
    _ command: DisplayList.Command, anchor: CGPoint, _ body: (inout DrawingContext) -> Void,
    visible map: (CGRect) -> CGRect
  ) {
    nested(.translate(x: anchor.x, y: anchor.y)) { context in
      context.list.commands.append(command)
      context.list.commands.append(.translate(x: -anchor.x, y: -anchor.y))
      context.visible = map(context.visible)
      context.windowOrigin = nil
      body(&context)
    }
  }

  private mutating func nested(_ command: DisplayList.Command, _ body: (inout DrawingContext) -> Void) {
    let outer = (visible, windowOrigin)
    let start = list.commands.count
    list.commands.append(.save)
    list.commands.append(command)
    body(&self)
    if list.commands.count == start + 2 {
      list.commands.removeSubrange(start...)
    } else {
      list.commands.append(.restore)
    }
    (visible, windowOrigin) = outer
  }
}

extension DisplayList.Command {
  fileprivate var isDrawing: Bool {
    switch self {
    case .fill, .stroke, .image, .text: true
    default: false
    }
  }

  fileprivate var isGrouping: Bool {
    switch self {
    case .beginGroup, .beginShadow: true
    default: false
    }
  }

  /// The same drawing with its paint faded, where that is the same as fading a picture of it.
  fileprivate func faded(_ opacity: Double) -> DisplayList.Command? {
    switch self {
    case .fill(let path, let paint): .fill(path, paint.opacity(opacity))
    case .stroke(let path, let paint, let style): .stroke(path, paint.opacity(opacity), style)
    case .image(var drawing):
      {
        drawing.opacity *= opacity
        return .image(drawing)
      }()
    default: nil
    }
  }
}
