import Foundation
import Testing

@testable import HTTPCaching

@Suite("RFC 9111, section 4.2: freshness")
struct FreshnessTests {
  private func age(_ decision: CachePolicy.Decision) -> Double? {
    if case .use(let reuse) = decision { reuse.age } else { nil }
  }

  @Test("4.2: max-age is used until its last second, and not at it")
  func maxAge() {
    #expect(Rules.decide(["Cache-Control": "max-age=60"], after: 0) == .use(.init(age: 0, lifetime: 60)))
    #expect(Rules.decide(["Cache-Control": "max-age=60"], after: 59) == .use(.init(age: 59, lifetime: 60)))
    #expect(Rules.decide(["Cache-Control": "max-age=60"], after: 60) == .fetch(.stale(age: 60, lifetime: 60)))
  }

  static let later = "Sun, 06 Nov 1994 08:50:37 GMT"

  @Test(
    "4.2.1: max-age goes before Expires, Expires counts from Date, and what is no date has passed",
    arguments: [
      (["Date": Rules.date, "Expires": later], 60.0), (["Expires": later], 60), (["Expires": "0"], 0),
      (["Expires": ""], 0), (["Expires": "tomorrow"], 0), (["Expires": Rules.date, "Cache-Control": "max-age=9"], 9),
      (["Expires": later, "Cache-Control": "max-age=nonsense"], 0), (["Expires": later, "expires": "0"], 60),
      (["Date": later, "Expires": Rules.date], 0), (["Cache-Control": "s-maxage=9"], nil),
      (["Cache-Control": "max-age=5, max-age=500"], 5),
    ] as [(HTTPHeaders, Double?)])
  func lifetime(_ headers: HTTPHeaders, _ expected: Double?) {
    let lifetime = Rules.strict.freshness.lifetime(
      of: Rules.response(headers), control: CacheControl(headers), received: Rules.epoch)
    #expect(lifetime == expected)
  }

  @Test(
    "4.2.2: a tenth of the time since Last-Modified is fresh, for statuses that may be kept without further word",
    arguments: [
      (200, 60.0), (203, 60), (404, 60), (410, 60), (301, 60), (302, nil), (403, nil), (500, nil), (503, nil),
    ]
      as [(Int, Double?)])
  func heuristic(_ status: Int, _ expected: Double?) {
    let headers: HTTPHeaders = ["Date": Rules.date, "Last-Modified": "Sun, 06 Nov 1994 08:39:37 GMT"]
    func lifetime(_ headers: HTTPHeaders) -> Double? {
      Rules.strict.freshness.lifetime(
        of: Rules.response(headers, status: status), control: CacheControl(headers), received: Rules.epoch)
    }
    #expect(lifetime(headers) == expected)
    #expect(lifetime(HTTPHeaders(headers.fields + [.init(name: "Cache-Control", value: "public")])) == 60)
    #expect(lifetime(["Last-Modified": "yesterday"]) == nil)
    #expect(lifetime(["Date": Rules.date, "Last-Modified": Self.later]) == (expected == nil ? nil : 0))
  }

  @Test("4.2.3: Age, the time of transfer and a Date in the past count")
  func currentAge() {
    #expect(age(Rules.decide(["Cache-Control": "max-age=60", "Age": "50"], after: 9)) == 59)
    #expect(age(Rules.decide(["Cache-Control": "max-age=60", "Age": "50"], after: 5, delay: 4)) == 59)
    let date = "Sun, 06 Nov 1994 08:48:47 GMT"
    #expect(age(Rules.decide(["Cache-Control": "max-age=60", "Date": date], after: 9)) == 59)
    #expect(age(Rules.decide(["Cache-Control": "max-age=60", "Date": date, "Age": "55"], after: 4)) == 59)
  }

  @Test(
    "5.1: an Age that cannot be read is none, and the first of several counts",
    arguments: [("nonsense", 9.0), ("-5", 9), ("", 9), ("5, 1", 14), ("x, 50", 9)])
  func ageField(_ value: String, _ expected: Double) {
    #expect(age(Rules.decide(["Cache-Control": "max-age=60", "Age": value], after: 9)) == expected)
  }

  @Test("a clock set back makes nothing fresh; a server whose clock is ahead makes nothing fresh for longer")
  func clocks() {
    #expect(Rules.decide(["Cache-Control": "max-age=60"], after: -1) == .fetch(.clockSetBack))
    let ahead: HTTPHeaders = ["Cache-Control": "max-age=60", "Date": "Mon, 07 Nov 1994 08:49:37 GMT"]
    #expect(age(Rules.decide(ahead, after: 59)) == 59)
    #expect(Rules.word(Rules.decide(ahead, after: 60)) == "fetch stale")
  }

