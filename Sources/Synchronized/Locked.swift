#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A value behind a lock: the only way shared mutable state is kept in this package.
///
/// A pthread mutex (an unfair lock on Apple's platforms) rather than `Synchronization.Mutex`, which needs iOS 18 and
/// which ThreadSanitizer does not understand on Linux. The closure must be short and must not call out: no I/O, no
/// decoding, no user code. The lock is not recursive.
package final class Locked<Value>: @unchecked Sendable {
  // guard: `value` is touched only between lock() and unlock().
  private var value: Value
  private let mutex: UnsafeMutablePointer<Primitive>

  #if canImport(Darwin)
    private typealias Primitive = os_unfair_lock
  #else
    private typealias Primitive = pthread_mutex_t
  #endif

  package init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    #if canImport(Darwin)
      mutex.initialize(to: os_unfair_lock())
    #else
      mutex.initialize(to: pthread_mutex_t())
      pthread_mutex_init(mutex, nil)
    #endif
  }

  deinit {
    #if !canImport(Darwin)
      pthread_mutex_destroy(mutex)
    #endif
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  @discardableResult
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    #if canImport(Darwin)
      os_unfair_lock_lock(mutex)
      defer { os_unfair_lock_unlock(mutex) }
    #else
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
    #endif
    return try body(&value)
  }
}
