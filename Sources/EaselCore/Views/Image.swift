import Pixels

/// A picture or a symbol. Draws at its own size until it is made `resizable()`.
nonisolated public struct Image: Equatable, Sendable {
  public enum Interpolation: Hashable, Sendable {
    case none
    case low
    case medium
    case high
  }

  public enum TemplateRenderingMode: Hashable, Sendable {
    /// A stencil in the foreground colour.
    case template
    case original
  }

  enum Source: Equatable, Sendable {
    /// `size` in points, whatever the bitmap's own resolution.
    case bitmap(Bitmap, size: CGSize)
    case symbol(String)

    static func == (first: Source, second: Source) -> Bool {
      switch (first, second) {
      case (.bitmap(let one, let size), .bitmap(let other, let otherSize)):
        one.isIdentical(to: other) && size == otherSize
      case (.symbol(let one), .symbol(let other)): one == other
      default: false
      }
    }
  }

  private(set) var source: Source
  /// What assistive technology says; nil for a decoration.
  let label: Text?
  private(set) var isResizable = false
  private(set) var interpolation = Interpolation.medium
  private(set) var renderingMode: TemplateRenderingMode?

  /// A picture of `bitmap.size / scale` points; a decoration unless it has a label.
  public init(_ bitmap: Bitmap, scale: CGFloat = 1, label: Text? = nil) {
    let scale = scale > 0 && scale.isFinite ? scale : 1
    self.init(
      bitmap,
      size: CGSize(width: CGFloat(bitmap.size.width) / scale, height: CGFloat(bitmap.size.height) / scale),
      label: label)
  }

  /// A picture that is `size` points large whatever number of pixels stands for it: a smaller decoding of a source
  /// takes part in the layout exactly as the full one would.
  public init(_ bitmap: Bitmap, size: CGSize, label: Text? = nil) {
    source = .bitmap(bitmap, size: size.sanitized)
    self.label = label
  }

  public init(decorative bitmap: Bitmap, scale: CGFloat = 1) { self.init(bitmap, scale: scale, label: nil) }

  /// One of Easel's own symbols, under the name Apple's set has for it. Unknown names show a question mark in a square.
  public init(systemName: String) {
    source = .symbol(systemName)
    label = Text(verbatim: SymbolCatalog.label(of: systemName))
  }

  /// Lets the picture take any size it is offered.
  public func resizable() -> Image { changed { $0.isResizable = true } }

  public func interpolation(_ interpolation: Interpolation) -> Image { changed { $0.interpolation = interpolation } }

  public func renderingMode(_ renderingMode: TemplateRenderingMode?) -> Image {
    changed { $0.renderingMode = renderingMode }
  }

  /// The same picture with another symbol; it still says what it said.
  func replacingSymbol(with name: String) -> Image { changed { $0.source = .symbol(name) } }

  private func changed(_ change: (inout Image) -> Void) -> Image {
    var copy = self
    change(&copy)
    return copy
  }
}

extension Image: View, RenderableView {
  public typealias Body = Never

  @MainActor func makeRenderNode(in graph: Graph) -> ImageRenderNode { ImageRenderNode(graph: graph, image: self) }

  @MainActor func updateRenderNode(_ render: ImageRenderNode, environment: EnvironmentValues) {
    render.image = symbolVariant(environment.symbolVariants)
    render.font = ResolvedFont(environment.symbolFont ?? environment.font ?? .body)
    render.paint = environment.foregroundPaint
    render.isPlaceholder = environment.redactionReasons.contains(.placeholder)
  }
}

/// Draws a picture or symbol. The converted, scaled pixels stay while the node is on the screen.
final class ImageRenderNode: RenderNode {
  @Relayout var image: Image
  @Relayout var font = ResolvedFont(.body)
  @Redraw var paint = Paint.color(.clear)
  @Redraw var isPlaceholder = false
  private let cache = ImageSurfaceCache()

  init(graph: Graph, image: Image) {
    self.image = image
    super.init(graph: graph)
  }

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    let natural = naturalSize
    return image.isResizable ? proposal.replacingUnspecifiedDimensions(by: natural) : natural
  }

  private var naturalSize: CGSize {
    switch image.source {
    case .bitmap(_, let size): size
    case .symbol(let name): SymbolCatalog.size(of: name, fontSize: font.size)
    }
  }

  override func draw(in context: inout DrawingContext) {
    guard frame.width > 0, frame.height > 0 else { return }
    guard context.canSee(bounds) else { return cache.drop() }
    if isPlaceholder {
      return context.fill(Path(roundedRect: bounds, cornerRadius: 4), with: paint.opacity(0.16))
    }
    switch image.source {
    case .bitmap(let bitmap, _):
      context.draw(
        DisplayList.ImageDrawing(
          bitmap: bitmap, rect: context.snapped(bounds), interpolation: image.interpolation, tint: tint, cache: cache))
    case .symbol(let name):
      SymbolCatalog.draw(name, in: bounds, weight: font.weight, paint: paint, context: &context)
    }
  }

  private var tint: RGBA? {
    guard image.renderingMode == .template, case .color(let color) = paint else { return nil }
    return color
  }

  override var isOpaqueToHits: Bool { true }

  override func releaseDrawingResources() { cache.drop() }

  override func baseline(_ baseline: Baseline, size: CGSize) -> CGFloat? {
    guard case .symbol = image.source else { return nil }
    // A symbol stands a little below the baseline of its text, as its letters' descenders do.
    return size.height * 0.84
  }

  override func collectAccessibility(into list: inout [AccessibilityElement], at origin: CGPoint) {
    guard let label = image.label else { return }
    list.append(
      AccessibilityElement(role: .image, label: label.string, frame: CGRect(origin: origin, size: frame.size)))
  }
}
