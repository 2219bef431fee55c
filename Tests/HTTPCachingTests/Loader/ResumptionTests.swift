import Foundation
import HTTPCaching
import Synchronized
import Testing
import VignetteTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A body at one address, from a server that serves ranges and breaks off when told to.
struct RangedBody: Sendable {
  var data = pattern(100_000)
  var tag: String? = "\"1\""
  /// Fields in place of, or beside, the usual ones; an empty value takes a field away.
  var fields: [String: String] = [:]
  /// So many bytes are sent, then the failure comes.
  var cut: (bytes: Int, failure: any Error)?

  /// By RFC 9110, sections 13.1.5 and 14, for ranges with two ends or an open one.
  func reply(to request: URLRequest) -> ScriptedTransport.Reply {
    var bytes = 0..<data.count
    var reply = ScriptedTransport.Reply()
    let condition = request.value(forHTTPHeaderField: "If-Range")
    if let range = request.value(forHTTPHeaderField: "Range"),
      condition == nil || condition == tag || condition == fields["Last-Modified"]
    {
      let ends = range.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      let (first, last) = (ends[0] ?? 0, min((ends[1] ?? .max - 1) + 1, data.count))
      guard first < data.count else { return .status(416).header("Content-Range", "bytes */\(data.count)") }
      bytes = first..<last
      reply.status = 206
      reply.headers["Content-Range"] = "bytes \(first)-\(last - 1)/\(data.count)"
    }
    reply.headers["Content-Length"] = "\(bytes.count)"
    reply.headers["Cache-Control"] = "max-age=60"
    reply.headers["Accept-Ranges"] = "bytes"
    reply.headers["ETag"] = tag
    for (name, value) in fields { reply.headers[name] = value.isEmpty ? nil : value }
    var sent = data[bytes]
    if let cut {
      sent = sent.prefix(cut.bytes)
      reply.failure = cut.failure
    }
    // Two chunks, because what arrives in one piece could not be put together wrongly.
    reply.chunks = [sent.prefix(sent.count / 2), sent.dropFirst(sent.count / 2)].map { .init(Data($0)) }
    return reply
  }
}

extension SiteStage {
  func serve(_ body: RangedBody, at place: String = "/a") { answer(place) { body.reply(to: $0) } }

  /// Serves so many bytes of a body, and loads it in vain.
  func interrupt(
    _ body: RangedBody = RangedBody(), after bytes: Int = 40_000, _ failure: any Error = HTTPError(.reset, "cut"),
    _ headers: [String: String] = [:], cachedAs name: String? = nil
  ) async {
    var cut = body
    cut.cut = (bytes, failure)
    serve(cut)
    await #expect(throws: (any Error).self) { try await load("/a", headers, cachedAs: name) }
    serve(body)
  }
}

@Suite("The loader goes on where a transfer broke off", .timeLimit(.minutes(5)))
struct ResumptionTests {
  let site = SiteStage()
  let body = RangedBody()

  @Test(
    "what had come is not fetched again, and the whole is stored like any other",
    arguments: [HTTPError(.reset, ""), HTTPError(.timedOut, ""), HTTPError(.truncatedBody, ""), CancellationError()]
      as [any Error])
  func resuming(_ failure: any Error) async throws {
    await site.interrupt(after: 40_000, failure)
    #expect(await site.loader.statistics().parts.entries == 1)
    let told = Locked<[HTTPProgress]>([])
    let result = try await site.load("/a") { progress in told.withLock { $0.append(progress) } }
    #expect(site.sent("Range") == "bytes=40000-" && site.sent("If-Range") == "\"1\"")
    #expect(result.data == body.data && result.resumedBytes == 40_000 && result.origin == .network)
    #expect(result.response.status == 200 && result.response.headers["Content-Length"] == "100000")
    #expect(result.response.headers["Content-Range"] == nil)
    #expect(result.cacheStatus.description == "Vignette; fwd=partial; fwd-status=206; stored; ttl=60")
    #expect(told.withLock { $0.first } == HTTPProgress(received: 40_000, expected: 100_000))
    #expect(told.withLock { $0.last } == HTTPProgress(received: 100_000, expected: 100_000))
    let stored = try await site.load("/a")
    #expect(stored.origin == .memory && stored.data == body.data && stored.entry == result.entry)
    let statistics = await site.loader.statistics()
    #expect(statistics.resumed == 1 && statistics.resumedBytes == 40_000 && statistics.parts.bytes == 0)
  }

