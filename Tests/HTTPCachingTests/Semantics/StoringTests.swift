import Foundation
import Testing

@testable import HTTPCaching

@Suite("RFC 9111, section 3: storing")
struct StoringTests {
  private func decide(
    _ status: Int, _ headers: HTTPHeaders, _ request: HTTPHeaders = [:], method: String = "GET",
    policy: CachePolicy = Rules.strict
  ) -> CachePolicy.StoreDecision {
    policy.mayStore(
      Rules.query(request, method: method), Rules.response(headers, status: status), received: Rules.epoch)
  }

  @Test(
    "3: by status and what the server says",
    arguments: [
      (200, "max-age=60", .store), (200, "private, max-age=60", .store), (200, "public", .ignore(.noFreshness)),
      (200, "", .ignore(.noFreshness)), (200, "max-age=60, no-store", .ignore(.noStore)),
      (204, "max-age=60", .store), (301, "max-age=60", .store), (404, "max-age=60", .store), (410, "max-age=9", .store),
      (302, "max-age=60", .store), (302, "", .ignore(.status)), (403, "", .ignore(.status)),
      (500, "", .ignore(.status)),
      (503, "max-age=5", .store), (599, "max-age=5", .store), (599, "max-age=5, must-understand", .ignore(.status)),
      (206, "max-age=60", .ignore(.status)), (304, "max-age=60", .ignore(.status)),
      (103, "max-age=9", .ignore(.status)),
      (404, "", .ignore(.noFreshness)), (404, "no-store", .ignore(.noStore)),
      (200, "max-age=60, no-store, must-understand", .store), (404, "max-age=60, no-store, must-understand", .store),
      (200, "no-cache", .ignore(.noFreshness)), (200, "max-age=0", .store),
    ] as [(Int, String, CachePolicy.StoreDecision)])
  func statuses(_ status: Int, _ control: String, _ expected: CachePolicy.StoreDecision) {
    #expect(decide(status, control.isEmpty ? [:] : ["Cache-Control": control]) == expected)
  }

  @Test("what can be asked about is stored though it is never fresh by itself")
  func validators() {
    #expect(decide(200, ["ETag": "\"a\""]) == .store)
    #expect(decide(200, ["ETag": "\"a\"", "Cache-Control": "no-cache"]) == .store)
    #expect(decide(200, ["Last-Modified": Rules.date, "Cache-Control": "no-cache"]) == .store)
    #expect(decide(200, ["Last-Modified": "last week"]) == .ignore(.noFreshness))
  }

  @Test("5.2.1.5: a request with no-store leaves nothing behind")
  func requestNoStore() {
    #expect(decide(200, ["Cache-Control": "max-age=60"], ["Cache-Control": "no-store"]) == .ignore(.requestNoStore))
  }

  @Test("4.1: what varies by everything answers nothing else")
  func variesByEverything() {
    #expect(decide(200, ["Cache-Control": "max-age=60", "Vary": "Accept, *"]) == .ignore(.variesByEverything))
  }

  @Test(
    "requests of other methods, about parts and with conditions of their own are not stored",
    arguments: ["Range", "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"])
  func notCacheable(_ name: String) {
    var request = HTTPHeaders()
    request[name] = "x"
    #expect(decide(200, ["Cache-Control": "max-age=60"], request) == .ignore(.requestNotCacheable))
    for method in ["HEAD", "POST", "OPTIONS", "get"] {
      #expect(decide(200, ["Cache-Control": "max-age=60"], method: method) == .ignore(.requestNotCacheable))
    }
  }

  @Test("a redirected answer is not stored under the address it was asked for")
  func redirected() throws {
    let other = try #require(URL(string: "http://127.0.0.1/other"))
    let response = Rules.response(["Cache-Control": "max-age=60"], url: other)
    #expect(Rules.strict.mayStore(Rules.query(), response, received: Rules.epoch) == .ignore(.redirected))
    // Under a name it is, and a redirect is not.
    var named = Rules.query()
    named.name = "name"
    #expect(Rules.strict.mayStore(named, response, received: Rules.epoch) == .store)
    let redirect = Rules.response(["Cache-Control": "max-age=60", "Location": "/b"], status: 301)
    #expect(Rules.strict.mayStore(named, redirect, received: Rules.epoch) == .ignore(.redirected))
    #expect(Rules.strict.mayStore(Rules.query(), redirect, received: Rules.epoch) == .store)
  }

  @Test("3.1: fields of the connection, and those it names, are not kept")
  func fields() {
    let headers: HTTPHeaders = [
      "Connection": "close, X-Hop", "Keep-Alive": "1", "Transfer-Encoding": "chunked", "x-hop": "1", "TE": "x",
      "Upgrade": "h2c", "Trailer": "x", "Proxy-Authenticate": "x", "ETag": "\"a\"", "X-Other": "1",
    ]
    #expect(headers.storable == ["ETag": "\"a\"", "X-Other": "1"])
  }

  @Test("a loader that ignores its servers keeps every 200, for the time it was given")
  func ignoringServers() {
    let policy = CachePolicy(defaultLifetime: nil, fixedLifetime: 10)
    for control in ["no-store", "no-cache", "max-age=0, must-revalidate", ""] {
      let headers: HTTPHeaders = ["Cache-Control": control, "Expires": "0", "Vary": "Accept"]
      #expect(decide(200, headers, policy: policy) == .store)
      #expect(Rules.word(Rules.decide(headers, after: 9, policy: policy)) == "use")
      #expect(Rules.word(Rules.decide(headers, after: 10, policy: policy)) == "fetch stale")
      #expect(Rules.word(Rules.decide(headers, after: 1, request: ["Accept": "x"], policy: policy)) == "fetch variant")
    }
    #expect(decide(404, ["Cache-Control": "max-age=60"], policy: policy) == .ignore(.status))
    #expect(decide(200, [:], ["Cache-Control": "no-store"], policy: policy) == .ignore(.requestNoStore))
  }
}

