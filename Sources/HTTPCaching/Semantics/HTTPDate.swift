import Foundation

/// The three date formats of RFC 9110, section 5.6.7, read without a formatter: no locale, no time zone, no cost.
enum HTTPDate {
  /// - Returns: `nil` where the text is none of the three, as with the common `Expires: 0`.
  static func parse(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { bytes in
      var words = Words(bytes: UnsafeRawBufferPointer(bytes))
      _ = words.next()  // The name of the day.
      let second = words.next()
      // IMF-fixdate "Sun, 06 Nov 1994 08:49:37 GMT" and RFC 850 "Sunday, 06-Nov-94 08:49:37 GMT" have the same words;
      // asctime is "Sun Nov  6 08:49:37 1994".
      let isASCTime = second.first.map { $0 > UInt8(ascii: "9") } ?? true
      let (day, month) = isASCTime ? (words.next(), second) : (second, words.next())
      let (third, fourth) = (words.next(), words.next())
      let (year, time) = isASCTime ? (fourth, third) : (third, fourth)
      guard isASCTime || words.next().elementsEqual("GMT".utf8), words.next().isEmpty else { return nil }
      return date(day: day, month: month, year: year, time: time)
    }
  }

  /// The words of a date, one after the other; empty ones after the last.
  private struct Words {
    let bytes: UnsafeRawBufferPointer
    private var index = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func next() -> Slice<UnsafeRawBufferPointer> {
      while index < bytes.count, Self.isSeparator(bytes[index]) { index += 1 }
      let start = index
      while index < bytes.count, !Self.isSeparator(bytes[index]) { index += 1 }
      return bytes[start..<index]
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte == 32 || byte == 44 || byte == 45 }
  }

  static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func date(
    day: Slice<UnsafeRawBufferPointer>, month: Slice<UnsafeRawBufferPointer>, year: Slice<UnsafeRawBufferPointer>,
    time: Slice<UnsafeRawBufferPointer>
  ) -> Date? {
    guard let day = number(day), (1...31).contains(day),
      let month = months.firstIndex(where: { month.elementsEqual($0.utf8) }),
      let year = fullYear(year), let seconds = secondsOfDay(time)
    else { return nil }
    let days = daysSinceEpoch(year: year, month: month + 1, day: day)
    return Date(timeIntervalSince1970: Double(days * 86_400 + seconds))
  }

  /// "08:49:37"; a leap second counts as the one after.
  private static func secondsOfDay(_ text: Slice<UnsafeRawBufferPointer>) -> Int? {
    var fields = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).makeIterator()
    guard let hour = fields.next().flatMap(number), hour <= 23, let minute = fields.next().flatMap(number),
      minute <= 59,
      let second = fields.next().flatMap(number), second <= 60, fields.next() == nil
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// Two digits mean this century, or the last where that would be more than 50 years ahead of 2026.
  private static func fullYear(_ text: Slice<UnsafeRawBufferPointer>) -> Int? {
    guard let number = number(text) else { return nil }
    switch text.count {
    case 4: return number
    case 2: return number > 76 ? 1900 + number : 2000 + number
    default: return nil
    }
  }

  /// - Returns: `nil` where there is anything but digits, nothing, or more than any field of a date has.
  private static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> Int? {
    guard 1...4 ~= digits.count, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
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
