#if !canImport(Darwin)
  import Foundation

  enum StoreLog {
    /// Standard error.
    @Sendable static func platform(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
  }
#endif