  @Test("a transfer that breaks off again and again gets further each time")
  func repeated() async throws {
    await site.interrupt(after: 20_000)
    for start in [20_000, 50_000, 80_000] {
      await site.interrupt(after: start == 80_000 ? 1 : 30_000)
      #expect(site.sent("Range") == "bytes=\(start)-")
    }
    let result = try await site.load("/a")
    #expect(result.data == body.data && result.resumedBytes == 80_001)
  }

  @Test("a last modification that cannot have happened twice proves the body as a tag does")
  func byDate() async throws {
    var dated = body
    dated.tag = nil
    dated.fields = ["Last-Modified": "Wed, 31 Dec 2025 00:00:00 GMT", "Date": "Thu, 01 Jan 2026 00:00:00 GMT"]
    await site.interrupt(dated)
    #expect(try await site.load("/a").resumedBytes == 40_000)
    #expect(site.sent("If-Range") == "Wed, 31 Dec 2025 00:00:00 GMT")
  }

  @Test(
    "nothing is kept of what cannot be gone on with, or may not be stored",
    arguments: [
      ["ETag": "W/\"1\""], ["ETag": ""], ["Accept-Ranges": ""], ["Accept-Ranges": "none"], ["Content-Encoding": "gzip"],
      ["Content-Length": ""], ["Cache-Control": "no-store"], ["Vary": "*"],
      ["ETag": "", "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT", "Date": "Thu, 01 Jan 2026 00:00:00 GMT"],
    ])
  func notKept(_ fields: [String: String]) async throws {
    var other = body
    other.fields = fields
    await site.interrupt(other)
    #expect(await site.loader.statistics().parts.entries == 0)
    #expect(try await site.load("/a").data == body.data)
    #expect(site.sent("Range") == nil)
  }

  @Test("nor of a body that is wrong, of less than 16 KiB, of a request with no-store, or without room for it")
  func notWorthIt() async throws {
    await site.interrupt(after: 40_000, HTTPError(.protocolError, ""))
    await site.interrupt(after: 16_383)
    await site.interrupt(after: 40_000, HTTPError(.reset, ""), ["Cache-Control": "no-store"])
    #expect(await site.loader.statistics().parts.entries == 0)
    await site.interrupt(after: 16_384)
    #expect(await site.loader.statistics().parts.entries == 1)
    let small = SiteStage { $0.partialBudget = 30_000 }
    await small.interrupt(after: 40_000)
    #expect(await small.loader.statistics().parts.bytes == 0)
  }

  @Test(
    "an answer that is not the rest makes it begin anew",
    arguments: [
      ["Content-Range": "bytes 39999-99999/100000"], ["Content-Range": "bytes 40001-99999/100000"],
      ["Content-Range": "bytes 40000-99998/100000"], ["Content-Range": "bytes 40000-99999/100001"],
      ["Content-Range": "bytes 40000-99999/*"], ["Content-Range": ""], ["ETag": "\"2\""], ["ETag": ""],
      ["ETag": "W/\"1\""], ["Content-Length": ""], ["Content-Encoding": "gzip"],
      ["Content-Type": "multipart/byteranges; boundary=x", "Content-Range": ""],
    ])
  func wrongAnswers(_ fields: [String: String]) async throws {
    await site.interrupt()
    var wrong = body
    wrong.fields = fields
    let (good, bad) = (body, wrong)
    site.answer("/a") { ($0.value(forHTTPHeaderField: "Range") == nil ? good : bad).reply(to: $0) }
    let result = try await site.load("/a")
    #expect(result.data == body.data && result.resumedBytes == 0 && result.response.status == 200)
    #expect(site.sent.map { $0.request.value(forHTTPHeaderField: "Range") } == [nil, "bytes=40000-", nil])
    #expect(try await site.load("/a").origin == .memory)
  }

  @Test("416 makes it begin anew, also where the server never sends anything else")
  func unsatisfiable() async throws {
    await site.interrupt()
    let good = body
    site.answer("/a") { $0.value(forHTTPHeaderField: "Range") == nil ? good.reply(to: $0) : .status(416) }
    #expect(try await site.load("/a").data == body.data)
    site.loader.removeAll()
    await site.interrupt()
    site.answer("/a", .status(416))
    #expect(try await site.load("/a").response.status == 416)
  }

