internal import CEaselGTK
import EaselCore
import Foundation
import Pixels

/// A window on the screen: a view in a `ViewHost`, drawn by the host's own display list into the one surface of the
/// window; GTK supplies the frame clock, the input, the menus and what assistive technology sees.
///
/// Invariants: the frame clock runs only while the host needs a frame or something scrolls by itself; pixels are made
/// only when the host is out of date; closing unmounts the views, which cancels what they load, and no callback comes
/// after that.
@MainActor public final class GTKWindow {
  /// The views, with everything tests and automation need.
  public let host: ViewHost
  public let title: String
  /// Pictures drawn so far, for measuring.
  public private(set) var frameCount = 0
  /// Called once, when the window is gone.
  public var onClose: (@MainActor () -> Void)?

  private var surface: Surface?
  private var window: Widget?
  private var leaves: Leaves?
  private var motion = ScrollMotion()
  /// Where the wheel, the keys and the flicks of the fingers scroll.
  private var scrollPoint: CGPoint?
  private var pointer: CGPoint?
  private var lastTick: Int64?
  /// Whether the picture is older than what the host has told of. The host itself forgets that it has told as soon as
  /// anyone brings it up to date.
  private var isStale = true
  private var leafTimer: UInt32?

  /// Makes a window that is not shown yet.
  ///
  /// - Parameters:
  ///   - size: of its content at first, in points.
  ///   - configure: changes the environment of the root view.
  /// - Throws: `GTKError` where `GTK.start` would.
  public init<Root: View>(
    _ root: Root, title: String, size: CGSize = CGSize(width: 480, height: 720),
    configure: (inout EnvironmentValues) -> Void = { _ in }
  ) throws(GTKError) {
    try GTK.start(program: title)
    self.title = title
    host = ViewHost(root, size: size, configure: configure)
    host.colorScheme = GTK.colorScheme
    host.openSystemURL = GTK.open
    host.onNeedsFrame = { [weak self] in self?.needFrame() }
  }

  /// Shows the window; it stays until it is closed. Once closed it cannot be shown again.
  public func show() {
    guard window == nil, !host.isUnmounted else { return }
    let surface = Surface(GTKWindow.events, Unmanaged.passUnretained(self).toOpaque())
    self.surface = surface
    leaves = Leaves(surface: surface.widget)
    window = easel_window_new(
      title, Int32(host.size.width.rounded()), Int32(host.size.height.rounded()), surface.widget,
      { user in GTKWindow.withWindow(user) { $0.closed() } }, Unmanaged.passUnretained(self).toOpaque())
    GTK.opened(self)
    if let window { easel_window_present(window) }
    needFrame()
  }

  /// Closes the window, as its close button does.
  public func close() {
    if let window { easel_window_close(window) }
  }

  private func closed() {
    guard window != nil else { return }
    window = nil
    if let leafTimer { easel_timer_cancel(leafTimer) }
    leafTimer = nil
    leaves = nil
    surface = nil
    host.onNeedsFrame = nil
    host.unmount()
    GTK.closed(self)
    onClose?()
    onClose = nil
  }

  // MARK: Frames

  private func needFrame() {
    isStale = true
    if let surface { easel_surface_start_ticking(surface.widget) }
  }

  /// One step of the frame clock, in microseconds. False when there is nothing more to do.
  func tick(at time: Int64) -> Bool {
    guard let surface, motion.isMoving || isStale || host.needsFrame else {
      lastTick = nil
      return false
    }
    let seconds = lastTick.map { Double(max(0, time - $0)) / 1e6 } ?? 0
    lastTick = time
    host.advance(by: seconds)
    if motion.isMoving { scroll(by: motion.advance(by: seconds)) }
    easel_surface_queue_draw(surface.widget)
    return true
  }

  func draw() {
    guard let surface else { return }
    let width = Int((host.size.width * host.scale).rounded())
    let height = Int((host.size.height * host.scale).rounded())
    let size = PixelSize(width: width, height: height)
    guard !size.isEmpty, width <= 32_767, height <= 32_767, let memory = malloc(width * 4 * height) else { return }
    // guard: the memory is the surface's from `easel_surface_set_picture` on, or freed here.
    let pixels = UnsafeMutableRawBufferPointer(start: memory, count: width * 4 * height)
    isStale = false
    guard host.draw(into: pixels, bytesPerRow: width * 4, pixelSize: size) else { return free(memory) }
    easel_surface_set_picture(surface.widget, memory, Int32(width), Int32(height), width * 4)
    frameCount += 1
    // A spinner is known to turn once it was drawn.
    if host.needsFrame { needFrame() }
    scheduleLeaves()
  }

  func allocated(width: Int32, height: Int32, scale: Int32) {
    host.size = CGSize(width: CGFloat(width), height: CGFloat(height))
    if host.scale != CGFloat(scale) { host.scale = CGFloat(scale) }
    if let surface { easel_surface_queue_draw(surface.widget) }
  }

  // MARK: Leaves

