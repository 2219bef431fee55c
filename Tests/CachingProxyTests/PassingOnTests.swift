import Foundation
import HTTPCaching
import Synchronized
import Testing
import VignetteTesting

@testable import CachingProxy

@Suite("What the proxy passes on", .timeLimit(.minutes(2)))
struct PassingOnTests {
  @Test(
    "every method goes to the origin as it is, with its body", arguments: ["POST", "PUT", "DELETE", "PATCH", "PURGE"])
  func methods(_ method: String) async throws {
    let stage = try ProxyStage { .text("\($0.method) \(String(decoding: $0.body, as: UTF8.self))") }
    let response = try await stage.send(method, "/a", ["Content-Length: 4"], body: "body")
    #expect(response.status == 200)
    #expect(response.text == "\(method) body")
    #expect(response.headers["Cache-Status"] == "Vignette; fwd=method; fwd-status=200; ttl=0")
  }

  @Test(
    "the spelling of a method is never another at the origin: where it cannot be sent, it is refused",
    arguments: ["head", "HeAd", "get", "Post", "pUT", "delete", "options", "trace", "patch", "purge", "Own"])
  func methodSpelling(_ method: String) async throws {
    let stage = try ProxyStage { .text($0.method) }
    let response = try await stage.send(method)
    if response.status == 200 {
      #expect(response.text == method)
    } else {
      #expect(response.status == 501)
      #expect(stage.origin.log.totalRequests == 0)
    }
  }

  @Test("what Connection names is named whole: neither blanks inside nor other letters name a field")
  func connectionOptions() async throws {
    let stage = try ProxyStage { _ in .text("") }
    _ = try await stage.send(
      "GET", "/", ["Connection: X H\top, \u{212A}ept ,\tX-GONE\t", "XHop: 1", "Kept: 2", "X-Gone: 3"])
    let headers = try #require(stage.origin.log.last(for: "/")).headers
    #expect(headers["XHop"] == "1")
    #expect(headers["Kept"] == "2")
    #expect(headers["X-Gone"] == nil)
  }

  @Test("a chunked request body arrives whole")
  func chunkedRequest() async throws {
    let stage = try ProxyStage { .data($0.body, type: "text/plain") }
    let body = "5\r\nhello\r\n7\r\n, world\r\n0\r\n\r\n"
    #expect(try await stage.send("POST", "/", ["Transfer-Encoding: chunked"], body: body).text == "hello, world")
  }

