#if canImport(Darwin)
  import Foundation

  extension SystemMemoryPressure {
    @Sendable static func startWatch(_ handler: @escaping MemoryPressureSource.Handler) -> (@Sendable () -> Void)? {
      let watch = PressureWatch(handler)
      return { watch.stop() }
    }
  }

  /// Dispatch's memory pressure source, and the application's notifications by name: UIKit is not linked, so that
  /// extensions and tools can use this too; where the names mean nothing, nobody posts them.
  ///
  /// guard: the properties are written in init and read by `stop`; sources and the notification centre may be used from
  /// any thread.
  final class PressureWatch: @unchecked Sendable {
    /// A memory warning of the application asks to free as much as possible.
    static let meanings: [String: MemoryPressure] = [
      "UIApplicationDidReceiveMemoryWarningNotification": .critical,
      "UIApplicationDidEnterBackgroundNotification": .background,
      "NSExtensionHostDidEnterBackgroundNotification": .background,
    ]

    private let source: any DispatchSourceMemoryPressure
    private let observers: [any NSObjectProtocol]

    init(_ handler: @escaping MemoryPressureSource.Handler) {
      source = DispatchSource.makeMemoryPressureSource(
        eventMask: [.warning, .critical], queue: DispatchQueue(label: "vignette.memory-pressure"))
      observers = Self.meanings.map { name, meaning in
        NotificationCenter.default.addObserver(
          forName: Notification.Name(name), object: nil, queue: nil
        ) { _ in handler(meaning) }
      }
      source.setEventHandler { [weak self] in
        guard let self else { return }
        handler(source.data.contains(.critical) ? .critical : .warning)
      }
      source.resume()
    }

    func stop() {
      source.cancel()
      for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }
  }
#endif
