internal import CEaselGTK
import EaselCore

/// The entries of a menu while it is open; kept alive by the menu itself.
@MainActor final class ContextMenu {
  private let items: [ContextMenuItem]

  init(_ items: [ContextMenuItem]) { self.items = items }

  func show(on surface: Widget, at point: CGPoint) {
    // guard: the reference passed here is given back by the menu's `released`, called once; both calls come on the main
    // thread.
    let menu = easel_menu_new(
      { user, index in
        // guard: GTK calls back on the main thread; the pointer does not leave it.
        nonisolated(unsafe) let user = user
        GTK.onMain {
          if let user { Unmanaged<ContextMenu>.fromOpaque(user).takeUnretainedValue().choose(Int(index)) }
        }
      },
      { user in
        if let user { Unmanaged<ContextMenu>.fromOpaque(user).release() }
      }, Unmanaged.passRetained(self).toOpaque())
    for item in items { easel_menu_add(menu, item.label, !item.isDisabled, item.startsGroup) }
    easel_menu_show(menu, surface, point.x, point.y)
  }

  private func choose(_ index: Int) {
    if items.indices.contains(index) { items[index].activate() }
  }
}
