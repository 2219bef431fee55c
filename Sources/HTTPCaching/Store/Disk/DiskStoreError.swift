import Foundation

/// Why a disk store could not be looked into, for those who ask about the store itself. No load fails for any of it.
public struct DiskStoreError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no directory.
    public static let missing = Code(rawValue: "store.missing")
    /// The directory holds something else.
    public static let foreign = Code(rawValue: "store.foreign")
    /// Another version of this library made it.
    public static let version = Code(rawValue: "store.version")
    /// The index is damaged; a loader makes it anew.
    public static let damaged = Code(rawValue: "store.damaged")
    /// No space or no quota left.
    public static let full = Code(rawValue: "store.full")
    /// Another process held the index for more than two seconds.
    public static let busy = Code(rawValue: "store.busy")
    /// No rights, no locks, or an error of the device.
    public static let unavailable = Code(rawValue: "store.unavailable")
  }

  public var code: Code
  /// What to do, in a sentence.
  public var message: String

  public var description: String { "\(code.rawValue): \(message)" }
  public var errorDescription: String? { message }

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ failure: StoreFailure, directory: String) {
    let (code, advice): (Code, String) =
      switch failure.kind {
      case .corrupt: (.damaged, "What it held is fetched again by the next loads.")
      case .full: (.full, "Free some space and try again.")
      case .busy: (.busy, "Try again when the other process is done.")
      case .foreign: (.foreign, "Choose another directory.")
      case .unavailable: (.unavailable, "Check that the directory can be read, written and locked.")
      }
    self.init(code, "The cache in \(directory) could not be read: \(failure.message). \(advice)")
  }
}
