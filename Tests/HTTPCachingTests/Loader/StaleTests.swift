import Foundation
import HTTPCaching
import Testing
import VignetteTesting

@Suite("The loader serves stale responses where it may", .timeLimit(.minutes(5)))
struct StaleTests {
  static let failures: [HTTPError.Code] = [.hostNotFound, .refused, .reset, .timedOut, .offline, .unavailable]

  @Test("without a server what is stored is served, and says that it is stale", arguments: failures)
  func unreachable(_ code: HTTPError.Code) async throws {
    let stage = LoaderStage(LoaderStage.reply("max-age=60"))
    let first = try await stage.load()
    stage.clock.advance(by: 1000)
    stage.answer(.failure(HTTPError(code, "down")))
    let second = try await stage.load()
    #expect(second.data == first.data && second.entry == first.entry && second.origin == .memory)
    #expect(second.freshUntil.map { $0 < stage.clock.now } == true)
    #expect(second.response.headers["Age"] == "1000")
    #expect(second.cacheStatus.detail == code.rawValue && second.cacheStatus.timeToLive == -940)
    #expect(await stage.loader.statistics().rescues == 1)
  }

  @Test("a transfer that breaks off leaves what is stored, and serves it")
  func brokenOff() async throws {
    let stage = LoaderStage(LoaderStage.reply("max-age=0"))
    let first = try await stage.load()
    stage.answer(LoaderStage.reply("half of ano", "max-age=60").failing(with: HTTPError(.reset, "cut")))
    for _ in 0..<2 { #expect(try await stage.load().data == first.data) }
  }

  @Test(
    "failures that are the request's own fault are thrown, whatever is stored",
    arguments: [.tls, .tooManyRedirects, .insecureRedirect, .bodyTooLarge, .protocolError, .truncatedBody]
      as [HTTPError.Code])
  func otherFailures(_ code: HTTPError.Code) async throws {
    let stage = LoaderStage(LoaderStage.reply("max-age=0"))
    _ = try await stage.load()
    stage.answer(.failure(HTTPError(code, "no")))
    await #expect(throws: HTTPError.self) { try await stage.load() }
  }

  @Test("must-revalidate and a reload keep stale responses back")
  func forbidden() async throws {
    let stage = LoaderStage(LoaderStage.reply("max-age=0, must-revalidate"))
    _ = try await stage.load()
    stage.answer(.failure(HTTPError(.offline, "down")))
    await #expect(throws: HTTPError.self) { try await stage.load() }
    let lenient = LoaderStage(LoaderStage.reply("max-age=60"))
    _ = try await lenient.load()
    lenient.answer(.failure(HTTPError(.offline, "down")))
    await #expect(throws: HTTPError.self) { try await lenient.load(policy: .reloadIgnoringLocalCacheData) }
    #expect(try await lenient.load().origin == .memory)
  }

  @Test("stale-if-error serves what is stored for a 503, and the 503 itself once its time is over")
  func staleIfError() async throws {
    let stage = LoaderStage(LoaderStage.reply("max-age=60, stale-if-error=100"))
    _ = try await stage.load()
    stage.answer(LoaderStage.reply("sorry", "", status: 503))
    stage.clock.advance(by: 160)
    let stale = try await stage.load()
    #expect(stale.response.status == 200 && stale.cacheStatus.forwardStatus == 503)
    stage.clock.advance(by: 1)
    #expect(try await stage.load().response.status == 503)
    // The error has not taken the place of what is stored.
    stage.answer(LoaderStage.notModified("max-age=60"))
    #expect(try await stage.load().origin == .revalidated)
  }

  @Test("stale-while-revalidate serves at once and asks once behind the callers' backs, however many they are")
  func staleWhileRevalidate() async throws {
    let gate = Gate()
    let stage = LoaderStage(LoaderStage.reply("max-age=60, stale-while-revalidate=100"))
    let first = try await stage.load()
    stage.clock.advance(by: 60)
    stage.answer(LoaderStage.notModified("max-age=60").held(by: gate))
    for _ in 0..<5 {
      let stale = try await stage.load()
      #expect(stale.data == first.data && stale.origin == .memory)
      #expect(stale.cacheStatus.description == "Vignette; hit; ttl=0; detail=staleWhileRevalidate")
    }
    try await stage.transport.until { $0.requests.count == 2 }
    #expect(stage.sent("If-None-Match") == "\"1\"")
    gate.open()
    try await stage.transport.until { $0.running == 0 }
    try await stage.untilFresh()
    #expect(stage.transport.log.requests.count == 2)
    #expect(await stage.loader.statistics().refreshes == 1)
  }

  @Test("what is asked for behind callers' backs ends with its loader, or when told to")
  func cancellation() async throws {
    let transport: ScriptedTransport
    do {
      let stage = LoaderStage(LoaderStage.reply("max-age=0, stale-while-revalidate=100"))
      transport = stage.transport
      _ = try await stage.load()
      stage.answer(LoaderStage.reply("max-age=60").held(by: Gate()))
      _ = try await stage.load()
      try await transport.until { $0.running == 1 }
      stage.loader.cancelRefreshes()
      try await transport.until { $0.running == 0 && $0.cancelled == 1 }
      while await stage.loader.statistics().refreshes < 2 { _ = try await stage.load() }
      try await transport.until { $0.running == 1 }
    }
    try await transport.until { $0.running == 0 && $0.cancelled == 2 }
  }

  @Test("a refresh that fails leaves what is stored")
  func failedRefresh() async throws {
    let stage = LoaderStage(LoaderStage.reply("max-age=60, stale-while-revalidate=100"))
    _ = try await stage.load()
    stage.clock.advance(by: 60)
    stage.answer(LoaderStage.reply("sorry", "", status: 500))
    #expect(try await stage.load().response.status == 200)
    try await stage.transport.until { $0.requests.count == 2 && $0.running == 0 }
    #expect(try await stage.load().response.status == 200)
  }
}

extension LoaderStage {
  /// Until a load is answered by a fresh stored response.
  func untilFresh() async throws {
    while try await load().cacheStatus.detail != nil { await Task.yield() }
  }
}
