#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Seconds that only ever grow, time asleep included; where they start means nothing.
public enum MonotonicClock {
  public static let seconds: @Sendable () -> Double = {
    var time = timespec()
    #if canImport(Darwin)
      // Goes on while the machine sleeps, unlike CLOCK_UPTIME_RAW.
      clock_gettime(CLOCK_MONOTONIC, &time)
    #else
      clock_gettime(CLOCK_BOOTTIME, &time)
    #endif
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
