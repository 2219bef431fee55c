import Foundation
import Testing

@testable import HTTPCaching

@Suite("RFC 9111, section 4.1: variants")
struct VariantTests {
  @Test("4.1: Vary asks for equal request fields, names without case, values with any space around commas")
  func vary() {
    let stored: HTTPHeaders = ["Cache-Control": "max-age=60", "Vary": "Accept, X-Size"]
    let first: HTTPHeaders = ["Accept": "image/webp, */*"]
    func word(_ request: HTTPHeaders) -> String {
      Rules.word(Rules.decide(stored, after: 1, request: request, first: first))
    }
    #expect(word(["accept": "image/webp, */*"]) == "use")
    #expect(word(["Accept": "image/webp ,*/*"]) == "use")
    #expect(word(["Accept": "image/png"]) == "fetch variant")
    #expect(word([:]) == "fetch variant")
    #expect(word(["Accept": "image/webp, */*", "X-Size": "2"]) == "fetch variant")
    #expect(word(["Accept": "image/webp, */*", "X-Other": "2"]) == "use")
  }

  @Test("4.1: * matches nothing, alone or in a list, in one field or in several")
  func everything() {
    for vary in [["Vary": "*"], ["Vary": "Accept, *"], ["Vary": "Accept", "vary": "*"]] as [HTTPHeaders] {
      let headers = HTTPHeaders([.init(name: "Cache-Control", value: "max-age=60")] + vary.fields)
      #expect(Rules.word(Rules.decide(headers, after: 1)) == "fetch variant")
    }
  }

  @Test("4.1: of several that match the newest by Date answers")
  func newest() {
    let old = Rules.stored(["Date": "Sun, 06 Nov 1994 08:00:00 GMT"], id: 3)
    let new = Rules.stored(["Date": Rules.date], id: 1)
    let other = Rules.stored(
      ["Date": "Mon, 07 Nov 1994 08:00:00 GMT", "Vary": "Accept"], request: ["Accept": "x"], id: 2)
    #expect(Variants.newest(of: [old, new, other], for: [:]) == 1)
    #expect(Variants.newest(of: [old, new, other], for: ["Accept": "x"]) == 2)
    #expect(Variants.newest(of: [other], for: [:]) == nil)
  }
}

@Suite("RFC 9111, section 4.3: validation")
struct ValidationTests {
  @Test(
    "4.3.1: a request carries the validators that are stored, the first of each, and only those",
    arguments: [
      (["ETag": "\"a\""], ["If-None-Match": "\"a\""]), (["ETag": "W/\"a\""], ["If-None-Match": "W/\"a\""]),
      (["Last-Modified": Rules.date], ["If-Modified-Since": Rules.date]),
      (
        ["ETag": "\"a\"", "etag": "\"b\"", "Last-Modified": Rules.date],
        ["If-None-Match": "\"a\"", "If-Modified-Since": Rules.date]
      ),
      (["Last-Modified": "once"], nil), (["ETag": ""], nil), ([:], nil),
    ] as [(HTTPHeaders, HTTPHeaders?)])
  func conditions(_ headers: HTTPHeaders, _ expected: HTTPHeaders?) {
    #expect(Validation.conditions(for: Rules.response(headers)) == expected)
    var stale = headers
    stale["Cache-Control"] = "max-age=0"
    let reason = CachePolicy.Reason.stale(age: 1, lifetime: 0)
    #expect(Rules.decide(stale, after: 1) == expected.map { .revalidate($0, reason) } ?? .fetch(reason))
  }

  @Test(
    "4.3.4: a 304 is about what has the same validator; one without any, about what has none",
    arguments: [
      (["ETag": "\"a\""], ["ETag": "\"a\""], .same), (["ETag": "\"a\""], ["ETag": "\"b\""], .different),
      (["ETag": "W/\"a\""], ["ETag": "\"a\""], .same), (["ETag": "\"a\""], [:], .untold),
      (["Last-Modified": Rules.date], [:], .untold), ([:], [:], .same),
      (["ETag": "\"a\""], ["Last-Modified": Rules.date], .untold), ([:], ["Last-Modified": Rules.date], .untold),
      ([:], ["ETag": "\"a\""], .different), (["Last-Modified": Rules.date], ["Last-Modified": Rules.date], .same),
      (["Last-Modified": Rules.date], ["Last-Modified": "Sun Nov  6 08:49:37 1994"], .same),
      (["Last-Modified": Rules.date], ["Last-Modified": "Mon, 07 Nov 1994 08:49:37 GMT"], .different),
    ] as [(HTTPHeaders, HTTPHeaders, Validation.Verdict)])
  func confirmation(_ stored: HTTPHeaders, _ answer: HTTPHeaders, _ expected: Validation.Verdict) {
    #expect(Validation.verdict(Rules.response(answer, status: 304), on: Rules.response(stored)) == expected)
  }

