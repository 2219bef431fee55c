internal import CEaselGTK
import EaselCore

/// From C's callbacks to the window they are for.
extension GTKWindow {
  // guard: GTK calls on the main thread, and `user` is this window until `closed()` has given the surface up.
  nonisolated static func withWindow<Result: Sendable>(
    _ user: UnsafeMutableRawPointer?, _ body: @MainActor (GTKWindow) -> Result
  ) -> Result? {
    guard let user else { return nil }
    // guard: GTK calls back on the main thread; the pointer does not leave it.
    nonisolated(unsafe) let pointer = user
    return GTK.onMain { body(Unmanaged<GTKWindow>.fromOpaque(pointer).takeUnretainedValue()) }
  }

  static var events: EaselSurfaceEvents {
    EaselSurfaceEvents(
      allocated: { user, width, height, scale in
        GTKWindow.withWindow(user) { $0.allocated(width: width, height: height, scale: scale) }
      },
      draw: { user in GTKWindow.withWindow(user) { $0.draw() } },
      tick: { user, time in GTKWindow.withWindow(user) { $0.tick(at: time) } ?? false },
      pressed: { user, x, y in GTKWindow.withWindow(user) { $0.pressed(at: CGPoint(x: x, y: y)) } },
      released: { user, x, y in GTKWindow.withWindow(user) { $0.released(at: CGPoint(x: x, y: y)) } },
      cancelled: { user in GTKWindow.withWindow(user) { $0.pressCancelled() } },
      moved: { user, x, y in GTKWindow.withWindow(user) { $0.moved(to: CGPoint(x: x, y: y)) } },
      menu: { user, x, y in GTKWindow.withWindow(user) { $0.openMenu(at: CGPoint(x: x, y: y)) } ?? false },
      scrolled: { user, dx, dy, isWheel in
        GTKWindow.withWindow(user) { $0.scrolled(by: CGSize(width: dx, height: dy), isWheel: isWheel) }
      },
      flung: { user, vx, vy in GTKWindow.withWindow(user) { $0.flung(at: CGSize(width: vx, height: vy)) } },
      key: { user, key, shift, control in
        guard let command = KeyCommand(key: key, shift: shift, control: control) else { return false }
        return GTKWindow.withWindow(user) { $0.key(command) } ?? false
      },
      leaf_focused: { user, leaf in
        // guard: GTK calls back on the main thread; the pointer does not leave it.
        nonisolated(unsafe) let leaf = leaf
        GTKWindow.withWindow(user) { window in
          if let leaf { window.leafFocused(leaf) }
        }
      },
      leaf_activated: { user, leaf, menu in
        // guard: GTK calls back on the main thread; the pointer does not leave it.
        nonisolated(unsafe) let leaf = leaf
        GTKWindow.withWindow(user) { window in
          if let leaf { window.leafActivated(leaf, menu: menu) }
        }
      },
      menu_closed: { user in GTKWindow.withWindow(user) { $0.menuClosed() } })
  }
}
