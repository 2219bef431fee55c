import Foundation
import Testing

@testable import HTTPCaching

@Suite("Calendar time")
struct CalendarTimeTests {
  // From `date -u -d @SECONDS`.
  static let moments: [(Double, String, String)] = [
    (784_111_777, "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT"),
    (0, "1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
    (-1, "1969-12-31T23:59:59Z", "Wed, 31 Dec 1969 23:59:59 GMT"),
    (951_782_399.9, "2000-02-28T23:59:59Z", "Mon, 28 Feb 2000 23:59:59 GMT"),
    (951_782_400, "2000-02-29T00:00:00Z", "Tue, 29 Feb 2000 00:00:00 GMT"),
    (951_868_800, "2000-03-01T00:00:00Z", "Wed, 01 Mar 2000 00:00:00 GMT"),
    (4_107_542_400, "2100-03-01T00:00:00Z", "Mon, 01 Mar 2100 00:00:00 GMT"),
    (1e300, "9999-12-31T23:59:59Z", "Fri, 31 Dec 9999 23:59:59 GMT"),
    (-1e300, "0000-01-01T00:00:00Z", "Sat, 01 Jan 0000 00:00:00 GMT"),
  ]

  @Test("a moment has the texts of RFC 3339 and of HTTP", arguments: moments)
  func texts(_ seconds: Double, _ rfc3339: String, _ imfFixdate: String) {
    let time = CalendarTime(Date(timeIntervalSince1970: seconds))
    #expect(time.rfc3339 == rfc3339)
    #expect(time.imfFixdate == imfFixdate)
  }

  @Test("what is written is read back, over 400 years of days")
  func roundTrip() {
    for day in stride(from: 0, to: 146_097, by: 1) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 45_296)
      #expect(HTTPDate.parse(CalendarTime(date).imfFixdate) == date)
    }
  }
}
