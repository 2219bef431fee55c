/// How a view comes and goes, by SwiftUI's names. Applied by `transition(_:)`; `.opacity` where nothing is said.
public struct AnyTransition: Sendable {
  var insertion: TransitionEffect
  var removal: TransitionEffect
  /// Used in place of the transaction's animation.
  var animation: Animation?

  init(_ effect: TransitionEffect) {
    insertion = effect
    removal = effect
  }

  public static let identity = AnyTransition(TransitionEffect())
  public static let opacity = AnyTransition(TransitionEffect(opacity: 0))
  public static var scale: AnyTransition { scale(scale: 0) }

  public static func scale(scale: CGFloat, anchor: UnitPoint = .center) -> AnyTransition {
    AnyTransition(TransitionEffect(scale: scale, anchor: anchor))
  }

  /// In from the leading edge, out to the trailing edge.
  public static let slide = asymmetric(insertion: .move(edge: .leading), removal: .move(edge: .trailing))

  public static func move(edge: Edge) -> AnyTransition { AnyTransition(TransitionEffect(edges: [edge])) }

  public static func push(from edge: Edge) -> AnyTransition {
    asymmetric(
      insertion: .move(edge: edge).combined(with: .opacity),
      removal: .move(edge: edge.opposite).combined(with: .opacity))
  }

  public static func offset(_ offset: CGSize) -> AnyTransition { AnyTransition(TransitionEffect(offset: offset)) }

  public static func offset(x: CGFloat = 0, y: CGFloat = 0) -> AnyTransition {
    offset(CGSize(width: x, height: y))
  }

  public static func asymmetric(insertion: AnyTransition, removal: AnyTransition) -> AnyTransition {
    var result = insertion
    result.removal = removal.removal
    result.animation = insertion.animation ?? removal.animation
    return result
  }

  public func combined(with other: AnyTransition) -> AnyTransition {
    var result = self
    result.insertion = insertion.combined(with: other.insertion)
    result.removal = removal.combined(with: other.removal)
    result.animation = animation ?? other.animation
    return result
  }

  public func animation(_ animation: Animation?) -> AnyTransition {
    var copy = self
    copy.animation = animation
    return copy
  }
}

/// What a view looks like when it is wholly away.
struct TransitionEffect: Sendable {
  var opacity = 1.0
  var scale: CGFloat = 1
  var anchor = UnitPoint.center
  var offset = CGSize.zero
  /// Edges the view lies beyond.
  var edges: [Edge] = []

  func combined(with other: TransitionEffect) -> TransitionEffect {
    TransitionEffect(
      opacity: opacity * other.opacity, scale: scale * other.scale, anchor: scale == 1 ? other.anchor : anchor,
      offset: CGSize(width: offset.width + other.offset.width, height: offset.height + other.offset.height),
      edges: edges + other.edges)
  }

  /// The displacement of a view of this size that is wholly away.
  func displacement(of size: CGSize) -> CGSize {
    edges.reduce(into: offset) { sum, edge in
      switch edge {
      case .top: sum.height -= size.height
      case .bottom: sum.height += size.height
      case .leading: sum.width -= size.width
      case .trailing: sum.width += size.width
      }
    }
  }
}

/// A transition that is under way on one render node.
@MainActor struct TransitionState {
  let effect: TransitionEffect
  let run: AnimationRun
  let isLeaving: Bool
  /// Where it begins: what leaves while it is still coming goes back from where it is.
  var start: Double

  /// 0 is in place, 1 is wholly away.
  var distance: Double { start.interpolated(to: isLeaving ? 1 : 0, by: run.progress) }
}

/// Starts transitions when a container's children come and go.
@MainActor enum Transitions {
  /// Animates what `node` shows into place, if the change is animated.
  static func insert(_ node: Node, in graph: Graph) {
    for render in node.renderNodes {
      let transition = render.trait(TransitionTrait.self)
      guard let animation = animation(for: transition, in: graph) else { continue }
      let run = graph.animations.start(animation, of: render) { [weak graph] in graph?.requestFrame() }
      run.onFinish = { [weak render, weak run] in
        guard let render, let run, render.transition?.run === run else { return }
        render.transition = nil
      }
      render.transition = TransitionState(effect: transition.insertion, run: run, isLeaving: false, start: 1)
    }
  }

  /// Animates what `node` shows away; false if it is to go at once. `completion` is called when it has left.
  static func remove(
    _ node: Node, in graph: Graph, completion: @escaping @MainActor () -> Void
  ) -> Bool {
    // The run belongs to the container: what leaves may still exchange its own rectangles.
    guard let container = node.renderOwner?.ownRenderNode else { return false }
    var last: AnimationRun?
    for render in node.renderNodes where render.transition?.isLeaving != true {
      let transition = render.trait(TransitionTrait.self)
      guard let animation = animation(for: transition, in: graph), animation.repetitions != nil else { continue }
      let run = graph.animations.start(animation, of: container) { [weak graph] in graph?.requestFrame() }
      let state = TransitionState(
        effect: transition.removal, run: run, isLeaving: true, start: render.transition?.distance ?? 0)
      render.transition = state
      node.departure = state
      last = run
    }
    guard let last else { return false }
    last.onFinish = completion
    return true
  }

  private static func animation(for transition: AnyTransition, in graph: Graph) -> Animation? {
    guard let animation = graph.transaction.animation, !graph.transaction.disablesAnimations else { return nil }
    return transition.animation ?? animation
  }
}

enum TransitionTrait: TraitKey {
  static let defaultValue = AnyTransition.opacity
}

extension View {
  /// How the view comes and goes when it is inserted or removed in an animated change.
  nonisolated public func transition(_ transition: AnyTransition) -> some View {
    trait(TransitionTrait.self, transition)
  }
}
