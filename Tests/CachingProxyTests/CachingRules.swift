import Foundation
import HTTPCaching
import Testing

/// One request, what the origin would answer, and who is to have answered.
struct Step: Sendable {
  enum Source: Sendable {
    /// The origin, with what it says now.
    case origin
    /// What is stored, and the origin was not asked.
    case cache
    /// What is stored, and the origin has said that it holds.
    case confirmed
    /// A status of the proxy's own.
    case proxy(Int)
  }

  var method = "GET"
  var target = "/"
  var request: [String] = []
  /// Seconds that pass before it.
  var wait = 0.0
  var status = 200
  var response: [(String, String)] = []
  var source: Source

  static func get(
    _ response: [(String, String)] = [], _ request: [String] = [], status: Int = 200, after wait: Double = 0,
    target: String = "/", from source: Source
  ) -> Step {
    Step(target: target, request: request, wait: wait, status: status, response: response, source: source)
  }

  static func head(from source: Source) -> Step { Step(method: "HEAD", source: source) }

  static func send(
    _ method: String, _ response: [(String, String)] = [], status: Int = 200, target: String = "/"
  ) -> Step {
    Step(method: method, target: target, status: status, response: response, source: .origin)
  }
}

/// A rule of RFC 9111 or one beside it, as requests one after another.
struct Rule: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var steps: [Step]

  init(_ description: String, _ steps: Step...) {
    testDescription = description
    self.steps = steps
  }

  /// The first answer is stored, or is not: seen by a second request, so many seconds later.
  static func stored(
    _ description: String, _ response: [(String, String)], status: Int = 200, after wait: Double = 0,
    from source: Step.Source = .cache, request: [String] = [], again: [String] = []
  ) -> Rule {
    Rule(
      description, .get(response, request, status: status, from: .origin),
      .get(response, again, status: status, after: wait, from: source))
  }
}

private let hour = ("Cache-Control", "max-age=3600")
private let second = ("Cache-Control", "max-age=1")
private let tag = ("ETag", "\"1\"")
/// The stage's clock begins at 2026-01-01 00:00:00.
private let dates = (
  before: "Wed, 31 Dec 2025 23:00:00 GMT", start: "Thu, 01 Jan 2026 00:00:00 GMT",
  after: "Thu, 01 Jan 2026 01:00:00 GMT"
)

/// By section of RFC 9111, and RFC 5861.
enum CachingRules {
  static let freshness: [Rule] = [
    .stored("max-age is fresh until then", [hour], after: 3599),
    .stored("max-age is stale from then on", [hour], after: 3601, from: .origin),
    .stored("max-age=0 is never fresh", [("Cache-Control", "max-age=0")], from: .origin),
    .stored("Expires is fresh until then", [("Expires", dates.after)], after: 3599),
    .stored("Expires is stale from then on", [("Expires", dates.after)], after: 3601, from: .origin),
    .stored("an Expires in the past is stale", [("Expires", dates.before)], from: .origin),
    .stored("an Expires that is no date is stale", [("Expires", "0")], from: .origin),
    .stored("an Expires that is nearly a date is", [("Expires", "Thu, 1 Jan 2026 01:00:00 GMT")], from: .origin),
    .stored("an Expires in other letters is fresh until then", [("Expires", dates.after.uppercased())], after: 3599),
    .stored("Expires is compared with Date", [("Expires", dates.after), ("Date", dates.after)], from: .origin),
    .stored("max-age goes before Expires", [hour, ("Expires", dates.before)]),
    .stored(
      "max-age=0 goes before Expires", [("Cache-Control", "max-age=0"), ("Expires", dates.after)], from: .origin),
    .stored("Age counts", [hour, ("Age", "3000")], after: 500),
    .stored("Age counts up to the end", [hour, ("Age", "3000")], after: 700, from: .origin),
    .stored("an old Date counts as age", [hour, ("Date", dates.before)], after: 1, from: .origin),
    .stored("a Date in the future does not add freshness", [hour, ("Date", dates.after)], after: 3601, from: .origin),
    .stored("s-maxage is for shared caches", [("Cache-Control", "s-maxage=3600, max-age=1")], after: 5, from: .origin),
    .stored("nothing said: asked every time", [], from: .origin),
    .stored(
      "Last-Modified alone: a tenth of its age", [("Last-Modified", "Mon, 22 Dec 2025 00:00:00 GMT")], after: 80_000),
    .stored(
      "Last-Modified alone: no longer than that", [("Last-Modified", "Mon, 22 Dec 2025 00:00:00 GMT")], after: 90_000,
      from: .confirmed),
  ]

