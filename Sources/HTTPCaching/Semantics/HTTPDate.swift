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
      guard isASCTime || code(of: words.next()) == zone, words.next().isEmpty else { return nil }
      return date(day: day, month: month, year: year, time: time)
    }
  }

  /// The words of a date, one after the other; empty ones after the last.
  private struct Words {
    let bytes: UnsafeRawBufferPointer
    private var index = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func next() -> UnsafeRawBufferPointer {
      while index < bytes.count, Self.isSeparator(bytes[index]) { index += 1 }
      let start = index
      while index < bytes.count, !Self.isSeparator(bytes[index]) { index += 1 }
      return UnsafeRawBufferPointer(rebasing: bytes[start..<index])
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte == 32 || byte == 44 || byte == 45 }
  }

  static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static let monthCodes = months.map { code(of: $0) }
  private static let zone = code(of: "GMT")

  /// Three letters as one number, which compares at once; 0 for any other number of them.
  private static func code(of word: UnsafeRawBufferPointer) -> Int {
    word.count == 3 ? Int(word[0]) << 16 | Int(word[1]) << 8 | Int(word[2]) : 0
  }

  private static func code(of word: String) -> Int {
    var word = word
    return word.withUTF8 { code(of: UnsafeRawBufferPointer($0)) }
  }

  private static func date(
    day: UnsafeRawBufferPointer, month: UnsafeRawBufferPointer, year: UnsafeRawBufferPointer,
    time: UnsafeRawBufferPointer
  ) -> Date? {
    guard let day = number(day), (1...31).contains(day), let month = monthCodes.firstIndex(of: code(of: month)),
      let year = fullYear(year), let seconds = secondsOfDay(time)
    else { return nil }
    let days = daysSinceEpoch(year: year, month: month + 1, day: day)
    return Date(timeIntervalSince1970: Double(days * 86_400 + seconds))
  }

  /// "08:49:37"; a leap second counts as the one after.
  private static func secondsOfDay(_ text: UnsafeRawBufferPointer) -> Int? {
    guard let first = text.firstIndex(of: colon), let last = text.lastIndex(of: colon), first < last,
      let hour = number(text[..<first]), hour <= 23, let minute = number(text[(first + 1)..<last]), minute <= 59,
      let second = number(text[(last + 1)...]), second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private static let colon = UInt8(ascii: ":")

  /// Two digits mean this century, or the last where that would be more than 50 years ahead of 2026.
  private static func fullYear(_ text: UnsafeRawBufferPointer) -> Int? {
    guard let number = number(text) else { return nil }
    switch text.count {
    case 4: return number
    case 2: return number > 76 ? 1900 + number : 2000 + number
    default: return nil
    }
  }

  /// - Returns: `nil` where there is anything but digits, nothing, or more than any field of a date has.
  private static func number(_ digits: some Collection<UInt8>) -> Int? {
    guard 1...4 ~= digits.count else { return nil }
    var number = 0
    for digit in digits {
      guard digit >= 48, digit <= 57 else { return nil }
      number = number * 10 + Int(digit - 48)
    }
    return number
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
