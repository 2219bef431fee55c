/// Shows that something is going on, or how far it has come.
nonisolated public struct ProgressView<Label: View, CurrentValueLabel: View>: View {
  let fraction: Double?
  let label: Label?
  let currentValueLabel: CurrentValueLabel?

  @Environment(\.progressViewIsLinear) private var isLinear

  @MainActor public var body: some View {
    if let fraction {
      VStack(alignment: .leading, spacing: 4) {
        label
        ProgressBar(fraction: fraction)
        currentValueLabel.font(.caption).foregroundColor(.secondary)
      }
    } else if isLinear {
      VStack(alignment: .leading, spacing: 4) {
        label
        ProgressBar(fraction: nil)
      }
    } else {
      VStack(spacing: 6) {
        Spinner()
        label.font(.footnote).foregroundColor(.secondary)
      }
    }
  }
}

extension ProgressView where CurrentValueLabel == EmptyView {
  /// A spinner.
  public init() where Label == EmptyView {
    self.init(fraction: nil, label: nil, currentValueLabel: nil)
  }

  /// A spinner with a label.
  public init(@ViewBuilder label: () -> Label) {
    self.init(fraction: nil, label: label(), currentValueLabel: nil)
  }

  public init(_ titleKey: LocalizedStringKey) where Label == Text { self.init { Text(titleKey) } }

  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S) where Label == Text { self.init { Text(title) } }

  /// A bar; nil is indeterminate.
  public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0) where Label == EmptyView {
    self.init(fraction: Self.fraction(value, total), label: nil, currentValueLabel: nil)
  }

  public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0, @ViewBuilder label: () -> Label) {
    self.init(fraction: Self.fraction(value, total), label: label(), currentValueLabel: nil)
  }

  public init<V: BinaryFloatingPoint>(_ titleKey: LocalizedStringKey, value: V?, total: V = 1.0)
  where Label == Text {
    self.init(value: value, total: total) { Text(titleKey) }
  }
}

extension ProgressView {
  public init<V: BinaryFloatingPoint>(
    value: V?, total: V = 1.0, @ViewBuilder label: () -> Label,
    @ViewBuilder currentValueLabel: () -> CurrentValueLabel
  ) {
    self.init(
      fraction: Self.fraction(value, total), label: label(), currentValueLabel: currentValueLabel())
  }

  fileprivate static func fraction<V: BinaryFloatingPoint>(_ value: V?, _ total: V) -> Double? {
    guard let value, total > 0 else { return nil }
    let fraction = Double(value / total)
    return fraction.isNaN ? 0 : min(1, max(0, fraction))
  }
}

/// The look of a progress view without a value.
public struct CircularProgressViewStyle: Sendable {
  public init() {}
}

public struct LinearProgressViewStyle: Sendable {
  public init() {}
}

/// A look that comes with the system.
public protocol ProgressViewStyle {
  static var _isLinear: Bool { get }
}

extension CircularProgressViewStyle: ProgressViewStyle {
  public static var _isLinear: Bool { false }
}

extension LinearProgressViewStyle: ProgressViewStyle {
  public static var _isLinear: Bool { true }
}

extension ProgressViewStyle where Self == CircularProgressViewStyle {
  public static var circular: CircularProgressViewStyle { CircularProgressViewStyle() }
}

extension ProgressViewStyle where Self == LinearProgressViewStyle {
  public static var linear: LinearProgressViewStyle { LinearProgressViewStyle() }
}

private enum ProgressViewIsLinearKey: EnvironmentKey {
  static var defaultValue: Bool { false }
}

extension EnvironmentValues {
  var progressViewIsLinear: Bool {
    get { self[ProgressViewIsLinearKey.self] }
    set { self[ProgressViewIsLinearKey.self] = newValue }
  }
}

extension View {
  nonisolated public func progressViewStyle<S: ProgressViewStyle>(_ style: S) -> some View {
    environment(\.progressViewIsLinear, S._isLinear)
  }
}

