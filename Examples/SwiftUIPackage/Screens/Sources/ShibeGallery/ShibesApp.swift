import SwiftUI

/// The gallery in a window.
public struct ShibesApp: App {
  public init() {}

  public var body: some Scene {
    WindowGroup("Shibes") {
      ContentView()
    }
  }
}
