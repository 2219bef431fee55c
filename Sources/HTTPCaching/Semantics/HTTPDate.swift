import Foundation

/// The three date formats of RFC 9110, section 5.6.7, read without a formatter: no locale, no time zone, no cost.
enum HTTPDate {
  /// - Returns: `nil` where the text is none of the three, as with the common `Expires: 0`.
  static func parse(_ text: String) -> Date? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
    // IMF-fixdate "Sun, 06 Nov 1994 08:49:37 GMT" and RFC 850 "Sunday, 06-Nov-94 08:49:37 GMT" have the same words;
    // asctime is "Sun Nov  6 08:49:37 1994".
    if words.count == 6, words[5] == "GMT" {
      return date(day: words[1], month: words[2], year: words[3], time: words[4])
    }
    if words.count == 5 { return date(day: words[2], month: words[1], year: words[4], time: words[3]) }
    return nil
  }

  static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func date(day: Substring, month: Substring, year: Substring, time: Substring) -> Date? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { DeltaSeconds.parse($0) ?? -1 }
    guard let day = DeltaSeconds.parse(day), (1...31).contains(day),
      let month = months.firstIndex(of: String(month)),
      let year = fullYear(year), clock.count == 3,
      (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    let days = daysSinceEpoch(year: year, month: month + 1, day: day)
    return Date(timeIntervalSince1970: Double(days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]))
  }

  /// Two digits mean this century, or the last where that would be more than 50 years ahead of 2026.
  private static func fullYear(_ text: Substring) -> Int? {
    guard let number = DeltaSeconds.parse(text) else { return nil }
    switch text.count {
    case 4: return number
    case 2: return number > 76 ? 1900 + number : 2000 + number
    default: return nil
    }
  }

  /// Days from 1970-01-01 in the Gregorian calendar, by counting years from March.
  private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted >= 0 ? shifted / 400 : (shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
