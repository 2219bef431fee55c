import EaselCore
import Foundation

/// A program with windows, by SwiftUI's interface (developer.apple.com/documentation/swiftui/app):
///
/// ```swift
/// @main struct PhotosApp: App {
///   var body: some Scene { WindowGroup { PhotoList() } }
/// }
/// ```
@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene

  @SceneBuilder @MainActor @preconcurrency var body: Body { get }

  @MainActor @preconcurrency init()
}

extension App {
  /// Opens the app's first window and returns when the last one is closed. Where there is no display it says so on
  /// standard error and ends the program with status 1.
  @MainActor public static func main() {
    let app = Self()
    let windows = SceneWindow.all(of: app.body)
    guard let first = windows.first else { return }
    let title = first.title ?? ProcessInfo.processInfo.processName
    do {
      let root = SceneRoot(app: LinkedValue(app), place: 0)
      let window = try GTKWindow(root, title: title, size: first.size ?? CGSize(width: 480, height: 720))
      window.show()
    } catch {
      GTK.say(error.message)
      exit(1)
    }
    GTK.run()
  }
}

/// The content of one window, made by the app's body, which is evaluated here so that the app can have state.
struct SceneRoot<Application: App>: View {
  let app: LinkedValue<Application>
  let place: Int

  @ViewBuilder var body: some View {
    let windows = SceneWindow.all(of: app.value.body)
    if windows.indices.contains(place) { windows[place].content() }
  }
}