  @Test("header fields arrive with their names and values; those of one connection do not")
  func requestFields() async throws {
    let stage = try ProxyStage { _ in .text("") }
    _ = try await stage.send(
      "GET", "/",
      [
        "X-One: 1", "x-ONE: 2", "X-Empty:", "X-Text: grüße; \"a,b\"", "Cookie: a=1", "Cookie: b=2",
        "Accept-Encoding: br", "Authorization: Basic x", "Via: 1.0 other", "Connection: X-Hop", "X-Hop: 1",
        "Keep-Alive: 5", "TE: trailers", "Upgrade: h2c", "Proxy-Authorization: secret", "Range: bytes=0-1",
      ])
    let headers = try #require(stage.origin.log.last(for: "/")).headers
    #expect(headers["X-One"] == "1, 2")
    #expect(headers["X-Empty"] == "")
    #expect(headers["X-Text"] == "grüße; \"a,b\"")
    #expect(headers["Cookie"] == "a=1; b=2")
    #expect(headers["Accept-Encoding"] == "br")
    #expect(headers["Authorization"] == "Basic x")
    #expect(headers["Via"] == "1.0 other, 1.1 vignette")
    #expect(headers["Range"] == "bytes=0-1")
    #expect(headers["Host"] == "127.0.0.1:\(stage.origin.port)")
    #expect(headers["User-Agent"] == nil)
    for name in ["X-Hop", "Keep-Alive", "TE", "Upgrade", "Proxy-Authorization"] { #expect(headers[name] == nil) }
  }

  @Test("the target arrives with its query and its percent-encoding")
  func target() async throws {
    let stage = try ProxyStage { .text($0.target) }
    for target in ["/a%2Fb/%E4?q=a+b&q=%20&&c", "/?", "//x", "/a;b=c,d", "/" + String(repeating: "x", count: 8000)] {
      #expect(try await stage.send("GET", target).text == target)
    }
    #expect(try await stage.send("GET", "http://elsewhere.test/x?y").text == "/x?y")
  }

  @Test(
    "a target that would have to be repaired is refused",
    arguments: [
      "/%zz", "/%", "/a%1", "/%2", "/?q=%g0", "/a{b}", "/a|b", "/a\"b", "/<b>", "/a^b", "/a\\b", "/a`b", "/?q={}",
      "http://elsewhere.test/%zz",
    ])
  func brokenTarget(_ target: String) async throws {
    let stage = try ProxyStage { .text($0.target) }
    #expect(try await stage.send("GET", target).status == 400)
    #expect(stage.origin.log.totalRequests == 0)
  }

  @Test(
    "dot segments are the origin's to understand: asked for and stored as they are",
    arguments: ["/a/../b/./c", "/..", "/./b", "/a/%2e%2e/b", "/?q=/../b", "/b/."])
  func dotSegments(_ target: String) async throws {
    let stage = try ProxyStage { .text($0.target).cacheControl("max-age=60") }
    for _ in 0..<2 { #expect(try await stage.send("GET", target).text == target) }
    #expect(stage.origin.log.totalRequests == 1)
    for other in ["/", "/b", "/b/", "/b/c"] { #expect(try await stage.send("GET", other).text == other) }
  }

  @Test(
    "a head of the origin that others read otherwise is not passed on",
    arguments: [
      "HTTP/1.1 200 OK\r\nTransfer-Encoding : chunked\r\n", "HTTP/1.1 200 OK\r\nX-A\t: 1\r\n",
      "HTTP/1.1 200 OK\r\nX A: 1\r\n", "HTTP/1.1 200 OK\r\n: 1\r\n", "HTTP/1.1 200 OK\r\nX(A): 1\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: x\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n",
      "HTTP/1.1 200 OK\r\n" + (0..<300).map { "X\($0): 1\r\n" }.joined(),
    ])
  func originHead(_ head: String) async throws {
    let text = head + "Cache-Control: max-age=60\r\n\r\n0\r\n\r\n"
    let stage = try ProxyStage { _ in .script([.send(Data(text.utf8)), .close]) }
    let response = try await stage.send()
    #expect(response.status == 502)
    #expect(response.headers["Proxy-Status"] == "Vignette; error=http_protocol_error")
    #expect(stage.proxy.loader.memoryCost == 0)
  }

  @Test("response fields come with their order and repetition, those of one connection do not")
  func responseFields() async throws {
    let stage = try ProxyStage { _ in
      .text("x").header("Set-Cookie", "a=1").header("X-B", "1").header("Set-Cookie", "b=2").header("X-A", "2")
        .header("Connection", "X-Hop").header("X-Hop", "1").header("Keep-Alive", "5").header("Via", "1.1 origin")
        .header("Cache-Status", "Origin; hit")
    }
    let headers = try await stage.send().headers
    let names = headers.map(\.name).filter { ["Set-Cookie", "X-A", "X-B"].contains($0) }
    #expect(names == ["Set-Cookie", "X-B", "Set-Cookie", "X-A"])
    #expect(headers.values(of: "Set-Cookie") == ["a=1", "b=2"])
    #expect(headers["X-Hop"] == nil)
    #expect(headers["Keep-Alive"] == nil)
    #expect(headers["Via"] == "1.1 origin, 1.1 vignette")
    #expect(headers["Cache-Status"]?.hasPrefix("Origin; hit, Vignette; fwd=uri-miss; fwd-status=200") == true)
    #expect(headers["Date"] == "Thu, 01 Jan 2026 00:00:00 GMT")
  }

  /// Who knows only when it arrived cannot tell that it had not changed for a second (RFC 9110, section 8.8.2.2).
  @Test("a body whose origin gives no date is never put together of two transfers")
  func undatedParts() async throws {
    let whole = String(repeating: "a", count: 100_000)
    let stage = try ProxyStage { request in
      let modified = "Wed, 31 Dec 2025 23:00:00 GMT"
      #expect(request.headers["If-Range"] == nil)
      let response = ScriptedServer.Response.text(whole).header("Last-Modified", modified)
        .header("Accept-Ranges", "bytes").cacheControl("max-age=60")
      return request.headers["X-Cut"] == nil ? response : response.cut(after: 50_000, .close)
    }
    #expect(try await stage.send("GET", "/", ["X-Cut: 1"]).isComplete == false)
    let second = try await stage.send()
    #expect(second.text == whole && second.headers["Cache-Status"]?.contains("uri-miss") == true)
  }

  @Test("every status is passed on", arguments: [201, 204, 205, 299, 302, 400, 404, 418, 451, 500, 503, 599])
  func statuses(_ status: Int) async throws {
    let stage = try ProxyStage { _ in .text(status == 204 ? "" : "body", status: status) }
    let response = try await stage.send()
    #expect(response.status == status)
    #expect(response.isComplete)
    // Neither has content (RFC 9110, sections 15.3.5 and 15.3.6).
    #expect(response.text == (status == 204 || status == 205 ? "" : "body"))
  }

  @Test("a redirect is the client's to follow")
  func redirect() async throws {
    let stage = try ProxyStage { $0.path == "/a" ? .redirect(to: "/b") : .text("b") }
    let response = try await stage.send("GET", "/a")
    #expect(response.status == 302)
    #expect(response.headers["Location"] == "/b")
    #expect(stage.origin.log.count(of: "/b") == 0)
  }

  @Test("a coded body stays as it is", arguments: ["gzip", "br", "x-unknown"])
  func codings(_ coding: String) async throws {
    let bytes = Data([0x1f, 0x8b, 1, 2, 3, 0xff])
    let stage = try ProxyStage { _ in
      .data(bytes, type: "text/plain").header("Content-Encoding", coding).cacheControl("max-age=60")
    }
    for _ in 0..<2 {
      let response = try await stage.send("GET", "/", ["Accept-Encoding: \(coding)"])
      #expect(response.headers["Content-Encoding"] == coding)
      #expect(response.body == bytes)
    }
    #expect(stage.origin.log.totalRequests == 1)
  }

  @Test("interim responses come before the final one, for HTTP/1.1 alone")
  func interim() async throws {
    let script = """
      HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n\
      HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok
      """
    let stage = try ProxyStage { _ in .script([.send(Data(script.utf8)), .close]) }
    let responses = try await stage.raw("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    #expect(responses.map(\.status) == [103, 102, 200])
    #expect(responses.first?.headers["Link"] == "</a>")
    #expect(try await stage.raw("GET / HTTP/1.0\r\n\r\n").map(\.status) == [200])
  }

  @Test("an origin that only ever says to go on waiting is given up", arguments: [(32, 200), (33, 502)])
  func interimCount(_ count: Int, _ status: Int) async throws {
    let interim = String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: count)
    let stage = try ProxyStage { _ in
      .script([.send(Data((interim + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").utf8)), .close])
    }
    #expect(try await stage.send().status == status)
  }

  @Test(
    "a request that has reached the origin is never sent again, though the connection was kept from another",
    arguments: ["GET", "HEAD", "POST", "DELETE"])
  func noSecondAttempt(_ method: String) async throws {
    let stage = try ProxyStage { $0.path == "/x" ? .closeBeforeHeaders : .text("kept") }
    #expect(try await stage.send("GET", "/first").text == "kept")
    #expect(try await stage.send(method, "/x").status == 502)
    #expect(stage.origin.log.count(of: "/x") == 1)
  }

  @Test("an expectation is answered before the body is waited for")
  func expectation() async throws {
    let stage = try ProxyStage { .text("\($0.body.count) \($0.headers["Expect"] ?? "none")") }
    let head = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
    let data = try await RawClient.exchange(stage.proxy.port, [Data(head.utf8), Data("abc".utf8)])
    let responses = RawClient.responses(data, methods: ["POST"])
    #expect(responses.map(\.status) == [100, 200])
    #expect(responses.last?.text == "3 none")
    #expect(try await stage.send("POST", "/", ["Expect: tea", "Content-Length: 1"], body: "x").status == 417)
  }

  @Test("HEAD brings the head that GET would, from the origin and from the cache")
  func head() async throws {
    let stage = try ProxyStage { _ in .text("hello").cacheControl("max-age=60") }
    let first = try await stage.send("HEAD")
    #expect(first.headers["Content-Length"] == "5")
    #expect(first.body.isEmpty)
    _ = try await stage.send("GET")
    let second = try await stage.send("HEAD")
    #expect(second.headers["Content-Length"] == "5")
    #expect(second.body.isEmpty)
    #expect(second.headers["Cache-Status"] == "Vignette; hit; ttl=60")
    #expect(stage.origin.log.totalRequests == 2)
  }

  @Test("a body that a GET carries is for the origin: the cache keeps out of it")
  func bodyOfGet() async throws {
    let stage = try ProxyStage { .text(String(decoding: $0.body, as: UTF8.self)).cacheControl("max-age=60") }
    for body in ["one", "two"] {
      let response = try await stage.send("GET", "/", ["Content-Length: 3"], body: body)
      #expect(response.text == body)
      #expect(response.headers["Cache-Status"] == "Vignette; fwd=bypass; fwd-status=200")
    }
  }

  @Test(
    "a request that may go no further is answered here (RFC 9110, section 7.6.2)",
    arguments: [("OPTIONS", 200), ("TRACE", 405)])
  func maxForwards(_ method: String, _ status: Int) async throws {
    let stage = try ProxyStage { .text($0.headers["Max-Forwards"] ?? "") }
    #expect(try await stage.send(method, "/", ["Max-Forwards: 0"]).status == status)
    #expect(stage.origin.log.totalRequests == 0)
    #expect(try await stage.send(method, "/", ["Max-Forwards: 3"]).text == "2")
    #expect(try await stage.send("GET", "/", ["Max-Forwards: 0"]).text == "0")
  }

  @Test("what has no path cannot be passed on")
  func pathless() async throws {
    let stage = try ProxyStage { _ in .text("") }
    #expect(try await stage.send("CONNECT", "a.test:80").status == 501)
    #expect(try await stage.send("OPTIONS", "*").status == 501)
    #expect(stage.origin.log.totalRequests == 0)
  }

  // MARK: Failures of the origin

  @Test(
    "an origin that fails is a bad gateway, once asked and no more",
    arguments: [
      (ScriptedServer.Response.closeBeforeHeaders, 502, "http_protocol_error"), (.resetInHeaders, 502, nil),
      (.garbage, 502, nil),
    ] as [(ScriptedServer.Response, Int, String?)])
  func failures(_ fault: ScriptedServer.Response, _ status: Int, _ error: String?) async throws {
    let stage = try ProxyStage { _ in fault.cacheControl("max-age=60") }
    let response = try await stage.send()
    #expect(response.status == status)
    #expect(response.headers["Cache-Status"]?.contains("detail=") == true)
    #expect(response.headers["Proxy-Status"]?.hasPrefix("Vignette; error=") == true)
    #expect(stage.origin.log.totalRequests == 1)
    #expect(response.headers["Cache-Control"] == "no-store")
  }

  @Test("an origin that does not answer is a gateway timeout")
  func timeout() async throws {
    var limits = ProxyLimits()
    limits.originSeconds = 0.1
    let stage = try ProxyStage(limits: limits) { _ in .stall }
    let response = try await stage.send()
    #expect(response.status == 504)
    #expect(response.headers["Cache-Status"] == "Vignette; fwd=miss; detail=transport.timedOut")
    #expect(response.headers["Proxy-Status"] == "Vignette; error=http_response_timeout")
  }

  @Test("an origin that is not there is a bad gateway; what is stored goes on being served, stale")
  func unreachable() async throws {
    let stage = try ProxyStage { _ in .text("kept").cacheControl("max-age=10") }
    _ = try await stage.send()
    stage.origin.stop()
    stage.clock.advance(by: 60)
    let stale = try await stage.send()
    #expect(stale.text == "kept")
    #expect(stale.headers["Cache-Status"] == "Vignette; fwd=stale; ttl=-50; detail=transport.refused")
    let other = try await stage.send("GET", "/other")
    #expect(other.status == 502)
    #expect(other.headers["Proxy-Status"] == "Vignette; error=connection_refused")
  }
}
