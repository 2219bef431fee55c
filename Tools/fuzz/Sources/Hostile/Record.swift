import Foundation
import Glibc

/// What the cases of one process have cost. Ends the process at a case that takes too long.
final class Record {
  /// Seconds of processor time.
  static let longestCase = 2

  private(set) var cases = 0
  private var slowest = (seconds: 0.0, name: "")
  var slowestSeconds: Double { slowest.seconds }
  private let memoryBefore = Record.peakBytes

  /// The file in which the parent finds what a process was about when it died.
  private let trace: Int32

  init() {
    trace = open(ProcessInfo.processInfo.environment["HOSTILE_TRACE"] ?? "/dev/null", O_WRONLY)
  }

  /// Bytes that the process may take beyond what it has: of address space, so that what is allocated counts and not only
  /// what is used.
  static func limitMemory(to bytes: Int) {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").first
    let here = (pages.flatMap { Int($0) } ?? 0) * Int(getpagesize())
    var limit = rlimit(rlim_cur: UInt(here + bytes), rlim_max: UInt(here + bytes))
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
  }

  func measure(_ name: String, _ body: () throws -> Void) rethrows {
    note(name)
    // SIGPROF ends the process.
    var timer = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: Self.longestCase, tv_usec: 0))
    setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
    let start = Self.processorSeconds
    try body()
    let seconds = Self.processorSeconds - start
    if seconds >= slowest.seconds { slowest = (seconds, name) }
    cases += 1
  }

  private func note(_ name: String) {
    var bytes = Array(name.utf8.prefix(200))
    bytes += [UInt8](repeating: UInt8(ascii: " "), count: 200 - bytes.count)
    pwrite(trace, bytes, bytes.count, 0)
  }

  /// The line that the parent reads.
  func finish() {
    let megabytes = (Self.peakBytes - memoryBefore) >> 20
    print("\(cases)\t\(slowest.seconds)\t\(megabytes)\t\(slowest.name)")
  }

  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Of this program alone: what getrusage tells begins with the size of the process it was started from.
  private static var peakBytes: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
  }
}
