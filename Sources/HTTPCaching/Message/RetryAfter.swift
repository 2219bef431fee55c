import Foundation

/// The field `Retry-After` (RFC 9110, section 10.2.3): whole seconds, or a date.
package enum RetryAfter {
  /// - Returns: seconds from `now`, 0 for a date that has passed; `nil` where the text is neither.
  package static func seconds(_ text: String?, now: Date) -> Double? {
    guard let text else { return nil }
    let value = Substring(text).trimmed
    if let seconds = DeltaSeconds.parse(value) { return Double(seconds) }
    return HTTPDate.parse(String(value)).map { max(0, $0.timeIntervalSince(now)) }
  }
}
