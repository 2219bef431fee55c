import Foundation
import Testing

@testable import HTTPCaching

@Suite("Reading headers")
struct HeaderReadingTests {
  @Test(
    "Cache-Control is read whatever its case, spaces, quotes and mistakes",
    arguments: [
      ("max-age=60", 60), ("MAX-AGE=60", 60), ("public,max-age = 60", 60), (" , ,max-age=\"60\"", 60),
      ("ext=\"max-age=5, no-store\", max-age=60", 60), ("max-age=60, max-age=10", 10), ("max-age=ten", 0),
      ("max-age=-5", 0), ("max-age=", 0), ("max-age", 0), ("max-age=99999999999999999999", 1 << 31), ("", nil),
      ("s-maxage=5", nil),
    ] as [(String, Int?)])
  func maxAge(_ value: String, _ expected: Int?) {
    let control = CacheControl(["Cache-Control": value])
    #expect(control.maxAge == expected)
    #expect(!control.noStore)
  }

  @Test("several Cache-Control fields are one list")
  func severalFields() {
    let control = CacheControl(["Cache-Control": "max-age=60", "cache-control": "no-store"])
    #expect(control.noStore && control.maxAge == 60)
  }

  @Test(
    "the three date formats of RFC 9110 mean the same second",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
      "sUN, 06 NOV 1994 08:49:37 gmt", "SUNDAY, 06-nov-94 08:49:37 Gmt", "sun nOV  6 08:49:37 1994",
      "Sun Nov 06 08:49:37 1994",
    ])
  func dates(_ text: String) {
    #expect(HTTPDate.parse(text) == Date(timeIntervalSince1970: 784_111_777))
  }

  @Test(
    "other dates",
    arguments: [
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
      ("Fri, 31 Dec 2100 23:59:59 GMT", 4_133_980_799), ("0", nil), ("-1", nil), ("", nil),
      ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 99 Nov 1994 08:49:37 GMT", nil),
      ("Sun, 06 Now 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 25:49:37 GMT", nil), ("a b c d e f", nil),
    ] as [(String, Double?)])
  func otherDates(_ text: String, _ expected: Double?) {
    #expect(HTTPDate.parse(text)?.timeIntervalSince1970 == expected)
  }

  @Test(
    "5.3: what is nearly a date is none",
    arguments: [
      "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun,  6 Nov 1994 08:49:37 GMT",
      "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
      "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994  08:49:37 GMT",
      "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08.49.37 GMT",
      "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000",
      "Sun, 06 Nov 1994 08:49:37 GMT+1", "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 -8:49:37 GMT", "Sun, 06 November 1994 08:49:37 GMT", "06 Nov 1994 08:49:37 GMT",
      "Son, 06 Nov 1994 08:49:37 GMT", "Sund, 06-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
      "Sun Nov  6 08:49:37 94", "Sun Nov 6  08:49:37 1994", "Sun Nov  6 08:49:37 GMT 1994",
      "Sun, 06 Nov 1994 08:49:37 \u{FF27}MT", "1994-11-06T08:49:37Z", "784111777",
    ])
  func nearlyDates(_ text: String) {
    #expect(HTTPDate.parse(text) == nil)
  }

  @Test("quoted arguments may hold commas, escapes and nothing at all")
  func quotedArguments() {
    let control = CacheControl(["Cache-Control": #"no-cache="Set-Cookie, x-\"odd", ext="a\\", max-age="7""#])
    #expect(control.noCacheFields == ["Set-Cookie", "x-\"odd"])
    #expect(!control.noCache && control.maxAge == 7)
    #expect(CacheControl(["Cache-Control": "no-cache=\"\""]).noCache)
    #expect(
      CacheControl(["Cache-Control": "no-cache=\"unfinished, no-store"]).noCacheFields == ["unfinished", "no-store"])
  }

  @Test("of repeated and unreadable directives the one counts that limits reuse most")
  func careful() {
    let cases: [(String, KeyPath<CacheControl, Int?>, Int?)] = [
      ("min-fresh=5, min-fresh=9", \.minFresh, 9), ("min-fresh=x", \.minFresh, 1 << 31),
      ("max-stale", \.maxStale, 1 << 31), ("max-stale=9, max-stale", \.maxStale, 9), ("max-stale=x", \.maxStale, 0),
      ("stale-while-revalidate=9, stale-while-revalidate=4", \.staleWhileRevalidate, 4),
      ("stale-if-error=-1", \.staleIfError, 0), ("stale-if-error", \.staleIfError, 0), ("", \.staleIfError, nil),
    ]
    for (value, field, expected) in cases {
      #expect(CacheControl(["Cache-Control": value])[keyPath: field] == expected, "\(value)")
    }
  }

  @Test("a long header is read in linear time, to its end")
  func longHeader() {
    let value = String(repeating: "ext=\"\\,\", ", count: 20_000) + "no-store"
    #expect(CacheControl(["Cache-Control": value]).noStore)
    #expect(Variants.fields(of: Rules.response(["Vary": String(repeating: "a,b,", count: 50_000)])) == ["a", "b"])
  }
}