  @Test("3.2: a 304 replaces fields, keeps those it does not name and those that describe the body, and makes it young")
  func freshening() {
    let stored = Rules.stored([
      "ETag": "\"a\"", "Content-Type": "image/png", "Content-Length": "4", "Cache-Control": "max-age=1", "Age": "90",
      "X-Kept": "1", "X-Many": "1", "x-many": "2",
    ])
    let answer = Rules.response(
      [
        "Cache-Control": "max-age=60", "X-Many": "3", "Content-Length": "0", "Content-Type": "text/html",
        "Content-Encoding": "gzip", "Connection": "close, X-Hop", "X-Hop": "1", "Date": Rules.date,
      ], status: 304)
    let later = Rules.epoch + 1000
    let fresh = Validation.freshened(stored, by: answer, requested: later, received: later)
    #expect(
      fresh.response.headers == [
        "ETag": "\"a\"", "Content-Type": "image/png", "Content-Length": "4", "X-Kept": "1",
        "Cache-Control": "max-age=60", "X-Many": "3", "Date": Rules.date,
      ])
    #expect(fresh.id == stored.id && fresh.response.status == 200 && fresh.responseTime == later)
  }

  @Test("4.3.5: a HEAD confirms by validators and length")
  func head() {
    let stored = Rules.stored(["ETag": "\"a\""], length: 4)
    func verdict(_ headers: HTTPHeaders) -> Validation.Verdict {
      Validation.verdict(head: Rules.response(headers), on: stored)
    }
    #expect(verdict(["ETag": "\"a\"", "Content-Length": "4"]) == .same && verdict(["ETag": "\"a\""]) == .same)
    #expect(verdict([:]) == .untold && verdict(["Content-Length": "4"]) == .untold)
    #expect(verdict(["ETag": "\"b\"", "Content-Length": "4"]) == .different)
    #expect(verdict(["ETag": "\"a\"", "Content-Length": "5"]) == .different)
  }
}

@Suite("RFC 9111, section 4.4: invalidation")
struct InvalidationTests {
  @Test(
    "4.4: unsafe and unknown methods that succeed make their URL void, and those they name of the same origin",
    arguments: [
      ("POST", 200, [:], ["http://h/a"]), ("PUT", 204, [:], ["http://h/a"]), ("DELETE", 302, [:], ["http://h/a"]),
      ("BREW", 200, [:], ["http://h/a"]), ("GET", 200, [:], []), ("HEAD", 200, [:], []), ("OPTIONS", 200, [:], []),
      ("TRACE", 200, [:], []), ("POST", 404, [:], []), ("POST", 500, [:], []),
      ("POST", 201, ["Location": "/b"], ["http://h/a", "http://h/b"]),
      (
        "POST", 201, ["Location": "http://h:80/b", "Content-Location": "c"],
        ["http://h/a", "http://h:80/b", "http://h/c"]
      ),
      ("POST", 201, ["Location": "http://other/b"], ["http://h/a"]),
      ("POST", 201, ["Location": "https://h/b", "Content-Location": ":"], ["http://h/a"]),
    ] as [(String, Int, HTTPHeaders, [String])])
  func urls(_ method: String, _ status: Int, _ headers: HTTPHeaders, _ expected: [String]) throws {
    let url = try #require(URL(string: "http://h/a"))
    let response = Rules.response(headers, status: status, url: url)
    let urls = Invalidation.urls(Rules.query(method: method, url: url), response)
    #expect(urls.map { $0.absoluteString } == expected)
  }
}

@Suite("RFC 9110: a stored response answers comparisons and parts")
struct StoredAnswerTests {
  static let body = Data("0123456789".utf8)
  static let headers: HTTPHeaders = [
    "ETag": "\"a\"", "Last-Modified": Rules.date, "Content-Length": "10", "Content-Type": "image/png",
  ]

  private func answer(_ request: HTTPHeaders, method: String = "GET", status: Int = 200) -> (HTTPResponse, Data) {
    StoredAnswer.make(
      Rules.query(request, method: method), Rules.response(Self.headers, status: status), Self.body)
  }

  @Test(
    "13.2.2: If-None-Match, and without it If-Modified-Since, gets 304 where the caller's copy holds",
    arguments: [
      (["If-None-Match": "\"a\""], 304), (["If-None-Match": "\"x\", W/\"a\""], 304), (["If-None-Match": "*"], 304),
      (["If-None-Match": "\"b\""], 200), (["If-None-Match": "\"b\"", "If-Modified-Since": Rules.date], 200),
      (["If-Modified-Since": Rules.date], 304), (["If-Modified-Since": "Mon, 07 Nov 1994 08:49:37 GMT"], 304),
      (["If-Modified-Since": "Sat, 05 Nov 1994 08:49:37 GMT"], 200), (["If-Modified-Since": "x"], 200),
    ] as [(HTTPHeaders, Int)])
  func comparisons(_ request: HTTPHeaders, _ status: Int) {
    let (response, data) = answer(request)
    #expect(response.status == status && data == (status == 304 ? Data() : Self.body))
    #expect(response.headers["ETag"] == "\"a\"")
    #expect((response.headers["Content-Length"] == nil) == (status == 304))
  }