  /// Assistive technology follows a little behind, so that scrolling does not wait for it.
  private func scheduleLeaves() {
    guard leafTimer == nil else { return }
    leafTimer = easel_timer(
      100, { user in GTKWindow.withWindow(user) { $0.updateLeaves() } }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func updateLeaves() {
    if let leafTimer { easel_timer_cancel(leafTimer) }
    leafTimer = nil
    leaves?.show(host.accessibilityTree(), in: CGRect(origin: .zero, size: host.size))
    // A menu, or a leaf that has made way for another, leaves the focus to the surface.
    guard let surface, easel_surface_holds_focus(surface.widget), let id = host.focusedElement?.id else { return }
    _ = leaves?.focus(id)
  }

  func menuClosed() { scheduleLeaves() }

  private func showFocus() {
    updateLeaves()
    if let id = host.focusedElement?.id, leaves?.focus(id) == true { return }
    if let surface { easel_surface_focus(surface.widget) }
  }

  func leafFocused(_ leaf: Widget) {
    guard let id = leaves?.id(of: leaf), host.focusedElement?.id != id else { return }
    host.focus(id)
  }

  func leafActivated(_ leaf: Widget, menu: Bool) {
    guard let id = leaves?.id(of: leaf) else { return }
    motion.stop()
    if !menu {
      host.activate(id)
    } else if host.focus(id) {
      _ = openMenuByKey()
    }
  }

  // MARK: The pointer

  func pressed(at point: CGPoint) {
    motion.stop()
    host.pointerDown(at: point)
  }

  func released(at point: CGPoint) { host.pointerUp(at: point) }

  func pressCancelled() { host.pointerCancelled() }

  func moved(to point: CGPoint) { pointer = point }

  // MARK: Scrolling

  func scrolled(by delta: CGSize, isWheel: Bool) {
    scrollPoint = pointer ?? center
    guard isWheel else {
      motion.stop()
      return scroll(by: delta)
    }
    // A click of the wheel goes as far as in GTK's own scrolled windows.
    let click = pow(host.size.height, 2.0 / 3)
    jump(by: CGSize(width: delta.width * click, height: delta.height * click))
  }

  func flung(at speed: CGSize) {
    motion.fling(at: speed)
    needFrame()
  }

  private func jump(by distance: CGSize) {
    motion.jump(by: distance)
    needFrame()
  }

  private func scroll(by step: CGSize) {
    if !host.scroll(by: step, at: scrollPoint ?? center), step != .zero { motion.stop() }
  }

  private var center: CGPoint { CGPoint(x: host.size.width / 2, y: host.size.height / 2) }

  // MARK: The keyboard

  func key(_ command: KeyCommand) -> Bool {
    switch command {
    case .focusNext: moveFocus(.next)
    case .focusPrevious: moveFocus(.previous)
    case .activate: host.activateFocus()
    case .menu: openMenuByKey()
    case .scroll(let distance): scroll(distance)
    case .scrollToStart: scrollToEdge(-1)
    case .scrollToEnd: scrollToEdge(1)
    case .leave: leaveFocus()
    }
  }

  private func moveFocus(_ direction: ViewHost.FocusDirection) -> Bool {
    motion.stop()
    let moved = host.moveFocus(direction)
    showFocus()
    return moved
  }

  private func leaveFocus() -> Bool {
    guard host.focusedElement != nil else { return false }
    host.focus(nil)
    showFocus()
    return true
  }

  /// What has the focus says which scroll view is meant, otherwise the middle of the window.
  private var keyPoint: CGPoint { host.focusedElement.map { $0.frame.middle } ?? center }

  private func scroll(_ distance: KeyCommand.Distance) -> Bool {
    let target = host.scrollOffset(at: keyPoint) == nil ? center : keyPoint
    guard host.scrollOffset(at: target) != nil else { return false }
    scrollPoint = target
    switch distance {
    case .points(let x, let y): jump(by: CGSize(width: x, height: y))
    // A little of the last page stays on the screen.
    case .pages(let pages): jump(by: CGSize(width: 0, height: pages * host.size.height * 0.8))
    }
    return true
  }

  private func scrollToEdge(_ direction: CGFloat) -> Bool {
    motion.stop()
    return host.scroll(to: CGPoint(x: 0, y: direction > 0 ? 1e9 : 0), at: center)
  }

  // MARK: Menus

  private func openMenuByKey() -> Bool {
    if let element = host.focusedElement {
      let items = host.contextMenuOfFocus()
      if !items.isEmpty { return open(items, at: element.frame.middle) }
    }
    return openMenu(at: pointer ?? center) || openMenu(at: center)
  }

  func openMenu(at point: CGPoint) -> Bool { open(host.contextMenu(at: point), at: point) }

  private func open(_ items: [ContextMenuItem], at point: CGPoint) -> Bool {
    guard !items.isEmpty, let surface else { return false }
    motion.stop()
    host.pointerCancelled()
    ContextMenu(items).show(on: surface.widget, at: point)
    return true
  }
}

typealias Widget = UnsafeMutablePointer<GtkWidget>

/// Owns the reference to the drawing surface.
@MainActor private final class Surface {
  let widget: Widget

  init(_ events: EaselSurfaceEvents, _ user: UnsafeMutableRawPointer) { widget = easel_surface_new(events, user) }

  isolated deinit { easel_surface_free(widget) }
}

extension CGRect {
  var middle: CGPoint { CGPoint(x: origin.x + size.width / 2, y: origin.y + size.height / 2) }
}
