import Foundation
import HTTPCaching
import Synchronized
import Testing
import VignetteTesting

@testable import CachingProxy

@Suite("The fields of stored responses, through the proxy", .timeLimit(.minutes(2)))
struct StoredFieldTests {
  /// A field, its value with the body, and another with a 304.
  static let updated: [(String, String, String)] = [
    ("Test-Header", "a", "b"), ("Content-Foo", "a", "b"), ("Content-Location", "/foo", "/bar"),
    ("Set-Cookie", "a=b", "a=c"),
    ("X-Frame-Options", "deny", "sameorigin"),
    ("Expires", "Thu, 01 Jan 2026 00:00:01 GMT", "Fri, 01 Jan 2038 00:00:00 GMT"),
    ("Content-Security-Policy", "default-src 'self'", "default-src 'none'"),
  ]

  @Test(
    "a 304 puts its fields on what is stored and on what is answered (RFC 9111, section 3.2)", arguments: updated,
    [("ETag", "\"1\""), ("Last-Modified", "Wed, 31 Dec 2025 00:00:00 GMT")])
  func update(_ field: (String, String, String), _ validator: (String, String)) async throws {
    let stage = try ProxyStage { request in
      var answer = ScriptedServer.Response(status: request.number == 1 ? 200 : 304)
      answer.body = request.number == 1 ? Data("hello".utf8) : Data()
      return answer.header("Cache-Control", request.number == 1 ? "max-age=1" : "max-age=600").header("Kept", "1")
        .header(validator.0, validator.1).header(field.0, request.number == 1 ? field.1 : field.2)
    }
    #expect(try await stage.send().headers.values(of: field.0) == [field.1])
    stage.clock.advance(by: 5)
    for asked in [2, 2] {
      let response = try await stage.send()
      #expect(response.status == 200)
      #expect(response.text == "hello")
      #expect(response.headers.values(of: field.0) == [field.2])
      #expect(response.headers["Content-Length"] == "5")
      #expect(stage.origin.log.totalRequests == asked)
    }
  }

  @Test("what a 304 leaves out stays")
  func kept() async throws {
    let stage = try ProxyStage { request in
      request.number == 1
        ? .text("hello").header("Kept", "1").cacheControl("max-age=1").header("ETag", "\"1\"") : .status(304)
    }
    _ = try await stage.send()
    stage.clock.advance(by: 5)
    let response = try await stage.send()
    #expect(response.headers["Kept"] == "1")
    #expect(response.text == "hello")
  }

  @Test("Age is said and grows, Date stays (sections 4 and 5.1)", arguments: [nil, 30])
  func age(_ before: Int?) async throws {
    let stage = try ProxyStage { _ in
      let answer = ScriptedServer.Response.text("x").cacheControl("max-age=600")
      return before.map { answer.header("Age", "\($0)") } ?? answer
    }
    let date = try await stage.send().headers["Date"]
    stage.clock.advance(by: 10)
    let response = try await stage.send()
    #expect(response.headers["Age"] == "\(10 + (before ?? 0))")
    #expect(response.headers["Date"] == date)
  }

