#if canImport(Darwin)
  extension UnsafeMutableRawPointer {
    /// Nothing: the pages of Apple's processors are larger, and there is nothing to ask for.
    func adviseLargePages(_ byteCount: Int) {}
  }
#endif
