import EaselCore

/// A part of an app's windows (developer.apple.com/documentation/swiftui/scene).
@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene

  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: Scene {}

/// Builds scenes from one or several.
@resultBuilder
public struct SceneBuilder {
  public static func buildExpression<Content: Scene>(_ content: Content) -> Content { content }

  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }

  @MainActor public static func buildBlock<First: Scene, each Content: Scene>(
    _ first: First, _ content: repeat each Content
  ) -> some Scene {
    var windows = SceneWindow.all(of: first)
    for scene in repeat each content { windows += SceneWindow.all(of: scene) }
    return SceneList(windows: windows)
  }
}

/// A window with content. The first group of an app is opened when it starts.
public struct WindowGroup<Content: View>: Scene {
  private let title: String?
  private let content: () -> Content

  /// The window is called as the program is.
  public init(@ViewBuilder content: @escaping () -> Content) {
    title = nil
    self.content = content
  }

  public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: @escaping () -> Content) {
    title = titleKey.string
    self.content = content
  }

  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, @ViewBuilder content: @escaping () -> Content) {
    self.title = String(title)
    self.content = content
  }

  /// A primitive scene has no body; Easel never asks for one. There is no value of type `Never` to return.
  public var body: Never { fatalError("WindowGroup is a primitive scene and has no body") }
}

extension WindowGroup: PrimitiveScene {
  var windows: [SceneWindow] {
    let content = content
    return [SceneWindow(title: title, size: nil) { AnyView(content()) }]
  }
}

extension Scene {
  /// The size of a new window's content, in points; 480 by 720 where nothing is said.
  public func defaultSize(_ size: CGSize) -> some Scene {
    SceneList(
      windows: SceneWindow.all(of: self).map {
        SceneWindow(title: $0.title, size: $0.size ?? size, content: $0.content)
      })
  }

  public func defaultSize(width: CGFloat, height: CGFloat) -> some Scene {
    defaultSize(CGSize(width: width, height: height))
  }
}

/// What a scene comes to: windows, in order.
@MainActor struct SceneWindow {
  let title: String?
  let size: CGSize?
  let content: () -> AnyView

  static func all(of scene: some Scene) -> [SceneWindow] {
    (scene as? any PrimitiveScene)?.windows ?? all(of: scene.body)
  }
}

@MainActor protocol PrimitiveScene: Scene where Body == Never {
  var windows: [SceneWindow] { get }
}

private struct SceneList: PrimitiveScene {
  let windows: [SceneWindow]

  /// Nobody asks for it, as with `WindowGroup`.
  var body: Never { fatalError("A list of windows has no body") }
}
