import EaselCore
import Testing

@testable import EaselGTK

@MainActor @Suite("Apps and their windows")
struct SceneTests {
  private struct TwoWindows: App {
    var body: some Scene {
      WindowGroup("Pictures") { Text("pictures") }.defaultSize(width: 300, height: 200)
      WindowGroup { Text("more") }
    }
  }

  @Test("an app's windows are known in order, with what is said of them")
  func windows() {
    let windows = SceneWindow.all(of: TwoWindows().body)
    #expect(windows.map(\.title) == ["Pictures", nil])
    #expect(windows.map(\.size) == [CGSize(width: 300, height: 200), nil])
  }

  private struct Stateful: App {
    @State private var count = 0
    var body: some Scene { WindowGroup { Button("\(count)") { count += 1 } } }
  }

  @Test("an app's own state lives as long as its window")
  func state() {
    let host = ViewHost(SceneRoot(app: LinkedValue(Stateful()), place: 0), size: CGSize(width: 100, height: 100))
    #expect(host.activate("0"))
    #expect(host.activate("1"))
    #expect(host.element(labeled: "2") != nil)
  }
}

@MainActor @Suite("No display")
struct NoDisplayTests {
  @Test(
    "without a display a window is refused, with a sentence that says what to do",
    .enabled(if: !GTK.environmentHasDisplay))
  func refused() {
    #expect(throws: GTKError.noDisplay) {
      _ = try GTKWindow(Text("never seen"), title: "None")
    }
    #expect(GTKError.noDisplay.message.contains("DISPLAY"))
    #expect(GTKError.noDisplay.code == "window.noDisplay")
  }
}