nonisolated struct Spinner: RenderableView {
  @MainActor func makeRenderNode(in graph: Graph) -> SpinnerRenderNode { SpinnerRenderNode(graph: graph) }

  @MainActor func updateRenderNode(_ render: SpinnerRenderNode, environment: EnvironmentValues) {
    render.color = (environment.tint ?? .secondary).resolve(in: environment)
  }
}

/// Eight spokes, of which the brightest goes round once a second by the host's clock.
final class SpinnerRenderNode: RenderNode {
  static let side: CGFloat = 20
  @Redraw var color = RGBA.clear

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    CGSize(width: Self.side, height: Self.side)
  }

  override func draw(in context: inout DrawingContext) {
    guard context.canSee(bounds) else { return }
    context.needsContinuousFrames = true
    let turn = context.time.truncatingRemainder(dividingBy: 1)
    let style = StrokeStyle(lineWidth: 2.4, lineCap: .round)
    for spoke in 0..<8 {
      let angle = Double(spoke) / 8 * 2 * .pi - .pi / 2
      // How long ago the head passed this spoke, in turns.
      let age = (turn - Double(spoke) / 8 + 1).truncatingRemainder(dividingBy: 1)
      var line = Path()
      line.move(to: point(at: angle, radius: 4.6))
      line.addLine(to: point(at: angle, radius: 8.4))
      context.stroke(line, with: .color(color.opacity(0.22 + 0.78 * pow(1 - age, 1.6))), style: style)
    }
  }

  private func point(at angle: Double, radius: CGFloat) -> CGPoint {
    CGPoint(x: frame.width / 2 + radius * cos(angle), y: frame.height / 2 + radius * sin(angle))
  }

  override func collectAccessibility(into list: inout [AccessibilityElement], at origin: CGPoint) {
    list.append(
      AccessibilityElement(role: .progress, label: "In progress", frame: CGRect(origin: origin, size: frame.size)))
  }
}

nonisolated struct ProgressBar: RenderableView {
  let fraction: Double?

  @MainActor func makeRenderNode(in graph: Graph) -> ProgressBarRenderNode {
    ProgressBarRenderNode(graph: graph, fraction: fraction ?? 0)
  }

  @MainActor func updateRenderNode(_ render: ProgressBarRenderNode, environment: EnvironmentValues) {
    render.isIndeterminate = fraction == nil
    render.tint = Color.accentColor.resolve(in: environment)
    render.track = Color.systemFill.resolve(in: environment)
    render.fraction.set(fraction ?? 0, on: render) { [weak render] in render?.setNeedsDisplay() }
  }
}

/// A thin bar; without a value a piece of it runs back and forth.
final class ProgressBarRenderNode: RenderNode {
  let fraction: Animated<Double>
  @Redraw var isIndeterminate = false
  @Redraw var tint = RGBA.clear
  @Redraw var track = RGBA.clear

  init(graph: Graph, fraction: Double) {
    self.fraction = Animated(fraction)
    super.init(graph: graph)
  }

  override func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
    CGSize(width: proposal.width.map { $0.isFinite ? $0 : 200 } ?? 200, height: 4)
  }

  override func draw(in context: inout DrawingContext) {
    guard context.canSee(bounds) else { return }
    context.fill(Path(roundedRect: bounds, cornerRadius: 2, style: .circular), with: .color(track))
    var part = bounds
    if isIndeterminate {
      context.needsContinuousFrames = true
      let phase = 0.5 - 0.5 * cos(context.time * .pi / 0.9)
      part.size.width = frame.width * 0.3
      part.origin.x = (frame.width - part.width) * phase
    } else {
      part.size.width = frame.width * min(1, max(0, fraction.value))
    }
    guard part.width > 0 else { return }
    context.clipped(to: Path(roundedRect: bounds, cornerRadius: 2, style: .circular)) { context in
      context.fill(Path(roundedRect: part, cornerRadius: 2, style: .circular), with: .color(tint))
    }
  }

  override func collectAccessibility(into list: inout [AccessibilityElement], at origin: CGPoint) {
    var element = AccessibilityElement(
      role: .progress, label: "Progress", frame: CGRect(origin: origin, size: frame.size))
    if !isIndeterminate { element.value = "\(Int((fraction.target * 100).rounded()))%" }
    list.append(element)
  }
}