@Suite("RFC 9111, sections 4 and 5.2.1: what a request may be answered with")
struct RequestTests {
  @Test(
    "5.2.1: a request can refuse what is stored",
    arguments: [
      (["Cache-Control": "no-cache"], "fetch requestDirective"),
      (["Cache-Control": "no-store"], "fetch requestDirective"),
      (["Cache-Control": "max-age=0"], "fetch requestDirective"),
      (["Cache-Control": "max-age=9"], "fetch requestDirective"),
      (["Cache-Control": "max-age=10"], "use"), (["Cache-Control": "max-age=x"], "fetch requestDirective"),
      (["Cache-Control": "min-fresh=50"], "use"), (["Cache-Control": "min-fresh=51"], "fetch requestDirective"),
      (["Cache-Control": "min-fresh=x"], "fetch requestDirective"), (["Pragma": "no-cache"], "fetch requestDirective"),
      (["Pragma": "no-cache", "Cache-Control": "max-age=60"], "use"), (["Cache-Control": "only-if-cached"], "use"),
      (["Cache-Control": "max-age=5, max-stale=100"], "fetch requestDirective"), (["Cache-Control": "rubbish"], "use"),
    ] as [(HTTPHeaders, String)])
  func directives(_ request: HTTPHeaders, _ expected: String) {
    #expect(Rules.word(Rules.decide(["Cache-Control": "max-age=60"], after: 10, request: request)) == expected)
  }

  @Test("5.2.1.7: only-if-cached fails where the network would be needed")
  func onlyIfCached() {
    let request: HTTPHeaders = ["Cache-Control": "only-if-cached"]
    #expect(Rules.word(Rules.decide(["Cache-Control": "max-age=60"], after: 60, request: request)) == "fail stale")
    #expect(Rules.strict.decide(Rules.query(request), stored: nil, now: Rules.epoch) == .fail(.nothingStored))
    let varying: HTTPHeaders = ["Cache-Control": "max-age=60", "Vary": "Accept"]
    #expect(Rules.word(Rules.decide(varying, after: 1, request: request, first: ["Accept": "x"])) == "fail variant")
  }

  @Test(
    "a request's cache policy goes before the rules",
    arguments: [
      (.standard, 59, "use"), (.standard, 60, "revalidate stale"), (.reload, 1, "fetch requestDirective"),
      (.revalidate, 1, "revalidate requestDirective"), (.storedElseLoad, 1e6, "use cachePolicy"),
      (.storedOnly, 1e6, "use cachePolicy"),
    ] as [(CacheQuery.Preference, Double, String)])
  func preferences(_ preference: CacheQuery.Preference, _ after: Double, _ expected: String) {
    let headers: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"a\""]
    #expect(Rules.word(Rules.decide(headers, after: after, preference: preference)) == expected)
    let empty = Rules.word(Rules.strict.decide(Rules.query(preference: preference), stored: nil, now: Rules.epoch))
    #expect(empty == (preference == .storedOnly ? "fail nothingStored" : "fetch nothingStored"))
  }

  @Test("5.2.2.4: no-cache is not used without asking; with fields, all but those is")
  func noCache() {
    #expect(Rules.decide(["Cache-Control": "max-age=60, no-cache"], after: 1) == .fetch(.responseDirective))
    #expect(
      Rules.decide(["Cache-Control": "max-age=60, no-cache=\"Set-Cookie\""], after: 1)
        == .use(.init(age: 1, lifetime: 60, withheldFields: ["Set-Cookie"])))
    #expect(
      Rules.decide(["Cache-Control": "no-cache=\"a\", max-age=60, no-cache"], after: 1) == .fetch(.responseDirective))
  }

  @Test("4: GET answers GET and HEAD, and no other method; conditions for the origin alone go to it")
  func methods() {
    func word(_ method: String, _ headers: HTTPHeaders = [:]) -> String {
      Rules.word(
        Rules.strict.decide(
          Rules.query(headers, method: method), stored: Rules.stored(["Cache-Control": "max-age=60", "ETag": "\"a\""]),
          now: Rules.epoch + 1))
    }
    #expect(word("GET") == "use" && word("HEAD") == "use")
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "get", "BREW"] {
      #expect(word(method) == "fetch requestNotCacheable")
    }
    #expect(word("GET", ["If-Match": "\"a\""]) == "fetch requestNotCacheable")
    #expect(word("GET", ["If-Unmodified-Since": Rules.date]) == "fetch requestNotCacheable")
    #expect(word("GET", ["If-None-Match": "\"a\""]) == "use")
    #expect(word("GET", ["Range": "bytes=0-1"]) == "use")
  }

  @Test("4.3.2: what the caller compares or cuts for itself is not mixed with a comparison of ours")
  func callersConditions() {
    for headers in [["If-None-Match": "\"b\""], ["Range": "bytes=0-1"]] as [HTTPHeaders] {
      let decision = Rules.decide(["Cache-Control": "max-age=60", "ETag": "\"a\""], after: 60, request: headers)
      #expect(Rules.word(decision) == "fetch stale")
    }
  }
}
