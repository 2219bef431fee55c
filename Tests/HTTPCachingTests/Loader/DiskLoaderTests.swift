import Foundation
import HTTPCaching
import Testing
import VignetteTesting

@Suite("The loader over memory and disk", .timeLimit(.minutes(5)))
struct DiskLoaderTests {
  private let directory = TemporaryDirectory()

  private func stage(
    _ reply: ScriptedTransport.Reply, memory: Int = 1 << 20,
    _ change: (inout DiskStore.Configuration) -> Void = { _ in }
  ) -> LoaderStage {
    LoaderStage(reply) { configuration in
      configuration.memoryBudget = memory
      var disk = DiskStore.Configuration(directory: directory.url)
      disk.idleDelay = 1000
      change(&disk)
      configuration.disk = disk
    }
  }

  /// As a process that starts anew has it: nothing in memory.
  private func restarted(_ old: LoaderStage, _ reply: ScriptedTransport.Reply) async -> LoaderStage {
    await old.loader.disk?.flush()
    return stage(reply)
  }

  @Test("what one loader stored the next has from disk, and then in memory")
  func restart() async throws {
    let first = stage(LoaderStage.reply("max-age=60"))
    let stored = try await first.load()
    let second = await restarted(first, LoaderStage.reply("other", "max-age=60"))
    second.clock.advance(by: 59)
    let found = try await second.load()
    #expect(found.origin == .disk && found.data == stored.data && found.entry == stored.entry)
    #expect(found.response.headers["Age"] == "59" && found.cacheStatus.description == "Vignette; hit; ttl=1")
    #expect(found.freshUntil == stored.freshUntil && found.response.url == stored.response.url)
    #expect(try await second.load().origin == .memory)
    #expect(second.transport.log.requests.isEmpty)
    let statistics = await second.loader.statistics()
    #expect(statistics.diskHits == 1 && statistics.memoryHits == 1 && statistics.disk?.entries == 1)
  }

  @Test("a stale response on disk is asked about, and its body read only once it is confirmed")
  func revalidation() async throws {
    let first = stage(LoaderStage.reply("max-age=60"))
    let stored = try await first.load()
    await first.loader.attach(Data("t".utf8), named: "t", to: try #require(stored.entry))
    let second = await restarted(first, LoaderStage.notModified("max-age=60"))
    second.clock.advance(by: 60)
    #expect(await second.loader.attachment(named: "t", for: second.request()) == nil)
    let confirmed = try await second.load()
    #expect(confirmed.origin == .revalidated && confirmed.data == stored.data && confirmed.entry == stored.entry)
    #expect(second.sent("If-None-Match") == "\"1\"")
    let third = await restarted(second, .failure(HTTPError(.offline, "down")))
    third.clock.advance(by: 119)
    #expect(try await third.load().origin == .disk)
    #expect(await third.loader.attachment(named: "t", for: third.request())?.data == Data("t".utf8))
  }

  @Test("without a server the disk serves what is stale")
  func offline() async throws {
    let first = stage(LoaderStage.reply("max-age=60"))
    _ = try await first.load()
    let second = await restarted(first, .failure(HTTPError(.offline, "down")))
    second.clock.advance(by: 1e6)
    let stale = try await second.load()
    #expect(stale.data == Data("body".utf8) && stale.origin == .disk)
    #expect(stale.cacheStatus.detail == "transport.offline")
  }

  @Test("a body that was damaged on disk is fetched again whole, also where the server says 304")
  func damaged() async throws {
    let first = stage(LoaderStage.reply("max-age=60")) { $0.inlineBytes = 0 }
    _ = try await first.load()
    await first.loader.disk?.flush()
    let file = try #require(directory.bodies.first)
    try Data("dody".utf8).write(to: URL(fileURLWithPath: directory.path(file)))
    let second = await restarted(first, LoaderStage.reply("body", "max-age=60"))
    #expect(try await second.load().origin == .network)
    #expect(try await second.load().data == Data("body".utf8))
    await second.loader.disk?.flush()
    #expect(directory.bodies.isEmpty)
  }

  @Test("what confirms a damaged body is asked again without a condition")
  func damagedAndStale() async throws {
    let first = stage(LoaderStage.reply("max-age=60")) { $0.inlineBytes = 0 }
    _ = try await first.load()
    await first.loader.disk?.flush()
    let file = try #require(directory.bodies.first)
    try Data("dody".utf8).write(to: URL(fileURLWithPath: directory.path(file)))
    let second = await restarted(first, LoaderStage.notModified("max-age=60"))
    second.clock.advance(by: 60)
    let result = try await second.load()
    #expect(result.response.status == 304 && second.transport.log.requests.count == 2)
    #expect(second.sent("If-None-Match") == nil)
  }

  @Test("a loader without memory serves from disk alone, parts and HEAD as well")
  func diskAlone() async throws {
    let stage = stage(LoaderStage.reply("0123456789", "max-age=60"), memory: 0)
    _ = try await stage.load()
    #expect(try await stage.load().origin == .disk)
    #expect(try await stage.load(["Range": "bytes=2-3"]).data == Data("23".utf8))
    #expect(try await stage.load(method: "HEAD").data.isEmpty)
    #expect(stage.transport.log.requests.count == 1)
  }

  @Test("forgetting, invalidating and removing reach the disk")
  func removing() async throws {
    let stage = stage(LoaderStage.reply("max-age=60"))
    let removals: [(HTTPLoader) -> Void] = [
      { $0.forget(stage.request()) }, { $0.removeAll() }, { $0.removeAll(of: LoaderStage.url) },
    ]
    for remove in removals {
      _ = try await stage.load()
      #expect(await stage.loader.statistics().disk?.entries == 1)
      remove(stage.loader)
      #expect(await stage.loader.statistics().disk?.entries == 0)
    }
    #expect(try await stage.load().origin == .network)
    _ = try await stage.load(method: "DELETE")
    #expect(await stage.loader.statistics().disk?.entries == 0)
  }

  @Test("a newer response of another process is taken, not the older in memory")
  func otherProcess() async throws {
    let one = stage(LoaderStage.reply("one", "max-age=60"))
    _ = try await one.load()
    await one.loader.disk?.flush()
    let other = stage(LoaderStage.reply("two", "max-age=60"))
    for clock in [one.clock, other.clock] { clock.advance(by: 60) }
    _ = try await other.load()
    await other.loader.disk?.flush()
    let found = try await one.load()
    #expect(found.data == Data("two".utf8) && found.origin == .disk)
    #expect(one.transport.log.requests.count == 1)
  }

  @Test("a store that cannot work costs no load")
  func broken() async throws {
    try Data().write(to: directory.url)
    let stage = stage(LoaderStage.reply("max-age=0"))
    for _ in 0..<3 { #expect(try await stage.load().data == Data("body".utf8)) }
    #expect(await stage.loader.statistics().disk?.isAvailable == false)
  }
}