  @Test("another body comes whole, and what was there of the first goes")
  func changed() async throws {
    await site.interrupt()
    let other = RangedBody(data: pattern(70_000), tag: "\"2\"")
    await site.interrupt(other, after: 20_000)
    #expect(site.sent("If-Range") == "\"1\"")
    let result = try await site.load("/a")
    #expect(result.data == other.data && result.resumedBytes == 20_000)
    #expect(site.sent("If-Range") == "\"2\"")
  }

  @Test("a server that fails in between loses nothing", arguments: [500, 503, 429])
  func failures(_ status: Int) async throws {
    await site.interrupt()
    site.answer("/a", .status(status))
    #expect(try await site.load("/a").response.status == status)
    site.answer("/a", .failure(HTTPError(.offline, "down")))
    #expect(await site.failure("/a") == "transport.offline")
    site.serve(body)
    #expect(try await site.load("/a").resumedBytes == 40_000)
  }

  @Test("what is gone or leads elsewhere is not gone on with", arguments: [404, 410, 301])
  func gone(_ status: Int) async throws {
    await site.interrupt()
    site.answer("/a", .status(status))
    #expect(try await site.load("/a").response.status == status)
    #expect(await site.loader.statistics().parts.entries == 0)
  }

  @Test("the limit of a body counts the whole")
  func limit() async throws {
    await site.interrupt()
    // The transport, which stands in for one that looks at lengths, is asked for the whole.
    #expect(await site.failure("/a", options: options(limit: 99_999)) == "body.tooLarge")
    #expect(site.sent("Range") == nil)
    site.serve(body)
    #expect(try await site.load("/a", options: options(limit: 100_000)).resumedBytes == 40_000)
  }

  @Test("a rest of another length than it said is not taken for the rest")
  func wrongLength() async throws {
    await site.interrupt()
    var short = body
    short.cut = (59_999, HTTPError(.reset, ""))
    let cut = short
    site.answer("/a") { request in
      var reply = cut.reply(to: request)
      reply.failure = nil
      return reply
    }
    #expect(await site.failure("/a") == "body.truncated")
    #expect(site.loader.memoryCost == 0)
  }

  @Test("whoever wants nothing stored gets nothing of it, and it goes")
  func reloads() async throws {
    let site = site
    let loads: [() async throws -> HTTPResult] = [
      { try await site.load("/a", policy: .reloadIgnoringLocalCacheData) },
      { try await site.load("/a", policy: .reloadIgnoringLocalAndRemoteCacheData) },
      { try await site.load("/a", ["Cache-Control": "no-cache"]) },
      { try await site.load("/a", ["Cache-Control": "no-store"]) },
      { try await site.load("/a", ["Pragma": "no-cache"]) },
    ]
    for load in loads {
      site.loader.removeAll()
      await site.interrupt()
      #expect(await site.loader.statistics().parts.entries == 1)
      site.answer("/a", .status(503))
      _ = try await load()
      #expect(site.sent("Range") == nil)
      #expect(await site.loader.statistics().parts.entries == 0)
    }
    // The server confirms the beginning, as it would the whole.
    await site.interrupt()
    #expect(try await site.load("/a", policy: .reloadRevalidatingCacheData).resumedBytes == 40_000)
  }

  @Test("removing, forgetting and invalidating reach what has not come whole")
  func removals() async throws {
    let site = site
    let removals: [() async throws -> Void] = [
      { site.loader.removeAll() }, { site.loader.removeAll(of: SiteStage.url("/a#x")) },
      { site.loader.forget(site.request("/a")) }, { _ = try await site.load("/a", method: "DELETE") },
    ]
    for remove in removals {
      await site.interrupt()
      #expect(await site.loader.statistics().parts.entries == 1)
      try await remove()
      #expect(await site.loader.statistics().parts.entries == 0)
    }
  }

  @Test("beginnings are apart by credentials and by variant")
  func partitions() async throws {
    let varying = RangedBody(fields: ["Vary": "Accept"])
    await site.interrupt(varying, after: 40_000, HTTPError(.reset, ""), ["Authorization": "alice", "Accept": "a"])
    #expect(try await site.load("/a", ["Authorization": "bob", "Accept": "a"]).resumedBytes == 0)
    #expect(try await site.load("/a", ["Accept": "a"]).resumedBytes == 0)
    #expect(try await site.load("/a", ["Authorization": "alice", "Accept": "a"]).resumedBytes == 40_000)
    await site.interrupt(varying, after: 40_000, HTTPError(.reset, ""), ["Authorization": "carol", "Accept": "a"])
    #expect(try await site.load("/a", ["Authorization": "carol", "Accept": "b"]).resumedBytes == 0)
  }

