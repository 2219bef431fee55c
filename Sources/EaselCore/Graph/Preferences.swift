/// A value that views hand up to those around them.
public protocol PreferenceKey {
  associatedtype Value
  static var defaultValue: Value { get }
  /// Combines the values of several children, in their order.
  static func reduce(value: inout Value, nextValue: () -> Value)
}

extension PreferenceKey where Value: ExpressibleByNilLiteral {
  public static var defaultValue: Value { nil }
}

@MainActor private protocol PreferenceWriting {
  func preference<K: PreferenceKey>(_ key: K.Type) -> K.Value?
}

@MainActor protocol PreferenceReading {
  func readPreferences()
}

extension Node {
  /// The values of the views below combined; nil if none of them has one. Pages that are not shown have no say.
  func collectPreference<K: PreferenceKey>(_ key: K.Type) -> K.Value? {
    if let own = (self as? any PreferenceWriting)?.preference(key) { return own }
    var result: K.Value?
    for child in children where child.scope === scope || child.scope.isShown {
      guard let value = child.collectPreference(key) else { continue }
      if var combined = result {
        K.reduce(value: &combined) { value }
        result = combined
      } else {
        result = value
      }
    }
    return result
  }
}

nonisolated struct PreferenceView<Content: View, Key: PreferenceKey>: ForwardingView, PrimitiveView {
  let content: Content
  let value: Key.Value

  @MainActor static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    PreferenceNode(view, parent: parent, environment: environment)
  }
}

private final class PreferenceNode<Content: View, Key: PreferenceKey>:
  ForwardingNode<PreferenceView<Content, Key>>, PreferenceWriting
{
  override init(_ view: PreferenceView<Content, Key>, parent: Node, environment: EnvironmentValues) {
    super.init(view, parent: parent, environment: environment)
    graph.preferencesChanged = true
  }

  override func update(_ view: PreferenceView<Content, Key>, environment: EnvironmentValues) {
    if !areEqual(self.view.value, view.value) { graph.preferencesChanged = true }
    super.update(view, environment: environment)
  }

  override func willUnmount() { graph.preferencesChanged = true }

  func preference<K: PreferenceKey>(_ key: K.Type) -> K.Value? {
    key == Key.self ? view.value as? K.Value : nil
  }
}

nonisolated struct PreferenceReaderView<Content: View, Key: PreferenceKey>: ForwardingView, PrimitiveView
where Key.Value: Equatable {
  let content: Content
  let action: (Key.Value) -> Void

  @MainActor static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    PreferenceReaderNode(view, parent: parent, environment: environment)
  }
}

private final class PreferenceReaderNode<Content: View, Key: PreferenceKey>:
  ForwardingNode<PreferenceReaderView<Content, Key>>, PreferenceReading
where Key.Value: Equatable {
  private var last: Key.Value?

  override init(_ view: PreferenceReaderView<Content, Key>, parent: Node, environment: EnvironmentValues) {
    super.init(view, parent: parent, environment: environment)
    graph.addPreferenceReader(self)
  }

  func readPreferences() {
    let value = collectPreference(Key.self) ?? Key.defaultValue
    guard value != last else { return }
    last = value
    let action = view.action
    graph.schedule { action(value) }
  }
}

extension View {
  /// Hands a value up to the views around this one; values from inside are replaced.
  nonisolated public func preference<K: PreferenceKey>(key: K.Type = K.self, value: K.Value) -> some View {
    PreferenceView<Self, K>(content: self, value: value)
  }

  /// Runs `action` with the combined value of the views inside, at first and when it changes.
  nonisolated public func onPreferenceChange<K: PreferenceKey>(
    _ key: K.Type = K.self, perform action: @escaping (K.Value) -> Void
  ) -> some View where K.Value: Equatable {
    PreferenceReaderView<Self, K>(content: self, action: action)
  }
}
