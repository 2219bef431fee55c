#if canImport(Darwin)
  import Foundation
  import os

  extension ImageMemoryCache {
    /// Bytes this process may use: the machine's memory, or what the system still gives to this process if that is less.
    static func availableMemory() -> Int {
      let machine = Int(clamping: ProcessInfo.processInfo.physicalMemory)
      #if os(macOS) || targetEnvironment(macCatalyst)
        return machine
      #else
        // 0 where the system sets no limit.
        let left = os_proc_available_memory()
        return left > 0 ? min(machine, left) : machine
      #endif
    }
  }
#endif
