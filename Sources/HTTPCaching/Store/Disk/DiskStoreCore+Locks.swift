import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Waiting for what other processes hold. A load waits only until its deadline; a change waits longer, because what it
/// removes may not be served again.
extension DiskStoreCore {
  /// Milliseconds between two attempts; this is a thread that may block.
  private static let lockStep: Int32 = 10

  /// Runs a look-up, which finds nothing where the deadline passes while a lock is waited for.
  func lookUp<Result>(until deadline: Double, _ job: (DiskStoreCore) -> Result?) -> Result? {
    self.deadline = deadline
    defer { self.deadline = nil }
    return job(self)
  }

  /// Waits a little for a lock.
  /// - Parameters:
  ///   - attempt: how often it has been waited for already.
  ///   - patience: seconds in all, where no look-up runs.
  /// - Returns: whether to try once more.
  func waitsForLock(_ attempt: Int, patience: Double) -> Bool {
    let now = configuration.uptime()
    let expired = lookUps.expire(now: now)
    if expired > 0 { counters.withLock { $0.failures += expired } }
    guard Double(attempt) * Double(Self.lockStep) < patience * 1000, now < deadline ?? .infinity else { return false }
    poll(nil, 0, Self.lockStep)
    return true
  }

  /// Keeps two processes from making the index anew at the same time.
  func withDirectoryLock<Result>(_ work: () throws(StoreFailure) -> Result) throws(StoreFailure) -> Result {
    let path = directory + "/lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw FileFailure(errno).storeFailure(path) }
    defer { close(descriptor) }
    var attempt = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let failure = errno
      let isHeld = failure == EAGAIN || failure == EINTR
      guard isHeld, waitsForLock(attempt, patience: 1) else {
        // A load was in a hurry; who waits longer may yet get it.
        throw StoreFailure(
          kind: isHeld && deadline != nil ? .busy : .unavailable,
          message: "\(String(cString: strerror(failure))) locking \(path)")
      }
      attempt += 1
    }
    return try work()
  }
}
