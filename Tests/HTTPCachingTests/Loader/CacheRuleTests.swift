import Foundation
import Testing

@testable import HTTPCaching

@Suite("The rules of the cache, by RFC 9111")
struct CacheRuleTests {
  static let epoch = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT
  static let url = URL(fileURLWithPath: "/").absoluteURL

  private let policy = CachePolicy(defaultLifetime: nil)

  private func query(_ headers: HTTPHeaders = [:], method: String = "GET") -> CachePolicy.Query {
    CachePolicy.Query(method: method, url: Self.url, headers: headers)
  }

  /// What becomes of a response with these headers, received at `epoch`, for a request `after` seconds later.
  private func decide(
    _ headers: HTTPHeaders, after seconds: Double, request: HTTPHeaders = [:], first: HTTPHeaders = [:],
    delay: Double = 0
  ) -> CachePolicy.Decision {
    let response = HTTPResponse(url: Self.url, status: 200, headers: headers)
    let stored = StoredResponse(
      response: response, data: Data(), selectingHeaders: policy.selectingHeaders(query(first), response),
      requestTime: Self.epoch - delay, responseTime: Self.epoch)
    return policy.decide(query(request), stored: stored, now: Self.epoch + seconds)
  }

  @Test("4.2: max-age is used until its last second, and not at it")
  func maxAge() {
    #expect(decide(["Cache-Control": "max-age=60"], after: 0) == .use(age: 0))
    #expect(decide(["Cache-Control": "max-age=60"], after: 59) == .use(age: 59))
    #expect(decide(["Cache-Control": "max-age=60"], after: 60) == .fetch(.stale(age: 60, lifetime: 60)))
  }

  @Test("4.2.1: max-age goes before Expires, and Expires counts from Date")
  func expires() {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let later = "Sun, 06 Nov 1994 08:50:37 GMT"
    #expect(decide(["Date": date, "Expires": later], after: 59) == .use(age: 59))
    #expect(decide(["Date": date, "Expires": later], after: 60) == .fetch(.stale(age: 60, lifetime: 60)))
    #expect(decide(["Expires": later, "Cache-Control": "max-age=600"], after: 100) == .use(age: 100))
    #expect(decide(["Expires": "0"], after: 0) == .fetch(.stale(age: 0, lifetime: 0)))
  }

  @Test("4.2.3: Age, the time of transfer and a Date in the past count")
  func age() {
    #expect(decide(["Cache-Control": "max-age=60", "Age": "50"], after: 9) == .use(age: 59))
    #expect(decide(["Cache-Control": "max-age=60", "Age": "50"], after: 5, delay: 4) == .use(age: 59))
    let date = "Sun, 06 Nov 1994 08:48:47 GMT"
    #expect(decide(["Cache-Control": "max-age=60", "Date": date], after: 9) == .use(age: 59))
    #expect(decide(["Cache-Control": "max-age=60", "Age": "nonsense"], after: 9) == .use(age: 9))
  }

  @Test("a clock set back makes nothing fresh")
  func clockSetBack() {
    #expect(decide(["Cache-Control": "max-age=60"], after: -1) == .fetch(.clockSetBack))
  }

  @Test("4.2.2: a tenth of the time since Last-Modified is fresh")
  func heuristic() {
    let headers: HTTPHeaders = [
      "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Last-Modified": "Sun, 06 Nov 1994 08:39:37 GMT",
    ]
    #expect(decide(headers, after: 59) == .use(age: 59))
    #expect(decide(headers, after: 60) == .fetch(.stale(age: 60, lifetime: 60)))
    #expect(decide(["Last-Modified": "yesterday"], after: 1) == .fetch(.noFreshness))
  }

  @Test("what says nothing of its freshness is fetched, unless a default is set and there is no validator")
  func silent() {
    #expect(decide(["ETag": "\"a\""], after: 1) == .fetch(.noFreshness))
    #expect(decide([:], after: 1) == .fetch(.noFreshness))
    let lenient = CachePolicy(defaultLifetime: 60)
    for (headers, lifetime) in [([:], 60), (["ETag": "\"a\""], nil)] as [(HTTPHeaders, Double?)] {
      let response = HTTPResponse(url: Self.url, status: 200, headers: headers)
      #expect(lenient.lifetime(of: response, control: CacheControl(headers), received: Self.epoch) == lifetime)
    }
  }

