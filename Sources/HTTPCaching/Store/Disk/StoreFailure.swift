/// Why the disk store could not do something. It is never shown to a caller of the loader, whose response comes from
/// the network; it decides what the store does next, and is what the log says.
struct StoreFailure: Error, Sendable {
  enum Kind: String, Sendable {
    /// The index is no database, or contradicts itself: it is made anew.
    case corrupt
    /// No space or no quota left. The next write is tried again.
    case full
    /// Another process held the index for longer than we wait.
    case busy
    /// The directory holds other files. Tried again after a while.
    case foreign
    /// The directory cannot be used: no rights, no locks, an error of the device. Tried again after a while.
    case unavailable
  }

  var kind: Kind
  var message: String
}
