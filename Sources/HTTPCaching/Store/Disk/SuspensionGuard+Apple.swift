#if canImport(Darwin)
  import Foundation
  import Synchronized

  extension SuspensionGuard {
    /// - Returns: `nil` where the directory is the app's own, whose locks are in nobody's way, and on macOS.
    static func platform(_ directory: String) -> SuspensionGuard? {
      #if os(macOS)
        return nil
      #else
        guard directory.contains("/Containers/Shared/AppGroup/") else { return nil }
        return watched
      #endif
    }

    #if !os(macOS)
      /// An extension may be suspended at any time, and hears of it only where it has a host.
      private static var watched: SuspensionGuard {
        let isExtension = Bundle.main.bundleURL.pathExtension == "appex"
        let suspension = SuspensionGuard(isInBackground: isExtension) { ExpiringActivity.begin() }
        guard !isExtension else { return suspension }
        // By name: UIKit is not linked, so that extensions and tools can use this too.
        observe("UIApplicationDidEnterBackgroundNotification") { [weak suspension] in suspension?.enterBackground() }
        observe("UIApplicationWillEnterForegroundNotification") { [weak suspension] in suspension?.enterForeground() }
        return suspension
      }

      /// For the life of the process, as most stores live.
      private static func observe(_ name: String, _ action: @escaping @Sendable () -> Void) {
        _ = NotificationCenter.default.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in
          action()
        }
      }
    #endif
  }

  #if !os(macOS)
    /// The system keeps the process from being suspended for as long as a block of its own runs, which waits for the
    /// end. Where it cannot, or wants an end, it runs the block once more and says so.
    private enum ExpiringActivity {
      static func begin() -> SuspensionGuard.Activity {
        let isExpired = Locked(false)
        let (answered, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        ProcessInfo.processInfo.performExpiringActivity(withReason: "vignette.http.store") { expired in
          if expired { isExpired.withLock { $0 = true } }
          answered.signal()
          if !expired { ended.wait() }
        }
        answered.wait()
        return SuspensionGuard.Activity(isExpired: { isExpired.withLock { $0 } }, end: { _ = ended.signal() })
      }
    }
  #endif
#endif
