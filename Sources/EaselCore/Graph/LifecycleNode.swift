/// What the lifecycle modifiers ask for. One value a modifier, so that each keeps its own order and its own task.
nonisolated struct LifecycleView<Content: View>: ForwardingView, PrimitiveView {
  let content: Content
  var onAppear: (() -> Void)?
  var onDisappear: (() -> Void)?
  var task: TaskDescription?
  var change: ChangeObservation?

  struct TaskDescription {
    let id: AnyEquatable?
    let priority: TaskPriority
    let action: @Sendable () async -> Void
  }

  struct ChangeObservation {
    let value: AnyEquatable
    let isInitial: Bool
    let action: (_ old: AnyEquatable, _ new: AnyEquatable) -> Void
  }

  @MainActor static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    LifecycleNode(view, parent: parent, environment: environment)
  }
}

/// Runs appearance actions, change actions and tasks as effects, after the evaluation that caused them and before the
/// frame is drawn. Children appear before what contains them; a task starts after the appearance actions around it.
final class LifecycleNode<Content: View>: ForwardingNode<LifecycleView<Content>>, AppearanceFollowing {
  private var hasAppeared = false
  private var running: Task<Void, Never>?

  override init(_ view: LifecycleView<Content>, parent: Node, environment: EnvironmentValues) {
    super.init(view, parent: parent, environment: environment)
    scope.add(self)
    appearanceChanged()
  }

  override func update(_ view: LifecycleView<Content>, environment: EnvironmentValues) {
    let old = self.view
    super.update(view, environment: environment)
    guard hasAppeared else { return }
    if let before = old.change, let now = view.change, before.value != now.value {
      graph.schedule { now.action(before.value, now.value) }
    }
    if let before = old.task, let now = view.task, before.id != now.id {
      graph.schedule { [weak self] in self?.restartTask() }
    }
  }

  func appearanceChanged() {
    if scope.isVisible, isMounted { appear() } else { disappear() }
  }

  override func willUnmount() { disappear() }

  private func appear() {
    guard !hasAppeared else { return }
    hasAppeared = true
    if let action = view.onAppear { graph.schedule(action) }
    if let change = view.change, change.isInitial {
      graph.schedule { change.action(change.value, change.value) }
    }
    if view.task != nil { graph.schedule { [weak self] in self?.restartTask() } }
  }

  private func disappear() {
    guard hasAppeared else { return }
    hasAppeared = false
    running?.cancel()
    running = nil
    if let action = view.onDisappear { graph.schedule(action) }
  }

  private func restartTask() {
    running?.cancel()
    running = nil
    guard hasAppeared, let task = view.task else { return }
    running = Task(priority: task.priority) { await task.action() }
  }
}

/// An equatable value whose type is hidden.
struct AnyEquatable: Equatable {
  let value: Any
  private let isEqual: (Any) -> Bool

  init<Value: Equatable>(_ value: Value) {
    self.value = value
    isEqual = { ($0 as? Value) == value }
  }

  static func == (first: AnyEquatable, second: AnyEquatable) -> Bool { first.isEqual(second.value) }
}
