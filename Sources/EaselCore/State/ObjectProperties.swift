/// An object a node follows, and the subscription by which it does.
@MainActor private final class FollowedObject<Object: ObservableObject> {
  private(set) var object: Object?
  private var subscription: AnyCancellable?

  func follow(_ object: Object, for node: Node) {
    guard self.object !== object else { return }
    self.object = object
    let publisher = object.objectWillChange as? ObservableObjectPublisher
    // "Will" change: the node is evaluated in the next update, after the change.
    subscription = publisher?.sink { [weak node] in Node.invalidate(from: node) }
  }
}

/// Makes an observable object once for the view's identity and follows it.
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject>: DynamicProperty {
  private let make: () -> ObjectType
  private var object: ObjectType?

  /// The expression is evaluated when the view first appears, once.
  public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { make = thunk }

  /// Outside a view that is on the screen each reading makes a new object, as in SwiftUI.
  @MainActor @preconcurrency public var wrappedValue: ObjectType { object ?? make() }

  @MainActor @preconcurrency public var projectedValue: ObservedObject<ObjectType>.Wrapper {
    .init(object: wrappedValue)
  }
}

extension StateObject: LinkedProperty {
  mutating func link(to slot: inout AnyObject?, node: Node) {
    let followed = slot as? FollowedObject<ObjectType> ?? FollowedObject()
    slot = followed
    if followed.object == nil { followed.follow(make(), for: node) }
    object = followed.object
  }
}

/// Follows an observable object that someone else owns.
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
  public var wrappedValue: ObjectType

  public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
  public init(initialValue: ObjectType) { wrappedValue = initialValue }

  @MainActor @preconcurrency public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }

  /// Bindings to the object's properties.
  @MainActor @preconcurrency
  @dynamicMemberLookup
  public struct Wrapper {
    let object: ObjectType

    public subscript<Subject>(
      dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
    ) -> Binding<Subject> {
      let object = object
      return Binding(read: { object[keyPath: keyPath] }, write: { object[keyPath: keyPath] = $0 })
    }
  }
}

extension ObservedObject: LinkedProperty {
  mutating func link(to slot: inout AnyObject?, node: Node) {
    let followed = slot as? FollowedObject<ObjectType> ?? FollowedObject()
    slot = followed
    followed.follow(wrappedValue, for: node)
  }
}

/// Follows the observable object of this type that an ancestor supplied with `environmentObject(_:)`.
@propertyWrapper
public struct EnvironmentObject<ObjectType: ObservableObject>: DynamicProperty {
  private var object: ObjectType?

  public init() {}

  /// Reading it where no ancestor supplied the object is a mistake of the program and stops it, as in SwiftUI.
  @MainActor @preconcurrency public var wrappedValue: ObjectType {
    guard let object else {
      fatalError("No \(ObjectType.self) found: add .environmentObject(_:) to an ancestor of this view")
    }
    return object
  }

  @MainActor @preconcurrency public var projectedValue: ObservedObject<ObjectType>.Wrapper {
    .init(object: wrappedValue)
  }
}

extension EnvironmentObject: LinkedProperty {
  mutating func link(to slot: inout AnyObject?, node: Node) {
    let followed = slot as? FollowedObject<ObjectType> ?? FollowedObject()
    slot = followed
    object = node.environment[object: ObjectType.self]
    if let object { followed.follow(object, for: node) }
  }
}

extension View {
  /// Supplies an observable object to the views inside.
  nonisolated public func environmentObject<T: ObservableObject>(_ object: T) -> some View {
    EnvironmentView(content: self, value: object) { $0[object: T.self] = $1 }
  }
}