  static let directives: [Rule] = [
    .stored("no-store", [("Cache-Control", "max-age=3600, no-store")], from: .origin),
    .stored("no-cache without a validator", [("Cache-Control", "max-age=3600, no-cache")], from: .origin),
    .stored("no-cache with one", [("Cache-Control", "max-age=3600, no-cache"), tag], from: .confirmed),
    .stored("private is for this cache", [("Cache-Control", "private, max-age=3600")]),
    .stored("directives in any case", [("Cache-Control", "MaX-aGe=3600")]),
    .stored("unknown directives", [("Cache-Control", "foo, max-age=3600, bar=\"a, max-age=0\"")]),
    .stored(
      "directives in two lines", [("Cache-Control", "max-age=3600"), ("Cache-Control", "no-store")], from: .origin),
    .stored("a quoted max-age", [("Cache-Control", "max-age=\"3600\"")], after: 10),
    .stored("a max-age that is no number", [("Cache-Control", "max-age=1h")], from: .origin),
    .stored("a negative max-age", [("Cache-Control", "max-age=-3600")], from: .origin),
    .stored("a max-age beyond all numbers", [("Cache-Control", "max-age=99999999999999999999")], after: 1e8),
    .stored("two max-ages: the smaller", [("Cache-Control", "max-age=3600, max-age=1")], after: 5, from: .origin),
    .stored("Pragma in a response says nothing", [hour, ("Pragma", "no-cache")]),
    .stored(
      "must-understand with a status that is understood", [("Cache-Control", "no-store, must-understand, max-age=9")]),
    .stored("Vary: *", [hour, ("Vary", "*")], from: .origin),
  ]

  static let requests: [Rule] = [
    .stored("request no-cache", [hour, tag], from: .confirmed, again: ["Cache-Control: no-cache"]),
    .stored("request Pragma: no-cache", [hour, tag], from: .confirmed, again: ["Pragma: no-cache"]),
    .stored(
      "Pragma beside Cache-Control says nothing", [hour, tag], again: ["Pragma: no-cache", "Cache-Control: max-stale"]),
    .stored("request no-store is not stored", [hour], from: .origin, request: ["Cache-Control: no-store"]),
    .stored("request max-age", [hour], after: 10, from: .origin, again: ["Cache-Control: max-age=5"]),
    .stored("request max-age that is kept", [hour], after: 4, again: ["Cache-Control: max-age=5"]),
    .stored("request min-fresh", [hour], from: .origin, again: ["Cache-Control: min-fresh=3601"]),
    .stored("request max-stale", [second], after: 5, again: ["Cache-Control: max-stale=10"]),
    .stored(
      "request max-stale that is too little", [second], after: 50, from: .origin, again: ["Cache-Control: max-stale=10"]
    ),
    .stored(
      "must-revalidate goes before max-stale", [("Cache-Control", "max-age=1, must-revalidate")], after: 5,
      from: .origin,
      again: ["Cache-Control: max-stale"]),
    Rule("only-if-cached without anything", .get([], ["Cache-Control: only-if-cached"], from: .proxy(504))),
    .stored("only-if-cached with something", [hour], again: ["Cache-Control: only-if-cached"]),
    .stored("another user's answer is not given", [hour], from: .origin, again: ["Authorization: Basic x"]),
    .stored("a user's own answer is", [hour], request: ["Authorization: Basic x"], again: ["Authorization: Basic x"]),
  ]

  static let statuses: [Rule] = explicit + silent + heuristic

  private static let explicit = [
    200, 203, 204, 299, 300, 301, 302, 307, 308, 400, 403, 404, 405, 410, 414, 451, 499, 500, 501, 502, 503, 504, 599,
  ].map { Rule.stored("\($0) with freshness", [hour], status: $0) }