  @Test(
    "what says nothing of its freshness is fresh for the default where that is set and there is no validator",
    arguments: [([:], 60.0), (["ETag": "\"a\""], nil), (["Cache-Control": "public"], 60), (["Expires": "0"], 0)]
      as [(HTTPHeaders, Double?)])
  func silent(_ headers: HTTPHeaders, _ expected: Double?) {
    let lenient = CachePolicy(defaultLifetime: 60)
    func lifetime(_ status: Int, _ policy: CachePolicy) -> Double? {
      policy.freshness.lifetime(
        of: Rules.response(headers, status: status), control: CacheControl(headers), received: Rules.epoch)
    }
    #expect(lifetime(200, lenient) == expected)
    #expect(lifetime(404, lenient) == (expected == 60 ? nil : expected))
    if expected == 60 { #expect(lifetime(200, Rules.strict) == nil) }
  }

  @Test(
    "4.2.4: what is stale is used by leave only, and never against must-revalidate or no-cache",
    arguments: [
      ("max-age=60", [:], "fetch stale"), ("max-age=60", ["Cache-Control": "max-stale"], "use maxStale"),
      ("max-age=60", ["Cache-Control": "max-stale=40"], "use maxStale"),
      ("max-age=60", ["Cache-Control": "max-stale=39"], "fetch stale"),
      ("max-age=60", ["Cache-Control": "max-stale=x"], "fetch stale"),
      ("max-age=60, must-revalidate", ["Cache-Control": "max-stale"], "fetch stale"),
      ("max-age=60, no-cache", ["Cache-Control": "max-stale"], "fetch responseDirective"),
      ("max-age=60, proxy-revalidate", ["Cache-Control": "max-stale"], "use maxStale"),
    ] as [(String, HTTPHeaders, String)])
  func stale(_ response: String, _ request: HTTPHeaders, _ expected: String) {
    #expect(Rules.word(Rules.decide(["Cache-Control": response], after: 100, request: request)) == expected)
  }
}

@Suite("RFC 5861 and RFC 8246: stale content and immutable responses")
struct ExtensionTests {
  @Test(
    "stale-while-revalidate allows use for its time, unless the request asks for more",
    arguments: [
      (100.0, "swr", [:], "use staleWhileRevalidate"), (159.9, "swr", [:], "use staleWhileRevalidate"),
      (160, "swr", [:], "fetch stale"), (100, "swr, must-revalidate", [:], "fetch stale"),
      (100, "swr", ["Cache-Control": "max-age=1000"], "fetch stale"),
      (100, "swr", ["Cache-Control": "no-cache"], "fetch requestDirective"),
      (100, "swr, no-cache", [:], "fetch responseDirective"), (59, "swr", [:], "use"),
    ] as [(Double, String, HTTPHeaders, String)])
  func staleWhileRevalidate(_ after: Double, _ control: String, _ request: HTTPHeaders, _ expected: String) {
    let value = "max-age=60, " + control.replacingOccurrences(of: "swr", with: "stale-while-revalidate=100")
    #expect(Rules.word(Rules.decide(["Cache-Control": value], after: after, request: request)) == expected)
  }

  private func rescued(
    _ failure: CachePolicy.Failure, _ control: String, after: Double, _ request: HTTPHeaders = [:],
    preference: CacheQuery.Preference = .standard
  ) -> Bool {
    let stored = Rules.stored(["Cache-Control": control])
    let query = Rules.query(request, preference: preference)
    let reuse = Rules.strict.decideOnFailure(failure, query, stored: stored, now: Rules.epoch + after)
    if let reuse { #expect(reuse.permission == .staleIfError && reuse.age == after) }
    return reuse != nil
  }

  @Test(
    "stale-if-error stands in for 500, 502, 503 and 504 for its time, by the response's or the request's leave",
    arguments: [
      (503, "max-age=60, stale-if-error=100", 160.0, [:], true),
      (503, "max-age=60, stale-if-error=100", 161, [:], false), (503, "max-age=60", 61, [:], false),
      (503, "max-age=60", 100, ["Cache-Control": "stale-if-error=40"], true),
      (503, "max-age=60", 101, ["Cache-Control": "stale-if-error=40"], false),
      (500, "max-age=60, stale-if-error=100", 70, [:], true), (502, "max-age=60, stale-if-error=100", 70, [:], true),
      (504, "max-age=60, stale-if-error=100", 70, [:], true), (501, "max-age=60, stale-if-error=100", 70, [:], false),
      (404, "max-age=60, stale-if-error=100", 70, [:], false),
      (503, "max-age=60, stale-if-error=100, must-revalidate", 70, [:], false),
      (503, "max-age=60, stale-if-error=100, no-cache", 70, [:], false),
    ] as [(Int, String, Double, HTTPHeaders, Bool)])
  func staleIfError(_ status: Int, _ control: String, _ after: Double, _ request: HTTPHeaders, _ expected: Bool) {
    #expect(rescued(.status(status), control, after: after, request) == expected)
  }

  @Test("without a server any age will do, unless the response or the request forbids it (RFC 9111, section 4.2.4)")
  func unreachable() {
    #expect(rescued(.unreachable, "max-age=60", after: 1e6))
    #expect(rescued(.unreachable, "max-age=0", after: 1))
    #expect(!rescued(.unreachable, "max-age=60, must-revalidate", after: 61))
    #expect(!rescued(.unreachable, "max-age=60, no-cache", after: 1))
    for directive in ["no-cache", "no-store", "max-age=5", "min-fresh=5"] {
      #expect(!rescued(.unreachable, "max-age=60", after: 61, ["Cache-Control": directive]), "\(directive)")
    }
    for preference in [CacheQuery.Preference.reload, .revalidate] {
      #expect(!rescued(.unreachable, "max-age=60", after: 61, preference: preference))
    }
  }

  @Test("an immutable response is not asked about while fresh, on a reload either; later it is")
  func immutable() {
    func word(_ control: String, _ after: Double) -> String {
      Rules.word(Rules.decide(["Cache-Control": control], after: after, preference: .revalidate))
    }
    #expect(word("max-age=60, immutable", 59) == "use")
    #expect(word("max-age=60, immutable", 60) == "fetch stale")
    #expect(word("max-age=60", 59) == "fetch requestDirective")
  }
}
