import Pixels

/// A window without a screen: holds a view's nodes, lays them out at a size, runs their animations on a clock that is
/// moved by hand, draws them into pixels and passes taps and scrolling on.
///
/// Several hosts may live at once; nothing is shared between them. The order of one frame is: `advance` the clock,
/// `update()` (state changes, then layout, then appearances and tasks, until nothing is left), `render()`.
@MainActor public final class ViewHost {
  let graph = Graph()
  private let scope = AppearanceScope()
  let root: RootNode
  let rootRender: OverlayingRenderNode
  private var baseEnvironment: EnvironmentValues
  private var pressed: InteractionRenderNode?
  private var drawsContinuously = false
  package private(set) var isUnmounted = false
  /// What the keyboard acts on; see `ViewHost+Focus.swift`.
  weak var focusedNode: RenderNode?

  /// - Parameters:
  ///   - size: the window's size in points.
  ///   - scale: pixels per point.
  ///   - configure: changes the environment the root view is given.
  public init<Root: View>(
    _ root: Root, size: CGSize, scale: CGFloat = 1, configure: (inout EnvironmentValues) -> Void = { _ in }
  ) {
    self.size = size.sanitized
    self.scale = scale > 0 && scale.isFinite ? scale : 1
    var environment = EnvironmentValues()
    environment.displayScale = self.scale
    configure(&environment)
    baseEnvironment = environment
    rootRender = OverlayingRenderNode(graph: graph)
    self.root = RootNode(graph: graph, scope: scope, environment: environment, render: rootRender)
    rootRender.owner = self.root
    self.root.mount(root)
  }

  // MARK: Settings

  /// In points.
  public var size: CGSize {
    didSet {
      size = size.sanitized
      if size != oldValue { rootRender.setNeedsLayout() }
    }
  }

  /// Pixels per point.
  public var scale: CGFloat {
    didSet {
      if !(scale > 0 && scale.isFinite) { scale = oldValue }
      baseEnvironment.displayScale = scale
      environmentChanged()
    }
  }

  /// What the system asks for; a view's `preferredColorScheme` overrides it.
  public var colorScheme: ColorScheme {
    get { baseEnvironment.colorScheme }
    set {
      baseEnvironment.colorScheme = newValue
      environmentChanged()
    }
  }

  /// Changes the environment of the root view.
  public func configureEnvironment(_ configure: (inout EnvironmentValues) -> Void) {
    configure(&baseEnvironment)
    environmentChanged()
  }

  /// The environment of the root view.
  var systemEnvironment: EnvironmentValues { baseEnvironment }

  private func environmentChanged() {
    root.baseEnvironment = baseEnvironment
    root.invalidate()
    rootRender.setNeedsLayout()
  }

  // MARK: Frames

  /// Called, at most once until the next `update()`, when something on the screen has become out of date.
  public var onNeedsFrame: (@MainActor () -> Void)? {
    get { graph.onNeedsFrame }
    set { graph.onNeedsFrame = newValue }
  }

  /// Whether something is out of date or moving.
  public var needsFrame: Bool { graph.needsFrame || isAnimating }

  /// Whether something moves by the clock: animations, transitions, a spinner that was drawn.
  public var isAnimating: Bool { graph.animations.hasRunningAnimations || drawsContinuously }

  /// Seconds on the animation clock.
  public var time: TimeInterval { graph.animations.now }

  /// Moves the animation clock forward.
  public func advance(by seconds: TimeInterval) { advance(to: time + max(0, seconds)) }

  /// Moves the animation clock forward to a time; an earlier one is ignored.
  public func advance(to time: TimeInterval) { graph.animations.advance(to: time) }

  /// Brings everything up to date: evaluates what changed, lays out, runs appearances, changes and tasks they caused,
  /// and so on until nothing is left. State that never stops changing is left for the next frame and reported.
  public func update() {
    guard !isUnmounted else { return }
    graph.frameDidStart()
    for _ in 0..<Graph.maximumRounds {
      graph.evaluateQueue()
      graph.notifyPreferenceReaders()
      if graph.hasQueuedNodes { continue }
      layout()
      graph.runEffects()
      if graph.isSettled, !graph.layoutIsDirty { return }
    }
    graph.report(.unsettled(rounds: Graph.maximumRounds))
  }

  private func layout() {
    guard graph.layoutIsDirty else { return }
    graph.layoutIsDirty = false
    rootRender.fill(size)
  }

  /// The size the root view would take of what is proposed.
  func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize { rootRender.measure(proposal) }

  /// What could not be done as asked, each once.
  public var diagnostics: [EaselDiagnostic] { graph.diagnostics }

  /// Removes every view: they disappear and their tasks are cancelled. The host stays empty.
  public func unmount() {
    guard !isUnmounted else { return }
    root.unmount()
    graph.end()
    isUnmounted = true
  }

  isolated deinit { graph.forgetWaiting() }

  // MARK: Drawing

  /// Brings everything up to date and writes down how to draw it.
  public func makeDisplayList() -> DisplayList {
    update()
    var context = DrawingContext(size: size, displayScale: scale, time: time)
    if !isUnmounted {
      rootRender.render(in: &context)
      drawFocusRing(in: &context)
    }
    drawsContinuously = context.needsContinuousFrames
    return context.list
  }

  /// The window's pixels: `size` times `scale`, on the background of the colour scheme. An empty bitmap where that is
  /// nothing or more than can be drawn.
  public func render() -> Bitmap { render(background: true) }

