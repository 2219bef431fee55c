/// One or more lines of read-only text.
nonisolated public struct Text: Equatable, Sendable {
  struct Run: Equatable, Sendable {
    var string: String
    var font: Font?
    var weight: Font.Weight?
    var isItalic = false
    var color: Color?
    var isUnderlined = false
    var isStruckThrough = false
    var kerning: CGFloat = 0
  }

  /// Where a text that does not fit is shortened.
  public enum TruncationMode: Sendable {
    case head
    case tail
    case middle
  }

  private(set) var runs: [Run]

  public init(verbatim content: String) { runs = [Run(string: content)] }

  @_disfavoredOverload
  public init<S: StringProtocol>(_ content: S) { self.init(verbatim: String(content)) }

  /// The key itself is shown: there are no tables of translations here.
  public init(
    _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil
  ) {
    self.init(verbatim: key.string)
  }

  public static func + (first: Text, second: Text) -> Text {
    var result = first
    result.runs += second.runs
    return result
  }

  // MARK: Modifiers that stay texts; the innermost wins

  public func font(_ font: Font?) -> Text { changed { $0.font = $0.font ?? font } }
  public func fontWeight(_ weight: Font.Weight?) -> Text { changed { $0.weight = $0.weight ?? weight } }
  public func bold() -> Text { fontWeight(.bold) }
  public func bold(_ isActive: Bool) -> Text { isActive ? bold() : self }
  public func italic() -> Text { changed { $0.isItalic = true } }
  public func italic(_ isActive: Bool) -> Text { isActive ? italic() : self }
  public func foregroundColor(_ color: Color?) -> Text { changed { $0.color = $0.color ?? color } }
  public func foregroundStyle(_ color: Color) -> Text { foregroundColor(color) }
  public func underline(_ isActive: Bool = true) -> Text { changed { $0.isUnderlined = isActive } }
  public func strikethrough(_ isActive: Bool = true) -> Text { changed { $0.isStruckThrough = isActive } }
  public func kerning(_ kerning: CGFloat) -> Text { changed { $0.kerning = kerning } }
  public func monospacedDigit() -> Text { changed { $0.font = ($0.font ?? .body).monospacedDigit() } }

  private func changed(_ change: (inout Run) -> Void) -> Text {
    var copy = self
    for index in copy.runs.indices { change(&copy.runs[index]) }
    return copy
  }

  var string: String { runs.map(\.string).joined() }
}

/// A string that SwiftUI would look up in a table of translations; here it stands for itself.
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation, Sendable {
  package let string: String

  public init(_ value: String) { string = value }
  public init(stringLiteral value: String) { string = value }
  public init(stringInterpolation: StringInterpolation) { string = stringInterpolation.string }

  /// Collects the parts of an interpolated key.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var string = ""

    public init(literalCapacity: Int, interpolationCount: Int) { string.reserveCapacity(literalCapacity) }

    public mutating func appendLiteral(_ literal: String) { string += literal }

    public mutating func appendInterpolation<T>(_ value: T) { string += String(describing: value) }

    /// `specifier` is one of `String(format:)`, such as "%.2f".
    public mutating func appendInterpolation<T: CVarArg>(_ value: T, specifier: String) {
      string += String(format: specifier, value)
    }

    /// The characters of a text; its look is not taken over.
    public mutating func appendInterpolation(_ text: Text) { string += text.string }
  }
}

public enum TextAlignment: Hashable, CaseIterable, Sendable {
  case leading
  case center
  case trailing
}

extension Text: View, RenderableView {
  public typealias Body = Never

  @MainActor func makeRenderNode(in graph: Graph) -> TextRenderNode { TextRenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: TextRenderNode, environment: EnvironmentValues) {
    render.spans = runs.map { $0.resolved(in: environment) }
    render.style = environment.textLayoutStyle
    render.paint = environment.foregroundPaint
    render.displayScale = environment.displayScale
    render.isPlaceholder = environment.redactionReasons.contains(.placeholder)
  }
}