  @Test("fields of a connection, and those Connection names, are neither stored nor passed on (section 3.1)")
  func hopByHop() async throws {
    let stage = try ProxyStage { _ in
      .text("x").cacheControl("max-age=600").header("Connection", "a, B").header("a", "1").header("b", "2").header(
        "c", "3"
      )
      .header("Proxy-Authenticate", "Basic").header("Upgrade", "x").header("TE", "x").header("Keep-Alive", "timeout=5")
    }
    for _ in 0..<2 {
      let headers = try await stage.send().headers
      #expect(headers["c"] == "3")
      for name in ["a", "b", "Proxy-Authenticate", "Upgrade", "TE", "Keep-Alive"] { #expect(headers[name] == nil) }
      #expect(headers["Connection"] == "close")
    }
  }

  @Test("fields that no-cache names are not reused without asking (section 5.2.2.4)")
  func noCacheFields() async throws {
    let stage = try ProxyStage { _ in
      .text("x").cacheControl("max-age=600, no-cache=\"a, b\"").header("a", "1").header("b", "2").header("c", "3")
    }
    #expect(try await stage.send().headers["a"] == "1")
    let headers = try await stage.send().headers
    #expect(headers["Cache-Status"]?.hasPrefix("Vignette; hit") == true)
    #expect(headers["a"] == nil && headers["b"] == nil)
    #expect(headers["c"] == "3")
  }

  @Test(
    "without an origin a stale response is served, unless it forbids that (section 4.2.4)",
    arguments: [("", true), (", stale-if-error=60", true), (", must-revalidate", false), (", no-cache", false)])
  func disconnected(_ directive: String, _ isServed: Bool) async throws {
    let stage = try ProxyStage { request in
      request.number == 1
        ? .text("kept").cacheControl("max-age=2\(directive)").header("ETag", "\"1\"") : .resetBeforeHeaders
    }
    _ = try await stage.send()
    stage.clock.advance(by: 5)
    let response = try await stage.send()
    #expect(response.status == (isServed ? 200 : 502))
    #expect((response.text == "kept") == isServed)
  }

  @Test(
    "a condition is judged by what is stored and fresh (RFC 9110, section 13)",
    arguments: [
      ("If-None-Match: \"abc\"", 304), ("If-None-Match: W/\"abc\"", 304), ("If-None-Match: \"x\", \"abc\", \"y\"", 304),
      ("If-None-Match: \"x\",\"abc\"", 304), ("If-None-Match: *", 304), ("If-None-Match: \"ab\"", 200),
      ("If-None-Match: abc", 200), ("If-Modified-Since: Wed, 31 Dec 2025 00:00:00 GMT", 304),
      ("If-Modified-Since: Tue, 30 Dec 2025 00:00:00 GMT", 200), ("If-Modified-Since: yesterday", 200),
      ("If-None-Match: \"x\"\r\nIf-Modified-Since: Wed, 31 Dec 2025 00:00:00 GMT", 200),
      ("Range: bytes=0-1", 206), ("Range: bytes=1-", 206), ("Range: bytes=-1", 206), ("Range: bytes=9-", 416),
      ("Range: lines=1-2", 200), ("Range: bytes=0-1\r\nIf-Range: \"abc\"", 206),
      ("Range: bytes=0-1\r\nIf-Range: \"x\"", 200),
      ("Range: bytes=0-1\r\nIf-None-Match: \"abc\"", 304),
    ])
  func conditions(_ fields: String, _ status: Int) async throws {
    let stage = try ProxyStage { _ in
      .text("hello").cacheControl("max-age=600").header("ETag", "\"abc\"")
        .header("Last-Modified", "Wed, 31 Dec 2025 00:00:00 GMT")
    }
    _ = try await stage.send()
    let response = try await stage.send("GET", "/", [fields])
    #expect(response.status == status)
    #expect(stage.origin.log.totalRequests == 1)
    if status == 304 { #expect(response.headers["ETag"] == "\"abc\"") }
    if status == 206 { #expect(response.headers["Content-Range"]?.hasSuffix("/5") == true) }
    if status == 416 { #expect(response.headers["Content-Range"] == "bytes */5") }
  }

  @Test("a HEAD that finds nothing changed makes what is stored fresh again (section 4.3.5)")
  func head() async throws {
    let stage = try ProxyStage { request in
      .text("hello").cacheControl(request.number == 1 ? "max-age=1" : "max-age=600").header("ETag", "\"1\"")
        .header("A", "\(request.number)")
    }
    _ = try await stage.send()
    stage.clock.advance(by: 5)
    _ = try await stage.send("HEAD")
    let response = try await stage.send()
    #expect(stage.origin.log.totalRequests == 2)
    #expect(response.headers["A"] == "2")
    #expect(response.text == "hello")
  }
}
