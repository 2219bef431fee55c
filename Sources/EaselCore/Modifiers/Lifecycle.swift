extension View {
  /// Runs `action` when the view appears, before the first frame that shows it.
  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    LifecycleView(content: self, onAppear: action)
  }

  /// Runs `action` after the view has left the screen, at the end of its removal transition.
  nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    LifecycleView(content: self, onDisappear: action)
  }

  /// Starts `action` when the view appears and cancels it when the view disappears.
  nonisolated public func task(
    priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View {
    LifecycleView(content: self, task: .init(id: nil, priority: priority, action: action))
  }

  /// As `task(priority:_:)`; a change of `value` cancels the task and starts a new one.
  nonisolated public func task<T: Equatable>(
    id value: T, priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View {
    LifecycleView(content: self, task: .init(id: AnyEquatable(value), priority: priority, action: action))
  }

  /// Runs `action` when `value` changes, with the old and the new value; on appearance too if `initial`.
  nonisolated public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
  ) -> some View {
    LifecycleView(
      content: self,
      change: .init(value: AnyEquatable(value), isInitial: initial) { old, new in
        guard let old = old.value as? V, let new = new.value as? V else { return }
        action(old, new)
      })
  }

  /// Runs `action` when `value` changes; on appearance too if `initial`.
  nonisolated public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View {
    onChange(of: value, initial: initial) { _, _ in action() }
  }

  /// Runs `action` with the new value when `value` changes.
  nonisolated public func onChange<V: Equatable>(
    of value: V, perform action: @escaping (_ newValue: V) -> Void
  ) -> some View {
    onChange(of: value, initial: false) { _, new in action(new) }
  }
}
