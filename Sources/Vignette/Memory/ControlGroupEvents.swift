/// The counters of a control group's `memory.events` and what their growth means (cgroup-v2.rst, "Memory Interface
/// Files"). Pure.
struct ControlGroupEvents: Equatable {
  /// Times the group went above `memory.high`.
  var high = 0
  /// Times it was about to go above `memory.max`.
  var max = 0
  /// Times reclaiming did not help.
  var oom = 0

  init() {}

  init(_ text: String) {
    high = Self.number("high", in: text) ?? 0
    max = Self.number("max", in: text) ?? 0
    oom = Self.number("oom", in: text) ?? 0
  }

  /// The number after a name at the beginning of a line.
  static func number(_ name: String, in text: String) -> Int? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2, words[0] == name { return Int(words[1]) }
    }
    return nil
  }

  /// - Parameters:
  ///   - used: anonymous memory of the group in bytes; `nil` where unknown.
  ///   - limit: of the group, in bytes; `nil` for none.
  func meaning(since last: ControlGroupEvents, used: Int?, limit: Int?) -> MemoryPressure? {
    if oom > last.oom { return .critical }
    // A group that reads files fills itself with page cache and meets its limit all the time; that is no shortage.
    guard high > last.high || max > last.max, let used, let limit, limit > 0 else { return nil }
    let share = Double(used) / Double(limit)
    if share >= 0.9 { return .critical }
    return share >= 0.7 ? .warning : nil
  }
}