  private static let silent = [201, 202, 302, 403, 500, 503].map {
    Rule.stored("\($0) without", [("Last-Modified", "Mon, 01 Dec 2025 00:00:00 GMT")], status: $0, from: .origin)
  }

  private static let heuristic = [200, 203, 204, 404, 410].map {
    Rule.stored("\($0) by Last-Modified", [("Last-Modified", "Mon, 01 Dec 2025 00:00:00 GMT")], status: $0)
  }

  static let variants: [Rule] = [
    .stored("Vary by a field that is the same", [hour, ("Vary", "Foo")], request: ["Foo: 1"], again: ["Foo: 1"]),
    .stored(
      "Vary by one that differs", [hour, ("Vary", "Foo")], from: .origin, request: ["Foo: 1"], again: ["Foo: 2"]),
    .stored("Vary by one that has gone", [hour, ("Vary", "Foo")], from: .origin, request: ["Foo: 1"]),
    .stored(
      "Vary with white space normalised", [hour, ("Vary", "Foo")], request: ["Foo: 1,2"], again: ["foo: 1 ,  2"]),
    .stored(
      "Vary by two", [hour, ("Vary", "Foo, Bar")], from: .origin, request: ["Foo: 1", "Bar: 1"],
      again: ["Foo: 1", "Bar: 2"]),
    Rule(
      "variants live side by side",
      .get([hour, ("Vary", "Foo")], ["Foo: 1"], from: .origin),
      .get([hour, ("Vary", "Foo")], ["Foo: 2"], from: .origin),
      .get([], ["Foo: 1"], from: .cache), .get([], ["Foo: 2"], from: .cache)),
  ]

  static let validation: [Rule] = [
    .stored("a stale answer with an ETag is asked about", [second, tag], after: 5, from: .confirmed),
    .stored(
      "a stale answer with Last-Modified is", [second, ("Last-Modified", dates.before)], after: 5, from: .confirmed),
    .stored("one with neither is fetched", [second], after: 5, from: .origin),
    Rule(
      "what is confirmed is fresh again", .get([second, tag], from: .origin),
      .get([hour, tag], after: 5, from: .confirmed), .get([], after: 3000, from: .cache)),
    Rule(
      "what has changed takes the place of what was", .get([second, tag], from: .origin),
      .get([hour, ("ETag", "\"2\"")], after: 5, from: .origin), .get([], after: 5, from: .cache)),
  ]

  static let invalidation: [Rule] =
    unsafe + safe + [
      Rule("a POST that failed", .get([hour], from: .origin), .send("POST", status: 500), .get(from: .cache)),
      Rule(
        "Location and Content-Location", .get([hour], target: "/a", from: .origin),
        .get([hour], target: "/b", from: .origin),
        .send("POST", [("Location", "/a"), ("Content-Location", "/b")]), .get([hour], target: "/a", from: .origin),
        .get([hour], target: "/b", from: .origin)),
      Rule(
        "a Location of another origin", .get([hour], target: "/a", from: .origin),
        .send("POST", [("Location", "http://other.test/a")], target: "/b"), .get(target: "/a", from: .cache)),
      Rule("a POST is not stored", .send("POST", [hour]), .send("POST", [hour]), .get([hour], from: .origin)),
    ]

  private static let unsafe = ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH"].map {
    Rule("\($0) makes void", .get([hour], from: .origin), .send($0), .get([hour], from: .origin))
  }

  private static let safe = [
    Rule("OPTIONS does not", .get([hour], from: .origin), .send("OPTIONS"), .get(from: .cache)),
    Rule("HEAD does not", .get([hour], from: .origin), .head(from: .cache), .get(from: .cache)),
  ]

  static let stalePermissions: [Rule] = [
    Rule(
      "stale-if-error", .get([("Cache-Control", "max-age=1, stale-if-error=60")], from: .origin),
      .get(status: 503, after: 30, from: .cache), .get(status: 503, after: 60, from: .origin)),
    Rule("an error without it", .get([second], from: .origin), .get(status: 503, after: 30, from: .origin)),
    .stored(
      "stale-while-revalidate that is over", [("Cache-Control", "max-age=1, stale-while-revalidate=10")], after: 30,
      from: .origin),
  ]
}
