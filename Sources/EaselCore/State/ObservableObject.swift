import Synchronized

/// Something that can be cancelled. Combine does not exist on this platform; these are the parts of it that view models
/// are written with.
public protocol Cancellable {
  func cancel()
}

/// Cancels when it is released.
public final class AnyCancellable: Cancellable, Hashable, Sendable {
  private let action: Locked<(@Sendable () -> Void)?>

  public init(_ cancel: @escaping @Sendable () -> Void) { action = Locked(cancel) }

  public func cancel() {
    let due = action.withLock { action in
      defer { action = nil }
      return action
    }
    due?()
  }

  deinit { cancel() }

  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    collection.append(self)
  }

  public static func == (first: AnyCancellable, second: AnyCancellable) -> Bool { first === second }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Announces that an object is about to change. Subscribers are called on the thread that calls `send()`.
public final class ObservableObjectPublisher: Sendable {
  private struct Subscribers {
    var next = 0
    var actions: [Int: @Sendable () -> Void] = [:]
  }

  private let subscribers = Locked(Subscribers())

  public init() {}

  public func send() {
    let actions = subscribers.withLock { $0.actions.sorted { $0.key < $1.key } }
    for action in actions { action.value() }
  }

  public func sink(receiveValue: @escaping @Sendable () -> Void) -> AnyCancellable {
    let key = subscribers.withLock { subscribers in
      subscribers.next += 1
      subscribers.actions[subscribers.next] = receiveValue
      return subscribers.next
    }
    return AnyCancellable { [weak self] in
      // Released outside the lock: a subscriber may own objects whose end runs code.
      let removed = self?.subscribers.withLock { $0.actions.removeValue(forKey: key) }
      _ = removed
    }
  }
}

/// An object whose changes views follow through `@StateObject`, `@ObservedObject` or `@EnvironmentObject`.
public protocol ObservableObject: AnyObject {
  associatedtype ObjectWillChangePublisher = ObservableObjectPublisher
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  public var objectWillChange: ObservableObjectPublisher { PublisherTable.shared.publisher(of: self) }
}

/// The publishers of objects that do not declare their own, by identity. Entries of objects that are gone are dropped
/// as the table grows.
private final class PublisherTable: Sendable {
  static let shared = PublisherTable()

  private struct Entry: @unchecked Sendable {
    // guard: only the reference's identity and liveness are used; weak references are safe across threads.
    weak var object: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  private struct Entries {
    var byObject: [ObjectIdentifier: Entry] = [:]
    var pruneAt = 64
  }

  private let entries = Locked(Entries())

  func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    let key = ObjectIdentifier(object)
    let candidate = Entry(object: object, publisher: ObservableObjectPublisher())
    return entries.withLock { entries in
      if let entry = entries.byObject[key], entry.object != nil { return entry.publisher }
      if entries.byObject.count >= entries.pruneAt {
        entries.byObject = entries.byObject.filter { $0.value.object != nil }
        entries.pruneAt = max(64, entries.byObject.count * 2)
      }
      entries.byObject[key] = candidate
      return candidate.publisher
    }
  }
}

/// A property of an `ObservableObject` whose changes are announced by its `objectWillChange`.
///
/// May be set from any thread: the value is kept behind a lock, and views are told once more after a change made off
/// the main queue, because they may have looked between the announcement and the change.
@propertyWrapper
public struct Published<Value> {
  private struct Unchecked: @unchecked Sendable {
    // guard: held by the lock around it.
    var value: Value
  }

  private let storage: Locked<Unchecked>

  public init(wrappedValue: Value) { storage = Locked(Unchecked(value: wrappedValue)) }
  public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { storage.withLock { $0.value } }
    nonmutating set { storage.withLock { $0.value = newValue } }
  }

  public static subscript<Owner: ObservableObject>(
    _enclosingInstance owner: Owner,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<Owner, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<Owner, Published<Value>>
  ) -> Value {
    get { owner[keyPath: storageKeyPath].storage.withLock { $0.value } }
    set {
      let publisher = owner.objectWillChange as? ObservableObjectPublisher
      publisher?.send()
      var value = newValue
      // Swapped, so that the old value ends outside the lock: its end may run code.
      owner[keyPath: storageKeyPath].storage.withLock { swap(&$0.value, &value) }
      if !MainQueue.isCurrent { publisher?.send() }
    }
  }
}
