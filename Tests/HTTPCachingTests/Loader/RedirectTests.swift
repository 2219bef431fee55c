import Foundation
import HTTPCaching
import Synchronized
import Testing
import VignetteTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The loader follows redirects from one stored response to the next", .timeLimit(.minutes(5)))
struct RedirectTests {
  let site = SiteStage()

  @Test("a redirect that says for how long is used again, and so is what it leads to")
  func stored() async throws {
    site.answer("/a", .redirect(302, to: "b", "max-age=60"))
    site.answer("/b", .picture())
    let first = try await site.load("/a")
    #expect(first.response.status == 200 && first.data == Data("picture".utf8) && first.origin == .network)
    #expect(first.response.url == SiteStage.url("/b") && site.places == ["/a", "/b"])
    let second = try await site.load("/a")
    #expect(second.origin == .memory && second.entry == first.entry && second.cacheStatus.isHit)
    #expect(second.response.url == SiteStage.url("/b"))
    // Each is the response of its own URL.
    #expect(try await site.load("/b").origin == .memory)
    #expect(site.places == ["/a", "/b"])
    let statistics = await site.loader.statistics()
    #expect(statistics.networkLoads == 1 && statistics.memoryHits == 2)
  }

  @Test(
    "301 and 308 are kept by what they say and by their age, 302, 303 and 307 by what they say alone",
    arguments: [
      (301, ["Cache-Control": "max-age=60"], true), (308, ["Cache-Control": "max-age=60"], true),
      (302, ["Cache-Control": "max-age=60"], true), (303, ["Cache-Control": "max-age=60"], true),
      (307, ["Expires": "Fri, 01 Jan 2027 00:00:00 GMT"], true),
      (301, ["Last-Modified": "Wed, 01 Jan 2025 00:00:00 GMT"], true),
      (308, ["Last-Modified": "Wed, 01 Jan 2025 00:00:00 GMT"], true),
      (302, ["Last-Modified": "Wed, 01 Jan 2025 00:00:00 GMT"], false),
      (307, ["Last-Modified": "Wed, 01 Jan 2025 00:00:00 GMT"], false),
      (301, [:], false), (308, [:], false), (302, [:], false), (301, ["Cache-Control": "no-store, max-age=60"], false),
    ] as [(Int, [String: String], Bool)])
  func statuses(_ status: Int, _ headers: [String: String], _ isStored: Bool) async throws {
    var redirect = ScriptedTransport.Reply.redirect(status, to: "/b")
    for (name, value) in headers { redirect = redirect.header(name, value) }
    site.answer("/a", redirect)
    site.answer("/b", .picture())
    for _ in 0..<2 { #expect(try await site.load("/a").response.status == 200) }
    #expect(site.places == (isStored ? ["/a", "/b"] : ["/a", "/b", "/a"]))
  }

  @Test("a result is as fresh as the least fresh hop, and may be stored if every hop may")
  func leastFresh() async throws {
    site.answer("/a", .redirect(301, to: "/b", "max-age=30"))
    site.answer("/b", .redirect(301, to: "/c", "max-age=10"))
    site.answer("/c", .picture("c", "max-age=60"))
    let now = site.clock.now
    for _ in 0..<2 { #expect(try await site.load("/a").freshUntil == now + 10) }
    #expect(try await site.load("/a").mayBeStored)
    site.answer("/s", .redirect(302, to: "/c", "no-store"))
    let secret = try await site.load("/s")
    #expect(!secret.mayBeStored && secret.origin == .memory && secret.freshUntil == now)
    #expect(try await site.load("/c").mayBeStored)
  }

  @Test("the cache status is that of the last hop, or of the first that went to the server where the last did not")
  func cacheStatus() async throws {
    site.answer("/a", .redirect(302, to: "/b"))
    site.answer("/b", .redirect(302, to: "/c"))
    site.answer("/c", .picture())
    #expect(
      try await site.load("/a").cacheStatus.description == "Vignette; fwd=uri-miss; fwd-status=200; stored; ttl=60")
    #expect(try await site.load("/a").cacheStatus.description == "Vignette; fwd=uri-miss; fwd-status=302; ttl=0")
    #expect(try await site.load("/c").cacheStatus.description == "Vignette; hit; ttl=60")
  }

  @Test("stored redirects that lead in a circle end, without the server")
  func circle() async throws {
    site.answer("/a", .redirect(301, to: "/b", "max-age=60"))
    site.answer("/b", .redirect(301, to: "/a", "max-age=60"))
    for _ in 0..<2 { #expect(await site.failure("/a") == "redirect.tooMany") }
    #expect(site.places == ["/a", "/b"])
    // Nor do they hold up what looks along them.
    #expect(await site.loader.attachment(named: "t", for: site.request("/a")) == nil)
    site.loader.forget(site.request("/a"))
    #expect(site.loader.memoryCost == 0)
  }

  @Test("the limit counts every redirect, stored or not", arguments: 0...3)
  func limit(_ limit: Int) async throws {
    site.answer("/0", .redirect(301, to: "/1", "max-age=60"))
    site.answer("/1", .redirect(302, to: "/2"))
    site.answer("/2", .redirect(301, to: "/3", "max-age=60"))
    site.answer("/3", .picture())
    for _ in 0..<2 {
      #expect(
        await site.failure("/0", options: options(redirects: limit)) == (limit < 3 ? "redirect.tooMany" : "status 200"))
    }
  }

  @Test(
    "a redirect that leads to where nobody may follow is refused each time, and takes no stored response's place",
    arguments: ["ftp://host/b", "file:///etc/passwd", "http://"])
  func refused(_ location: String) async throws {
    site.answer("/a", .picture("earlier", "max-age=10"))
    _ = try await site.load("/a")
    site.clock.advance(by: 10)
    site.answer("/a", .redirect(301, to: location, "max-age=60"))
    for _ in 0..<2 { #expect(await site.failure("/a") == "redirect.target") }
    #expect(site.places == ["/a", "/a", "/a"])
    #expect(try await site.load("/a", policy: .returnCacheDataDontLoad).data == Data("earlier".utf8))
    // Who does not follow it gets it, and it is stored; it is refused all the same.
    var plain = options()
    plain.followsRedirects = false
    #expect(try await site.load("/a", options: plain).response.status == 301)
    #expect(await site.failure("/a") == "redirect.target")
    #expect(site.places.count == 4)
  }

  @Test("a redirect that may not be stored ends what was stored in its place once it has led to an end, not before")
  func superseding() async throws {
    site.answer("/a", .picture("earlier", "max-age=10"))
    _ = try await site.load("/a")
    site.clock.advance(by: 10)
    site.answer("/a", .redirect(302, to: "/b"))
    site.answer("/b", .redirect(302, to: "/a"))
    #expect(await site.failure("/a") == "redirect.tooMany")
    #expect(try await site.load("/a", policy: .returnCacheDataDontLoad).data == Data("earlier".utf8))
    site.answer("/b", .picture("later"))
    #expect(try await site.load("/a").data == Data("later".utf8))
    await #expect(throws: HTTPError.self) { try await site.load("/a", policy: .returnCacheDataDontLoad) }
    // One that leads back to its own address ends there.
    let visits = Locked(0)
    site.answer("/self") { _ in
      visits.withLock { $0 += 1 }
      return visits.withLock { $0 } == 1 ? .redirect(302, to: "/self") : .picture("self")
    }
    #expect(try await site.load("/self").data == Data("self".utf8))
    #expect(try await site.load("/self").origin == .memory)
  }

  @Test("from https nothing leads to http")
  func insecure() async throws {
    site.answer("https://host/a", .redirect(301, to: "http://host/b", "max-age=60"))
    let request = URLRequest(url: try #require(URL(string: "https://host/a")))
    for _ in 0..<2 {
      do {
        _ = try await site.loader.data(for: request)
        Issue.record("it was followed")
      } catch let error as HTTPError {
        #expect(error.code == .insecureRedirect)
      }
    }
    #expect(site.places == ["https://host/a", "https://host/a"])
  }

  @Test("secrets stay with their origin, and responses with those who may see them")
  func secrets() async throws {
    site.answer("/a", .redirect(301, to: "http://other/b", "max-age=60"))
    site.answer("other/b", .picture("public"))
    let secrets = ["Authorization": "alice", "X-Token": "secret", "Accept": "image/png"]
    for _ in 0..<2 { #expect(try await site.load("/a", secrets).data == Data("public".utf8)) }
    #expect(site.places == ["/a", "other/b"])
    #expect(site.sent("Authorization") == nil && site.sent("X-Token") == nil && site.sent("Accept") == "image/png")
    // What came without credentials is anybody's; the redirect given to Alice is hers.
    #expect(try await site.load("other/b").origin == .memory)
    site.answer("/a", .redirect(301, to: "/own", "max-age=60"))
    site.answer("/own", .picture("bob's"))
    #expect(try await site.load("/a", ["Authorization": "bob"]).data == Data("bob's".utf8))
    #expect(site.sent("Authorization") == "bob")
    #expect(try await site.load("/a", secrets).data == Data("public".utf8))
  }

  @Test("a POST becomes a GET where it must, and that may be answered by what is stored")
  func methods() async throws {
    site.answer("/form", .redirect(303, to: "http://other/done"))
    site.answer("/again", .redirect(307, to: "/target"))
    site.answer("other/done", .picture("done"))
    site.answer("/target", .picture("target"))
    #expect(try await site.load("other/done").origin == .network)
    var post = site.request("/form", method: "POST")
    post.httpBody = Data("x".utf8)
    #expect(try await site.loader.data(for: post).origin == .memory)
    post.url = SiteStage.url("/again")
    #expect(try await site.loader.data(for: post).data == Data("target".utf8))
    #expect(site.sent.map(\.request.httpMethod) == ["GET", "POST", "POST", "POST"])
    #expect(site.sent.last?.request.httpBody == Data("x".utf8))
  }

  @Test("who does not follow redirects gets the redirect itself, with its body, and it is kept")
  func notFollowing() async throws {
    site.answer("/a", .redirect(302, to: "/b", "max-age=60"))
    var plain = options()
    plain.followsRedirects = false
    for origin in [HTTPResult.Origin.network, .memory] {
      let result = try await site.load("/a", options: plain)
      #expect(result.response.status == 302 && result.response.headers["Location"] == "/b" && result.origin == origin)
      #expect(result.data == Data("moved".utf8))
    }
    #expect(site.places == ["/a"])
  }

  @Test("a stale redirect is asked about, and followed once more when it is confirmed")
  func revalidated() async throws {
    site.answer("/a", .redirect(301, to: "/b", "max-age=10").header("ETag", "\"r\""))
    site.answer("/b", .picture("b", "max-age=1000"))
    _ = try await site.load("/a")
    site.clock.advance(by: 10)
    site.answer("/a", .status(304).header("ETag", "\"r\"").header("Cache-Control", "max-age=10"))
    let result = try await site.load("/a")
    #expect(result.data == Data("b".utf8) && result.origin == .memory && result.cacheStatus.forwardStatus == 304)
    #expect(site.sent("If-None-Match") == "\"r\"" && site.places == ["/a", "/b", "/a"])
    #expect(result.freshUntil == site.clock.now + 10)
    // What it says of itself is not said of what it leads to.
    site.clock.advance(by: 10)
    site.answer("/a", .redirect(301, to: "/c", "max-age=10"))
    site.answer("/c", .picture("c"))
    #expect(try await site.load("/a").data == Data("c".utf8))
    #expect(site.sent("If-None-Match") == nil)
  }

  @Test("without a server stale redirects lead to stale responses")
  func unreachable() async throws {
    site.answer("/a", .redirect(301, to: "/b", "max-age=10"))
    site.answer("/b", .picture("b", "max-age=10"))
    _ = try await site.load("/a")
    site.clock.advance(by: 1000)
    for place in ["/a", "/b"] { site.answer(place, .failure(HTTPError(.offline, "down"))) }
    let stale = try await site.load("/a")
    #expect(stale.data == Data("b".utf8) && stale.freshUntil.map { $0 < site.clock.now } == true)
    #expect(await site.loader.statistics().rescues == 1)
    // The first hop answers again, the second does not.
    site.answer("/a", .redirect(302, to: "/b"))
    #expect(try await site.load("/a").data == Data("b".utf8))
    site.answer("/a", .redirect(302, to: "/never"))
    site.answer("/never", .failure(HTTPError(.offline, "down")))
    #expect(await site.failure("/a") == "transport.offline")
  }

  @Test("a response under a name of its own is stored without its redirects, which the transport follows")
  func named() async throws {
    let transport = Following()
    let loader = HTTPLoader(transport: transport)
    for signature in ["1", "2"] {
      let request = URLRequest(url: SiteStage.url("/a?signature=\(signature)"))
      let result = try await loader.data(for: request, cachedAs: "picture")
      #expect(result.origin == (signature == "1" ? .network : .memory))
      #expect(result.response.url == SiteStage.url("/end"))
    }
    #expect(transport.followed.withLock { $0 } == [true])
    #expect(try await loader.data(for: URLRequest(url: SiteStage.url("/end"))).origin == .network)
  }

  @Test("a redirect is never stored under a name")
  func namedRedirect() async throws {
    site.answer("/a", .redirect(301, to: "/b", "max-age=60"))
    for _ in 0..<2 { #expect(try await site.load("/a", cachedAs: "picture").response.status == 301) }
    #expect(site.places == ["/a", "/a"])
  }

  @Test("a transport that follows by itself is let do so, and what it was led to is not stored")
  func followedElsewhere() async throws {
    let loader = HTTPLoader(transport: Following())
    for _ in 0..<2 {
      let result = try await loader.data(for: URLRequest(url: SiteStage.url("/a")))
      #expect(result.origin == .network && result.response.url == SiteStage.url("/end") && result.entry == nil)
    }
  }

  @Test("the total time is that of all hops together")
  func totalTime() async throws {
    let site = site
    for (place, next) in [("/a", "/b"), ("/b", "/c")] {
      site.answer(place) { _ in
        site.uptime.withLock { $0 += 30 }
        return .redirect(302, to: next)
      }
    }
    site.answer("/c", .picture("c", "no-store"))
    _ = try await site.load("/a", options: options(total: 100))
    #expect(site.sent.map(\.options.totalTimeout) == [100, 70, 40])
    #expect(await site.failure("/a", options: options(total: 60)) == "transport.timedOut")
    #expect(site.places == ["/a", "/b", "/c", "/a", "/b"])
    #expect(await site.failure("/a", options: options(total: nil)) == "status 200")
    #expect(site.sent.allSatisfy { !$0.options.followsRedirects })
  }

  @Test("the body of a redirect does not keep anybody: one too long or broken is left, and the redirect not stored")
  func bodies() async throws {
    let endless = ScriptedTransport.Reply.chunks(Array(repeating: .init(Data(count: 1 << 20)), count: 200))
    var long = endless.header("Location", "/b").header("Cache-Control", "max-age=60")
    long.status = 301
    site.answer("/long", long)
    site.answer("/broken", .redirect(301, to: "/b", "max-age=60").failing(with: HTTPError(.reset, "cut")))
    site.answer("/b", .picture())
    for place in ["/long", "/broken"] {
      for _ in 0..<2 { #expect(try await site.load(place).data == Data("picture".utf8)) }
    }
    #expect(site.places == ["/long", "/b", "/long", "/broken", "/broken"])
  }

  @Test("progress is that of the last hop alone")
  func progress() async throws {
    site.answer("/a", .redirect(301, to: "/b", "max-age=60"))
    site.answer("/b", .picture("b"))
    for _ in 0..<2 {
      let told = Locked<[HTTPProgress]>([])
      _ = try await site.load("/a") { progress in told.withLock { $0.append(progress) } }
      #expect(told.withLock { Set($0) } == [HTTPProgress(received: 1, expected: 1)])
    }
  }

  @Test("attachments are found along stored redirects while every hop is fresh")
  func attachments() async throws {
    site.answer("/a", .redirect(301, to: "/b", "max-age=10"))
    site.answer("/b", .picture("b", "max-age=60"))
    let entry = try #require(try await site.load("/a").entry)
    await site.loader.attach(Data("t".utf8), named: "t", to: entry)
    let found = try #require(await site.loader.attachment(named: "t", for: site.request("/a")))
    #expect(found.data == Data("t".utf8) && found.entry == entry && found.freshUntil == site.clock.now + 10)
    site.clock.advance(by: 10)
    #expect(await site.loader.attachment(named: "t", for: site.request("/a")) == nil)
    #expect(await site.loader.attachment(named: "t", for: site.request("/b")) != nil)
  }

  @Test("what is forgotten is forgotten along the way; what is removed by its URL is that URL's alone")
  func forgetting() async throws {
    let directory = TemporaryDirectory()
    for disk in [nil, DiskStore.Configuration(directory: directory.url)] {
      let site = SiteStage {
        $0.disk = disk
        if disk != nil { $0.memoryBudget = 0 }
      }
      site.answer("/a", .redirect(301, to: "http://other/b", "max-age=60"))
      site.answer("other/b", .picture())
      let secret = ["Authorization": "alice"]
      _ = try await site.load("/a", secret)
      site.loader.removeAll(of: SiteStage.url("/a"))
      _ = try await site.load("/a", secret)
      #expect(site.places == ["/a", "other/b", "/a"])
      site.loader.forget(site.request("/a", secret))
      site.forgetSent()
      #expect(try await site.load("/a", secret).origin == .network)
      #expect(site.places == ["/a", "other/b"])
    }
  }

  @Test("redirects on disk are followed there, and after a restart")
  func disk() async throws {
    let directory = TemporaryDirectory()
    func stage() -> SiteStage { SiteStage { $0.disk = DiskStore.Configuration(directory: directory.url) } }
    let first = stage()
    first.answer("/a", .redirect(308, to: "/b", "max-age=60"))
    first.answer("/b", .picture())
    _ = try await first.load("/a")
    await first.loader.disk?.flush()
    let second = stage()
    let result = try await second.load("/a")
    #expect(result.origin == .disk && result.data == Data("picture".utf8) && second.places.isEmpty)
    #expect(result.response.url == SiteStage.url("/b"))
  }
}

/// A transport that has followed redirects where it was told to, and where it was not.
private final class Following: HTTPTransport {
  let followed = Locked<[Bool]>([])

  func send(_ request: URLRequest, options: TransportOptions) async throws -> HTTPExchange {
    followed.withLock { $0.append(options.followsRedirects) }
    let headers: HTTPHeaders = ["Cache-Control": "max-age=60"]
    return HTTPExchange(
      response: HTTPResponse(url: SiteStage.url("/end"), status: 200, headers: headers), body: HTTPBody(Data("x".utf8)))
  }
}
