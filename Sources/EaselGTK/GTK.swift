internal import CEaselGTK
import EaselCore

/// The program's connection to GTK: starting it, its main loop, and the desktop's colours.
///
/// Everything happens on the main thread. While the loop runs it serves the main actor and `DispatchQueue.main` as
/// well; Foundation's `RunLoop` timers are not served.
@MainActor public enum GTK {
  private static var hasStarted = false
  private static var windows: [ObjectIdentifier: GTKWindow] = [:]
  static private(set) var colorScheme = ColorScheme.light

  /// Connects to the display: X11 or Wayland, as the environment says. What has started already is left as it is.
  ///
  /// - Parameter program: the program's name, by which desktops group windows.
  /// - Throws: `GTKError.noDisplay` where there is none.
  public static func start(program: String) throws(GTKError) {
    guard !hasStarted else { return }
    guard easel_init(program) else { throw .noDisplay }
    guard easel_serve_main_queue() else { throw .noMainQueue }
    hasStarted = true
    easel_watch_color_scheme({ _, dark in GTK.onMain { GTK.setColorScheme(dark ? .dark : .light) } }, nil)
  }

  /// Runs until the last window is closed or `quit()` is called. `start` comes first.
  public static func run() {
    guard hasStarted else { return }
    easel_loop_run()
  }

  /// Ends `run()`, or the next one if it has not begun.
  public static func quit() {
    if hasStarted { easel_loop_quit() }
  }

  /// Whether the environment names a display at all. It may still turn out not to be there.
  nonisolated public static var environmentHasDisplay: Bool {
    ["WAYLAND_DISPLAY", "DISPLAY"].contains { !(ProcessInfo.processInfo.environment[$0] ?? "").isEmpty }
  }

  // MARK: Windows

  static func opened(_ window: GTKWindow) { windows[ObjectIdentifier(window)] = window }

  static func closed(_ window: GTKWindow) {
    windows[ObjectIdentifier(window)] = nil
    if windows.isEmpty { quit() }
  }

  private static func setColorScheme(_ scheme: ColorScheme) {
    colorScheme = scheme
    for window in windows.values { window.host.colorScheme = scheme }
  }

  // MARK: Callbacks

  /// GTK calls back on the thread its loop runs on.
  // guard: that is the main thread, or `assumeIsolated` stops the program; nothing is shared with another one.
  nonisolated static func onMain<Result: Sendable>(_ body: @MainActor () -> Result) -> Result {
    MainActor.assumeIsolated(body)
  }
}

/// Why there can be no window.
public enum GTKError: Error, Equatable, Sendable {
  /// No X11 or Wayland display answers.
  case noDisplay
  /// The system's main queue cannot be served from GTK's loop.
  case noMainQueue

  /// Stable, for searching.
  public var code: String {
    switch self {
    case .noDisplay: "window.noDisplay"
    case .noMainQueue: "window.noMainQueue"
    }
  }

  /// What happened and what to do, in a sentence for a person.
  public var message: String {
    switch self {
    case .noDisplay:
      "There is no display to open a window on. Run it in a desktop session, or set DISPLAY or WAYLAND_DISPLAY."
    case .noMainQueue: "The system's main queue cannot be served. Is this an unusual build of libdispatch?"
    }
  }
}