extension Text.Run {
  @MainActor func resolved(in environment: EnvironmentValues) -> TextSpan {
    var font = self.font ?? environment.font ?? .body
    if let weight { font = font.weight(weight) }
    if isItalic { font = font.italic() }
    return TextSpan(
      string: string, font: ResolvedFont(font), color: color?.resolve(in: environment), isUnderlined: isUnderlined,
      isStruckThrough: isStruckThrough, kerning: kerning)
  }
}

/// Measures and draws a text. Takes at most the width its lines need; shortens what does not fit.
final class TextRenderNode: RenderNode {
  @Relayout var spans: [TextSpan] = []
  @Relayout var style = TextLayoutStyle()
  @Relayout var displayScale: CGFloat = 1
  @Redraw var paint = Paint.color(.clear)
  @Redraw var isPlaceholder = false
  /// Set without bounds, on one line per paragraph; most texts need no other.
  private var ideal: TextLayout?
  private var bounded: (proposal: ProposedViewSize, layout: TextLayout)?

  override func layoutInvalidated() {
    ideal = nil
    bounded = nil
  }

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    // The narrowest a text can be matters only as a lower bound; setting one letter a line would be dear.
    if let width = proposal.width, width <= 0 { return CGSize(width: 0, height: rounded(idealLayout.size).height) }
    let size = rounded(layout(for: proposal).size)
    return CGSize(width: min(size.width, proposal.width ?? .infinity), height: size.height)
  }

  override func baseline(_ baseline: Baseline, size: CGSize) -> CGFloat? {
    let layout = layout(for: ProposedViewSize(size))
    return baseline == .first ? layout.firstBaseline : layout.lastBaseline
  }

  override func draw(in context: inout DrawingContext) {
    guard context.canSee(bounds, outset: 4) else { return }
    if isPlaceholder { return drawPlaceholder(in: &context) }
    let layout = layout(for: ProposedViewSize(frame.size))
    context.draw(layout, at: CGPoint(x: -layout.leadingGap, y: 0), with: paint)
  }

  override var isOpaqueToHits: Bool { true }

  override func collectAccessibility(into list: inout [AccessibilityElement], at origin: CGPoint) {
    let label = spans.map(\.string).joined()
    guard !label.isEmpty else { return }
    list.append(AccessibilityElement(role: .text, label: label, frame: CGRect(origin: origin, size: frame.size)))
  }

  private var idealLayout: TextLayout {
    if let ideal { return ideal }
    let layout = TextLayout(spans, style: style, width: nil, height: nil)
    ideal = layout
    return layout
  }

  private func layout(for proposal: ProposedViewSize) -> TextLayout {
    let ideal = idealLayout
    // Half a pixel of tolerance: the node was given the rounded size of this very layout.
    let fitsWidth = proposal.width.map { $0 + 0.01 >= ideal.size.width } ?? true
    let fitsHeight = proposal.height.map { $0 + 0.01 >= ideal.size.height } ?? true
    if fitsWidth, fitsHeight || proposal.height == nil { return ideal }
    if let bounded, bounded.proposal == proposal { return bounded.layout }
    let layout = TextLayout(spans, style: style, width: proposal.width, height: proposal.height)
    bounded = (proposal, layout)
    return layout
  }

  private func rounded(_ size: CGSize) -> CGSize {
    func up(_ length: CGFloat) -> CGFloat { (length * displayScale - 0.01).rounded(.up) / displayScale }
    return CGSize(width: up(size.width), height: up(size.height))
  }

  private func drawPlaceholder(in context: inout DrawingContext) {
    let lineHeight = max(1, idealLayout.size.height)
    let count = max(1, Int((frame.height / lineHeight).rounded()))
    for line in 0..<min(count, 50) {
      let rect = CGRect(
        x: 0, y: CGFloat(line) * lineHeight + lineHeight * 0.15, width: frame.width, height: lineHeight * 0.7)
      context.fill(Path(roundedRect: rect, cornerRadius: 4), with: paint.opacity(0.16))
    }
  }
}
