/// Opens an address. Read it from the environment and call it: `@Environment(\.openURL) var openURL` … `openURL(url)`.
///
/// A view changes what its descendants' calls do with `.environment(\.openURL, OpenURLAction { … })`. Where nobody
/// does, or where the handler answers `.systemAction`, the host's own way is taken (`ViewHost.openSystemURL`); a host
/// without one, such as one that draws without a display, opens nothing and says so.
@MainActor
public struct OpenURLAction {
  /// What a handler made of an address.
  public struct Result: Sendable {
    enum Outcome: Sendable {
      case handled
      case discarded
      case system(URL?)
    }

    let outcome: Outcome

    public static let handled = Result(outcome: .handled)
    public static let discarded = Result(outcome: .discarded)
    /// The host opens the address.
    public static let systemAction = Result(outcome: .system(nil))
    /// The host opens another address in its place.
    public static func systemAction(_ url: URL) -> Result { Result(outcome: .system(url)) }
  }

  private let handler: @MainActor (URL) -> Result
  nonisolated private let system: SystemURLOpener

  @preconcurrency
  nonisolated public init(handler: @escaping @MainActor (URL) -> Result) {
    self.init(handler: handler, system: SystemURLOpener())
  }

  nonisolated private init(handler: @escaping @MainActor (URL) -> Result, system: SystemURLOpener) {
    self.handler = handler
    self.system = system
  }

  nonisolated func over(_ system: SystemURLOpener) -> OpenURLAction { OpenURLAction(handler: handler, system: system) }

  public func callAsFunction(_ url: URL) { callAsFunction(url) { _ in } }

  /// - Parameter completion: told whether the address was accepted.
  public func callAsFunction(_ url: URL, completion: @escaping (_ accepted: Bool) -> Void) {
    switch handler(url).outcome {
    case .handled: completion(true)
    case .discarded: completion(false)
    case .system(let other): completion(system.open(other ?? url))
    }
  }
}

private enum OpenURLKey: EnvironmentKey {
  static var defaultValue: OpenURLAction { OpenURLAction { _ in .systemAction } }
}

private enum OpenSystemURLKey: EnvironmentKey {
  static var defaultValue: SystemURLOpener { SystemURLOpener() }
}

/// The host's own way of opening an address.
struct SystemURLOpener {
  var open: @MainActor (URL) -> Bool = { _ in false }
}

extension EnvironmentValues {
  public var openURL: OpenURLAction {
    get { self[OpenURLKey.self].over(systemURLOpener) }
    set { self[OpenURLKey.self] = newValue }
  }

  var systemURLOpener: SystemURLOpener {
    get { self[OpenSystemURLKey.self] }
    set { self[OpenSystemURLKey.self] = newValue }
  }
}

extension ViewHost {
  /// How the host opens an address that no view handles; answers whether it did. Default: not at all.
  public var openSystemURL: @MainActor (URL) -> Bool {
    get { systemEnvironment.systemURLOpener.open }
    set { configureEnvironment { $0.systemURLOpener.open = newValue } }
  }
}
