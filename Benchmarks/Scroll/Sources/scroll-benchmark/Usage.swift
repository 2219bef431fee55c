import Foundation
import Glibc

/// What the process has used so far.
struct Usage {
  /// Of all threads, in seconds.
  let processor: Double
  /// Of the calling thread, in seconds.
  let thread: Double

  /// `RUSAGE_THREAD`, which Glibc keeps from Swift behind a feature macro (getrusage(2)).
  private static let thread: Int32 = 1

  static var now: Usage { Usage(processor: seconds(RUSAGE_SELF.rawValue), thread: seconds(thread)) }

  private static func seconds(_ who: Int32) -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(who), &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }

  /// A line of `/proc/self/status`, in megabytes.
  static func megabytes(_ name: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
    return line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) }.map { $0 / 1024 }
      ?? 0
  }
}
