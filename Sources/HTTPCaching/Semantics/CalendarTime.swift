import Foundation

/// A moment in UTC by the Gregorian calendar, to the second, and its texts: no formatter, no locale, no time zone.
package struct CalendarTime: Equatable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int
  /// 0 is Sunday.
  package var weekday: Int
  package var hour: Int
  package var minute: Int
  package var second: Int

  /// Fractions are cut off; what is outside the years 0 to 9999 becomes the nearest moment within.
  package init(_ date: Date) {
    let seconds = Int(min(max(date.timeIntervalSince1970.rounded(.down), -62_167_219_200), 253_402_300_799))
    let (days, time) = Self.divided(seconds, 86_400)
    (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60)
    weekday = Self.divided(days + 4, 7).remainder
    // Years begin in March here, so that the leap day is the last; 719,468 days lead from 0000-03-01 to 1970-01-01.
    let (era, dayOfEra) = Self.divided(days + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// RFC 3339: `1994-11-06T08:49:37Z`.
  package var rfc3339: String {
    "\(Self.digits(year, 4))-\(Self.digits(month))-\(Self.digits(day))T\(clock)Z"
  }

  /// The date of HTTP (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
  package var imfFixdate: String {
    "\(Self.weekdays[weekday]), \(Self.digits(day)) \(HTTPDate.months[month - 1]) \(Self.digits(year, 4)) \(clock) GMT"
  }

  private var clock: String { "\(Self.digits(hour)):\(Self.digits(minute)):\(Self.digits(second))" }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

  private static func digits(_ number: Int, _ count: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(count - text.count, 0)) + text
  }

  /// Rounded down, so that the remainder is never negative.
  private static func divided(_ number: Int, _ divisor: Int) -> (quotient: Int, remainder: Int) {
    let remainder = (number % divisor + divisor) % divisor
    return ((number - remainder) / divisor, remainder)
  }
}
