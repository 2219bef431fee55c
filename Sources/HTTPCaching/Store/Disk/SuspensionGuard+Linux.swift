#if !canImport(Darwin)
  extension SuspensionGuard {
    /// Nothing suspends a process behind its back.
    static func platform(_ directory: String) -> SuspensionGuard? { nil }
  }
#endif