  @Test("under a name of its own a transfer goes on at another address")
  func named() async throws {
    await site.interrupt(cachedAs: "picture")
    site.serve(body, at: "/a?signature=2")
    let result = try await site.load("/a?signature=2", cachedAs: "picture")
    #expect(result.resumedBytes == 40_000 && result.data == body.data)
    #expect(result.response.url == SiteStage.url("/a?signature=2"))
    #expect(try await site.load("/a?signature=3", cachedAs: "picture").origin == .memory)
    await site.interrupt(cachedAs: "other")
    site.loader.removeAll(of: SiteStage.url("/a"))
    #expect(await site.loader.statistics().parts.entries == 0)
  }

  @Test("beside an older whole both are asked about: whether that still holds, and for the rest of the newer")
  func besideWhole() async throws {
    site.serve(RangedBody(data: pattern(50_000), tag: "\"old\""))
    let old = try await site.load("/a")
    site.clock.advance(by: 60)
    // The transfer of the newer breaks off; the older stands in.
    var cut = body
    cut.cut = (40_000, HTTPError(.reset, "cut"))
    site.serve(cut)
    #expect(try await site.load("/a").data == old.data)
    site.answer("/a", .status(304).header("ETag", "\"old\"").header("Cache-Control", "max-age=0"))
    #expect(try await site.load("/a").origin == .revalidated)
    #expect(site.sent("If-None-Match") == "\"old\"" && site.sent("Range") == "bytes=40000-")
    site.serve(body)
    let result = try await site.load("/a")
    #expect(result.data == body.data && result.resumedBytes == 40_000)
    #expect(site.sent("If-None-Match") == "\"old\"")
    #expect(try await site.load("/a").data == body.data)
  }

  @Test("a stored redirect leads to the beginning of what it leads to")
  func behindRedirect() async throws {
    site.answer("/start", .redirect(301, to: "/a", "max-age=600"))
    var cut = body
    cut.cut = (40_000, HTTPError(.reset, "cut"))
    site.serve(cut)
    #expect(await site.failure("/start") == "transport.reset")
    site.serve(body)
    #expect(try await site.load("/start").resumedBytes == 40_000)
    #expect(site.places == ["/start", "/a", "/a"])
  }

  @Test("a part that nobody asked for is refused and never taken for the whole")
  func unasked() async throws {
    site.answer("/a") { request in
      var request = request
      request.setValue("bytes=0-99999", forHTTPHeaderField: "Range")
      return RangedBody().reply(to: request)
    }
    for method in ["GET", "POST"] {
      let request = site.request("/a", method: method)
      do {
        _ = try await site.loader.data(for: request)
        Issue.record("the part was taken")
      } catch let error as HTTPError {
        #expect(error.code == .protocolError && error.url == request.url)
      }
    }
    #expect(site.loader.memoryCost == 0)
    #expect(await site.loader.statistics().parts.entries == 0)
  }

  @Test("cancelling a load keeps what the transport had received, over real connections too")
  func cancelling() async throws {
    let gate = Gate()
    let body = body.data
    let server = try ScriptedServer { request in
      let fields = "ETag: \"1\"\r\nAccept-Ranges: bytes\r\nCache-Control: max-age=60\r\n"
      guard request.headers["Range"] != nil else {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\(fields)\r\n"
        return .script([.send(Data(head.utf8)), .send(body.prefix(70_000)), .hold(gate), .send(body.dropFirst(70_000))])
      }
      let start = Int(request.headers["Range"]?.dropFirst(6).dropLast() ?? "") ?? 0
      let head =
        "HTTP/1.1 206 Partial Content\r\nContent-Length: \(100_000 - start)\r\nContent-Range: bytes \(start)-99999/100000\r\n"
      return .script([.send(Data((head + fields + "\r\n").utf8)), .send(body.dropFirst(start))])
    }
    let loader = HTTPLoader(transport: PlatformTransport.shared)
    let request = URLRequest(url: server.url("/a"))
    let (steps, told) = AsyncStream.makeStream(of: Int.self)
    let task = Task { try await loader.data(for: request) { told.yield($0.received) } }
    // About 64 KiB at a time are told of.
    for await received in steps where received >= 60_000 { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    gate.open()
    let result = try await loader.data(for: request)
    #expect(result.data == body && result.resumedBytes >= 60_000 && result.response.status == 200)
  }
}