  @Test("5.2.2.4: no-cache is not used without asking, with fields neither")
  func noCache() {
    #expect(decide(["Cache-Control": "max-age=60, no-cache"], after: 1) == .fetch(.responseDirective))
    #expect(decide(["Cache-Control": "max-age=60, no-cache=\"Set-Cookie\""], after: 1) == .fetch(.responseDirective))
  }

  @Test(
    "5.2.1: a request can refuse what is stored",
    arguments: [
      ["Cache-Control": "no-cache"], ["Cache-Control": "no-store"], ["Cache-Control": "max-age=0"],
      ["Pragma": "no-cache"],
    ] as [HTTPHeaders])
  func requestDirectives(_ headers: HTTPHeaders) {
    #expect(decide(["Cache-Control": "max-age=60"], after: 1, request: headers) == .fetch(.requestDirective))
  }

  @Test("4.1: Vary asks for equal request headers, and * for none ever")
  func vary() {
    let stored: HTTPHeaders = ["Cache-Control": "max-age=60", "Vary": "Accept, X-Size"]
    let first: HTTPHeaders = ["Accept": "image/webp"]
    #expect(decide(stored, after: 1, request: ["accept": "image/webp"], first: first) == .use(age: 1))
    #expect(decide(stored, after: 1, request: ["Accept": "image/png"], first: first) == .fetch(.variant))
    #expect(decide(stored, after: 1, request: [:], first: first) == .fetch(.variant))
    #expect(
      decide(stored, after: 1, request: ["Accept": "image/webp", "X-Size": "2"], first: first) == .fetch(.variant))
    #expect(decide(["Cache-Control": "max-age=60", "Vary": "*"], after: 1) == .fetch(.variant))
  }

  @Test("requests about ranges, conditions or other methods pass the cache by")
  func notCacheable() {
    #expect(
      decide(["Cache-Control": "max-age=9"], after: 1, request: ["Range": "bytes=0-1"]) == .fetch(.requestNotCacheable))
    let post = policy.decide(query(method: "POST"), stored: nil, now: Self.epoch)
    #expect(post == .fetch(.requestNotCacheable))
  }

  @Test("3: what may be stored")
  func storing() {
    func decide(_ status: Int, _ headers: HTTPHeaders, _ request: HTTPHeaders = [:]) -> CachePolicy.StoreDecision {
      let response = HTTPResponse(url: Self.url, status: status, headers: headers)
      return policy.mayStore(query(request), response, received: Self.epoch)
    }
    #expect(decide(200, ["Cache-Control": "max-age=60"]) == .store)
    #expect(decide(200, ["Cache-Control": "private, max-age=60"]) == .store)
    #expect(decide(200, ["Cache-Control": "max-age=60, no-store"]) == .ignore(.noStore))
    #expect(decide(200, ["Cache-Control": "max-age=60"], ["Cache-Control": "no-store"]) == .ignore(.requestNoStore))
    #expect(decide(404, ["Cache-Control": "max-age=60"]) == .ignore(.status))
    #expect(decide(206, ["Cache-Control": "max-age=60"]) == .ignore(.status))
    #expect(decide(200, ["Cache-Control": "max-age=60", "Vary": "Accept, *"]) == .ignore(.variesByEverything))
    #expect(decide(200, [:]) == .ignore(.noFreshness))
  }

  @Test("a redirected answer is not stored under the address it was asked for")
  func redirected() throws {
    let other = try #require(URL(string: "http://127.0.0.1/other"))
    let response = HTTPResponse(url: other, status: 200, headers: ["Cache-Control": "max-age=60"])
    #expect(policy.mayStore(query(), response, received: Self.epoch) == .ignore(.redirected))
  }
}

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
}
