import Foundation
import HTTPCaching
import Testing
import VignetteTesting

@Suite("Attachments live and die with their response", .timeLimit(.minutes(5)))
struct AttachmentTests {
  static let thumbnail = Data("thumbnail".utf8)

  private func attached(_ control: String = "max-age=60") async throws -> (LoaderStage, StoredEntryID) {
    let stage = LoaderStage(LoaderStage.reply(control))
    let entry = try #require(try await stage.load().entry)
    await stage.loader.attach(Self.thumbnail, named: "t", to: entry)
    return (stage, entry)
  }

  @Test("what was attached is found by the request while its response is fresh, under its name only")
  func fresh() async throws {
    let (stage, entry) = try await attached()
    let found = try #require(await stage.loader.attachment(named: "t", for: stage.request()))
    #expect(found.data == Self.thumbnail && found.entry == entry && found.freshUntil == stage.clock.now + 60)
    #expect(await stage.loader.attachment(named: "u", for: stage.request()) == nil)
    #expect(await stage.loader.attachment(named: "t", for: stage.request(["Authorization": "x"])) == nil)
    await stage.loader.attach(Data("other".utf8), named: "t", to: entry)
    #expect(await stage.loader.attachment(named: "t", of: entry) == Data("other".utf8))
    #expect(stage.transport.log.requests.count == 1)
  }

  @Test("a stale response's attachment is given by entry, or where the cache policy takes any age")
  func stale() async throws {
    let (stage, entry) = try await attached()
    stage.clock.advance(by: 60)
    #expect(await stage.loader.attachment(named: "t", for: stage.request()) == nil)
    let any = await stage.loader.attachment(named: "t", for: stage.request(policy: .returnCacheDataElseLoad))
    #expect(any?.data == Self.thumbnail)
    #expect(await stage.loader.attachment(named: "t", of: entry) == Self.thumbnail)
    let reload = stage.request(policy: .reloadIgnoringLocalCacheData)
    #expect(await stage.loader.attachment(named: "t", for: reload) == nil)
  }

  @Test("a 304 keeps attachments, a new response has none")
  func revalidation() async throws {
    let (stage, entry) = try await attached()
    stage.clock.advance(by: 60)
    stage.answer(LoaderStage.notModified("max-age=60"))
    #expect(try await stage.load().entry == entry)
    #expect(await stage.loader.attachment(named: "t", for: stage.request())?.entry == entry)
    stage.clock.advance(by: 60)
    stage.answer(LoaderStage.reply("new", "max-age=60", tag: "\"2\""))
    _ = try await stage.load()
    #expect(await stage.loader.attachment(named: "t", for: stage.request()) == nil)
    #expect(await stage.loader.attachment(named: "t", of: entry) == nil)
    await stage.loader.attach(Self.thumbnail, named: "t", to: entry)
    #expect(await stage.loader.attachment(named: "t", for: stage.request()) == nil)
  }

  @Test("one found under stale-while-revalidate has its response asked for as well")
  func staleWhileRevalidate() async throws {
    let (stage, entry) = try await attached("max-age=60, stale-while-revalidate=100")
    stage.clock.advance(by: 60)
    stage.answer(LoaderStage.notModified("max-age=60"))
    #expect(await stage.loader.attachment(named: "t", for: stage.request())?.entry == entry)
    try await stage.transport.until { $0.requests.count == 2 }
  }

  @Test("attachments count against the budget")
  func budget() async throws {
    let (stage, entry) = try await attached()
    let before = stage.loader.memoryCost
    await stage.loader.attach(Data(count: 10_000), named: "large", to: entry)
    #expect(stage.loader.memoryCost >= before + 10_000)
    await stage.loader.attach(Data(count: 32 << 20), named: "huge", to: entry)
    #expect(await stage.loader.attachment(named: "huge", of: entry) == nil)
    #expect(await stage.loader.attachment(named: "t", of: entry) == Self.thumbnail)
  }

  @Test("what is not stored has no entry")
  func notStored() async throws {
    let stage = LoaderStage(LoaderStage.reply("no-store"))
    #expect(try await stage.load().entry == nil)
  }
}