  func render(background: Bool) -> Bitmap {
    let list = makeDisplayList()
    let pixels = PixelSize(
      width: Int((size.width * scale).bounded.rounded()), height: Int((size.height * scale).bounded.rounded()))
    guard let renderer = CairoRenderer(pixelSize: pixels, scale: scale) else {
      graph.report(.drawing("no surface of \(pixels) pixels"))
      return Bitmap(size: .zero) { _ in }
    }
    if background { renderer.fill(Color.systemBackground.resolve(in: root.environment)) }
    renderer.execute(list)
    return renderer.finish()
  }

  // MARK: Events (points in the window)

  /// Presses and releases at a point: activates the front-most button or tap gesture there. False if there is none.
  @discardableResult
  public func tap(at point: CGPoint) -> Bool {
    pointerDown(at: point)
    return pointerUp(at: point)
  }

  /// A press begins. The keyboard's focus ends with it.
  public func pointerDown(at point: CGPoint) {
    update()
    focus(nil)
    pressed = interaction(at: point)
    if let pressed, pressed.isEnabled { pressed.press(true) }
  }

  /// A press ends; within the same control it counts as a tap.
  @discardableResult
  public func pointerUp(at point: CGPoint) -> Bool {
    guard let control = pressed else { return false }
    pressed = nil
    guard control.isEnabled else { return false }
    control.press(false)
    guard interaction(at: point) === control else { return false }
    control.action?()
    return true
  }

  /// A press has become something else, such as a menu: it ends without being a tap.
  public func pointerCancelled() {
    if let pressed, pressed.isEnabled { pressed.press(false) }
    pressed = nil
  }

  /// Scrolls the innermost scroll view at a point that can still move that way. False if nothing moved.
  @discardableResult
  public func scroll(by delta: CGSize, at point: CGPoint) -> Bool {
    update()
    return rootRender.scrolls(at: point).contains { $0.scroll(by: delta) }
  }

  /// Scrolls the innermost scroll view at a point to an offset from its content's start; the nearest possible one where
  /// the content is shorter. Rows measured on the way may move that end, so it is approached in a few steps.
  @discardableResult
  public func scroll(to offset: CGPoint, at point: CGPoint) -> Bool {
    update()
    guard let scroll = rootRender.scrolls(at: point).first else { return false }
    var moved = false
    for _ in 0..<4 {
      guard scroll.scroll(to: offset) else { break }
      moved = true
      update()
    }
    return moved
  }

  /// How far the innermost scroll view at a point is scrolled; nil where there is none.
  public func scrollOffset(at point: CGPoint) -> CGPoint? {
    update()
    return rootRender.scrolls(at: point).first?.offset
  }

  /// What a touch at a point meets first.
  func frontmost(at point: CGPoint) -> RenderNode? {
    update()
    return isUnmounted ? nil : rootRender.hitTest(point)
  }

  private func interaction(at point: CGPoint) -> InteractionRenderNode? {
    var node = rootRender.hitTest(point)
    while let current = node {
      if let control = current as? InteractionRenderNode { return control }
      node = current.parent
    }
    return nil
  }

  // MARK: Accessibility

  /// What is on the screen, in reading order.
  public func accessibilityTree() -> [AccessibilityElement] {
    update()
    var list: [AccessibilityElement] = []
    if !isUnmounted { rootRender.collectAccessibility(into: &list, at: .zero) }
    return list
  }

  /// The first element with this label.
  public func element(labeled label: String, role: AccessibilityElement.Role? = nil) -> AccessibilityElement? {
    accessibilityTree().first { $0.label == label && (role == nil || $0.role == role) }
  }

  /// Activates the first button, tab or toggle with this label. False if there is none that is enabled.
  @discardableResult
  public func activate(_ label: String) -> Bool {
    let controls: Set<AccessibilityElement.Role> = [.button, .tab, .toggle]
    let element = accessibilityTree().first { $0.label == label && controls.contains($0.role) && $0.isEnabled }
    guard let element else { return false }
    return tap(at: element.frame.center)
  }
}

/// The node above the root view.
final class RootNode: Node, PreferenceReading {
  var baseEnvironment: EnvironmentValues
  private let render: RenderNode
  private var child: Node?
  private var updateChild: (@MainActor (EnvironmentValues) -> Void)?
  private var preferredScheme: ColorScheme?

  init(graph: Graph, scope: AppearanceScope, environment: EnvironmentValues, render: RenderNode) {
    baseEnvironment = environment
    self.render = render
    super.init(graph: graph, scope: scope, environment: environment)
  }

  func mount<Root: View>(_ view: Root) {
    let child = makeChild(view, environment: environment)
    self.child = child
    updateChild = { [weak child] environment in child?.update(view, environment: environment) }
    graph.addPreferenceReader(self)
    render.setNeedsLayout()
  }

  override var ownRenderNode: RenderNode? { render }

  override var children: [Node] { child.map { [$0] } ?? [] }

  override func reevaluate() {
    var environment = baseEnvironment
    if let preferredScheme { environment.colorScheme = preferredScheme }
    setEnvironment(environment)
    updateChild?(environment)
  }

  func readPreferences() {
    let preferred = collectPreference(PreferredColorSchemeKey.self) ?? nil
    guard preferred != preferredScheme else { return }
    preferredScheme = preferred
    invalidate()
  }
}

enum PreferredColorSchemeKey: PreferenceKey {
  static var defaultValue: ColorScheme? { nil }
  static func reduce(value: inout ColorScheme?, nextValue: () -> ColorScheme?) { value = value ?? nextValue() }
}

extension View {
  /// The colour scheme of the whole window; nil leaves it to the system.
  nonisolated public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View {
    preference(key: PreferredColorSchemeKey.self, value: colorScheme)
  }
}