  @Test(
    "9111, 4.3.2: what does not say when it was changed has not been since it was made",
    arguments: [
      (["Date": Rules.date], Rules.date, 304), (["Date": Rules.date], "Mon, 07 Nov 1994 08:49:37 GMT", 304),
      (["Date": Rules.date], "Sat, 05 Nov 1994 08:49:37 GMT", 200), ([:], Rules.date, 200),
      (["Date": "x"], Rules.date, 200), (["Date": Rules.date, "Last-Modified": "x"], Rules.date, 200),
    ] as [(HTTPHeaders, String, Int)])
  func madeSince(_ stored: HTTPHeaders, _ since: String, _ status: Int) {
    let query = Rules.query(["If-Modified-Since": since])
    let (response, _) = StoredAnswer.make(query, Rules.response(stored), Self.body)
    #expect(response.status == status)
  }

  @Test(
    "14.1: one range of bytes is cut out, one outside is 416, and anything else gets the whole",
    arguments: [
      ("bytes=0-3", 206, "0123", "bytes 0-3/10"), ("bytes=4-", 206, "456789", "bytes 4-9/10"),
      ("bytes=-3", 206, "789", "bytes 7-9/10"), ("bytes=-99", 206, "0123456789", "bytes 0-9/10"),
      ("bytes=8-99", 206, "89", "bytes 8-9/10"), ("BYTES=9-9", 206, "9", "bytes 9-9/10"),
      ("bytes=10-", 416, "", "bytes */10"), ("bytes=-0", 416, "", "bytes */10"),
      ("bytes=99999999999999999999-", 416, "", "bytes */10"),
      ("bytes=0-99999999999999999999", 206, "0123456789", "bytes 0-9/10"),
      ("bytes=3-2", 200, "0123456789", nil), ("bytes=0-1,3-4", 200, "0123456789", nil),
      ("bytes=", 200, "0123456789", nil), ("bytes=-", 200, "0123456789", nil), ("bytes=a-b", 200, "0123456789", nil),
      ("items=0-1", 200, "0123456789", nil), ("", 200, "0123456789", nil), ("bytes=--1", 200, "0123456789", nil),
    ] as [(String, Int, String, String?)])
  func parts(_ range: String, _ status: Int, _ body: String, _ contentRange: String?) {
    let (response, data) = answer(["Range": range])
    #expect(response.status == status && data == Data(body.utf8))
    #expect(response.headers["Content-Range"] == contentRange)
    if status != 416 { #expect(response.headers["Content-Length"] == "\(body.utf8.count)") }
  }

  @Test("13.1.5: If-Range gives the part of the very same body only")
  func ifRange() {
    func status(_ condition: String) -> Int { answer(["Range": "bytes=0-3", "If-Range": condition]).0.status }
    #expect(status("\"a\"") == 206 && status(Rules.date) == 206)
    #expect(status("\"b\"") == 200 && status("W/\"a\"") == 200 && status("Sun Nov  6 08:49:37 1994") == 200)
  }

  @Test("9.3.2: HEAD gets the head, ranges notwithstanding; other statuses are not cut")
  func head() {
    #expect(answer([:], method: "HEAD").1.isEmpty)
    #expect(answer(["Range": "bytes=0-3"], method: "HEAD").0.status == 200)
    #expect(
      answer(["Range": "bytes=0-3", "If-None-Match": "*"], status: 404) == (
        Rules.response(Self.headers, status: 404), Self.body
      ))
  }
}

@Suite("RFC 9211: Cache-Status")
struct CacheStatusTests {
  @Test("the field says hit or why not, and what is no token is a string")
  func descriptions() {
    #expect(CacheStatus(timeToLive: 60).description == "Vignette; hit; ttl=60")
    #expect(
      CacheStatus(timeToLive: -5, detail: "staleWhileRevalidate").description
        == "Vignette; hit; ttl=-5; detail=staleWhileRevalidate")
    let revalidated = CacheStatus(forward: .stale, forwardStatus: 304, timeToLive: 9, isStored: true)
    #expect(revalidated.description == "Vignette; fwd=stale; fwd-status=304; stored; ttl=9")
    #expect(CacheStatus(forward: .uriMiss, detail: "503").description == "Vignette; fwd=uri-miss; detail=\"503\"")
    #expect(
      CacheStatus(forward: .miss, detail: "a \"b\\\u{7}é").description == #"Vignette; fwd=miss; detail="a \"b\\""#)
  }

  @Test("each reason has its word")
  func reasons() {
    let words: [(CachePolicy.Reason, String)] = [
      (.nothingStored, "uri-miss"), (.variant, "vary-miss"), (.requestNotCacheable, "method"),
      (.requestDirective, "request"), (.responseDirective, "stale"), (.noFreshness, "stale"),
      (.clockSetBack, "stale"), (.partial, "partial"), (.stale(age: 1, lifetime: 1), "stale"),
    ]
    for (reason, word) in words { #expect(CacheStatus.Forward(reason).rawValue == word) }
  }
}
