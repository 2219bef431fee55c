import Foundation
import HTTPCaching

/// One stored response, as `vignette cache list` prints it. Times are UTC.
struct CacheEntryLine {
  private let entry: DiskStore.Entry

  init(_ entry: DiskStore.Entry) { self.entry = entry }

  static let title = Self.columns("status", "bytes", "stored", "last used", "fresh until", "URL")

  var text: String {
    Self.columns(
      entry.status.map(String.init) ?? "damaged", "\(entry.totalBytes)", Self.time(entry.stored) ?? "–",
      Self.time(entry.lastUse) ?? "–", Self.time(entry.freshUntil()) ?? "–", printable(entry.url))
  }

  var json: String {
    var line = JSONLine()
    line.add("url", entry.url)
    line.add("status", entry.status)
    line.add("bytes", entry.totalBytes)
    line.add("bodyBytes", entry.bodyBytes)
    line.add("stored", Self.time(entry.stored))
    line.add("lastUsed", Self.time(entry.lastUse))
    line.add("freshUntil", Self.time(entry.freshUntil()))
    line.add("hasCredentials", entry.hasCredentials)
    return line.text
  }

  private static func columns(
    _ status: String, _ bytes: String, _ stored: String, _ used: String, _ fresh: String, _ url: String
  ) -> String {
    let times = [stored, used, fresh].map { $0.padded(to: 20) }
    return ([status.padded(to: 7), bytes.padded(to: -10)] + times + [url]).joined(separator: "  ")
  }

  private static func time(_ date: Date?) -> String? { date.map { CalendarTime($0).rfc3339 } }
}

extension String {
  /// With spaces after it, or before it where the width is negative.
  fileprivate func padded(to width: Int) -> String {
    let spaces = String(repeating: " ", count: max(abs(width) - count, 0))
    return width < 0 ? spaces + self : self + spaces
  }
}
