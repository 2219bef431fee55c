/// A value that describes a piece of user interface, by SwiftUI's contract
/// (developer.apple.com/documentation/swiftui/view).
///
/// Easel keeps three trees with separate duties:
/// - *views* are values, made anew by every `body` and thrown away;
/// - *nodes* (`Node`) carry what outlives a view value: identity, state, environment, lifetime;
/// - *render nodes* (`RenderNode`) know sizes and positions and write the display list.
///
/// A new primitive view conforms to `PrimitiveView` and makes its own node; one that is a rectangle on the screen
/// conforms to `RenderableView` and only supplies a `RenderNode` and how to bring it up to date.
@MainActor @preconcurrency public protocol View {
  associatedtype Body: View

  @ViewBuilder @MainActor @preconcurrency var body: Body { get }

  /// Makes the node that stands for `view` below `parent`. Composite views inherit the default; only Easel's own
  /// primitives replace it. Call it through `Node.makeChild`, which bounds the depth of the tree.
  @MainActor static func _makeNode(_ view: Self, parent: Node, environment: EnvironmentValues) -> ViewNode<Self>
}

extension View {
  @MainActor public static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    CompositeNode(view, parent: parent, environment: environment)
  }
}

extension Never: View {
  public typealias Body = Never
}

extension View where Body == Never {
  /// Primitive views have no body; Easel never asks for one. There is no value of type `Never` to return.
  nonisolated public var body: Never { fatalError("\(Self.self) is a primitive view and has no body") }
}

/// A view that makes its own node instead of having a body.
protocol PrimitiveView: View where Body == Never {}
