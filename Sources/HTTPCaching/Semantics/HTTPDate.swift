import Foundation

/// The three date formats of RFC 9110, section 5.6.7, read without a formatter: no locale, no time zone, no cost.
///
/// What is written otherwise is no date, so that nobody takes it for a later one than somebody else does (RFC 9111,
/// section 5.3); but letters have no case (section 4.2).
enum HTTPDate {
  /// - Returns: `nil` where the text is none of the three, as with the common `Expires: 0`.
  static func parse(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      let name = bytes.prefix { isLetter($0) }
      let rest = bytes[name.endIndex...]
      if name.count == 3 {
        guard weekdays.contains(where: { equal(name, $0.prefix(3)) }) else { return nil }
        return (Fields(rest, imfFixdate) ?? Fields(rest, asctime))?.date
      }
      guard weekdays.contains(where: { equal(name, $0) }), var fields = Fields(rest, rfc850) else { return nil }
      // This century, or the last where that would be more than 50 years ahead of 2026.
      fields.year += fields.year > 76 ? 1900 : 2000
      return fields.date
    }
  }

  static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static let weekdays = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ].map { Array($0.utf8) }

  // What follows the name of the day. Small letters stand for the fields, as `Fields` reads them.
  private static let imfFixdate = Array(", dd bbb yyyy hh:mm:ss GMT".utf8)
  private static let rfc850 = Array(", dd-bbb-yy hh:mm:ss GMT".utf8)
  private static let asctime = Array(" bbb ed hh:mm:ss yyyy".utf8)

  /// What a pattern finds in a text.
  private struct Fields {
    private(set) var day = 0
    /// Its three letters as one number.
    private(set) var month = 0
    var year = 0
    private(set) var hour = 0
    private(set) var minute = 0
    private(set) var second = 0

    init?(_ text: Slice<UnsafeRawBufferPointer>, _ pattern: [UInt8]) {
      guard text.count == pattern.count else { return nil }
      for (byte, sign) in zip(text, pattern) {
        guard take(byte, as: sign) else { return nil }
      }
    }

    private mutating func take(_ byte: UInt8, as sign: UInt8) -> Bool {
      switch sign {
      case UInt8(ascii: "d"): HTTPDate.append(byte, to: &day)
      // The first digit of a day, or a space in its place.
      case UInt8(ascii: "e"): byte == UInt8(ascii: " ") || HTTPDate.append(byte, to: &day)
      case UInt8(ascii: "y"): HTTPDate.append(byte, to: &year)
      case UInt8(ascii: "h"): HTTPDate.append(byte, to: &hour)
      case UInt8(ascii: "m"): HTTPDate.append(byte, to: &minute)
      case UInt8(ascii: "s"): HTTPDate.append(byte, to: &second)
      case UInt8(ascii: "b"): HTTPDate.append(letter: byte, to: &month)
      default: HTTPDate.lowercase(byte) == HTTPDate.lowercase(sign)
      }
    }

    /// A leap second counts as the one after.
    var date: Date? {
      guard (1...31).contains(day), let month = HTTPDate.monthCodes.firstIndex(of: month), hour <= 23, minute <= 59,
        second <= 60
      else { return nil }
      let days = HTTPDate.daysSinceEpoch(year: year, month: month + 1, day: day)
      return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3600 + minute * 60 + second))
    }
  }

  private static let monthCodes = months.map { name in
    var code = 0
    return name.utf8.allSatisfy { append(letter: $0, to: &code) } ? code : 0
  }

  private static func append(letter: UInt8, to code: inout Int) -> Bool {
    code = code << 8 | Int(lowercase(letter))
    return isLetter(letter)
  }

  private static func append(_ digit: UInt8, to number: inout Int) -> Bool {
    guard digit >= 48, digit <= 57 else { return false }
    number = number * 10 + Int(digit - 48)
    return true
  }

  /// - Parameter name: in small letters.
  private static func equal(_ text: Slice<UnsafeRawBufferPointer>, _ name: some Collection<UInt8>) -> Bool {
    text.elementsEqual(name) { lowercase($0) == $1 }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 32) }

  private static func lowercase(_ byte: UInt8) -> UInt8 { byte >= 65 && byte <= 90 ? byte | 32 : byte }

  /// Days from 1970-01-01 in the Gregorian calendar, by counting years from March.
  private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted >= 0 ? shifted / 400 : (shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
