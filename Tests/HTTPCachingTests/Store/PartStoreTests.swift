import Foundation
import Testing

@testable import HTTPCaching

@Suite("Parts of bodies")
struct PartialBodyTests {
  @Test("pieces that come in any order, twice and overlapping make up the body", arguments: 0..<20 as Range<UInt64>)
  func walk(_ seed: UInt64) {
    var random = SeededGenerator(state: seed)
    let whole = random.data(Int.random(in: 0...200, using: &random))
    var body = PartialBody(total: whole.count)
    var has = [Bool](repeating: false, count: whole.count)
    for _ in 0..<60 {
      let start = Int.random(in: 0...whole.count, using: &random)
      let end = Int.random(in: start...min(start + 40, whole.count), using: &random)
      body.insert(whole[start..<end], at: start)
      for place in start..<end { has[place] = true }
      #expect(body.count == has.filter { $0 }.count, "seed \(seed)")
      #expect(body.prefix == whole.prefix(has.firstIndex(of: false) ?? whole.count), "seed \(seed)")
      #expect(body.isComplete == !has.contains(false), "seed \(seed)")
      let from = Int.random(in: 0...whole.count, using: &random)
      let to = Int.random(in: from...whole.count, using: &random)
      let expected = from < to && !has[from..<to].contains(false) ? Data(whole[from..<to]) : nil
      if from < to { #expect(body.bytes(in: from..<to) == expected, "seed \(seed)") }
      for (one, other) in zip(body.pieces, body.pieces.dropFirst()) { #expect(one.end < other.start, "seed \(seed)") }
      #expect(body.pieces.allSatisfy { !$0.data.isEmpty }, "seed \(seed)")
    }
  }

  @Test("what lies outside of the whole is left out")
  func outside() {
    var body = PartialBody(total: 4)
    body.insert(Data("x".utf8), at: -1)
    body.insert(Data("x".utf8), at: 4)
    body.insert(Data("x".utf8), at: .max)
    body.insert(Data(), at: 0)
    #expect(body.pieces.isEmpty)
    body.insert(Data("3456".utf8), at: 3)
    #expect(body.pieces == [.init(start: 3, data: Data("3".utf8))])
    #expect(PartialBody(total: 0).isComplete && PartialBody(total: -1).total == 0)
  }

  @Test("bytes that are here stay")
  func first() {
    var body = PartialBody(total: 6)
    body.insert(Data("bcd".utf8), at: 1)
    body.insert(Data("XXXX".utf8), at: 2)
    body.insert(Data("aX".utf8), at: 0)
    #expect(body.prefix == Data("abcdXX".utf8))
  }
}

@Suite("The store of parts")
struct PartStoreTests {
  private func part(
    _ text: String, at start: Int = 0, of total: Int = 10, tag: String = "\"a\"", query: CacheQuery = Rules.query(),
    headers: HTTPHeaders = [:]
  ) throws -> PartialResponse {
    let base: HTTPHeaders = [
      "ETag": tag, "Content-Length": "\(text.utf8.count)", "Cache-Control": "max-age=60",
      "Content-Range": "bytes \(start)-\(start + text.utf8.count - 1)/\(total)",
    ]
    let response = Rules.response(HTTPHeaders(base.fields + headers.fields), status: 206, url: query.url)
    return try #require(
      Rules.strict.part(query, response, Data(text.utf8), requested: Rules.epoch, received: Rules.epoch))
  }

  private func word(_ insertion: PartTable.Insertion) -> String {
    switch insertion {
    case .kept: "kept"
    case .whole(let whole): String(decoding: whole.data, as: UTF8.self)
    case .tooLarge: "tooLarge"
    }
  }

  private let query = StoreQuery(Rules.query())

  @Test("parts of one body combine until it is whole; then it is here no longer")
  func combining() throws {
    var table = PartTable(budget: 10_000)
    #expect(word(table.insert(try part("012"), for: query)) == "kept")
    #expect(word(table.insert(try part("6789", at: 6), for: query)) == "kept")
    #expect(table.part(for: query)?.body.count == 7 && table.count == 1)
    #expect(word(table.insert(try part("345", at: 3), for: query)) == "0123456789")
    #expect(table.part(for: query) == nil && table.cost == 0)
  }

  @Test("a part of another body takes the place of those there are")
  func replacing() throws {
    var table = PartTable(budget: 10_000)
    for other in [try part("xyz", at: 3, tag: "\"b\""), try part("xyz", at: 3, of: 11)] {
      #expect(word(table.insert(try part("012"), for: query)) == "kept")
      #expect(word(table.insert(other, for: query)) == "kept")
      #expect(table.part(for: query)?.body.pieces == [.init(start: 3, data: Data("xyz".utf8))])
      table.removeAll()
    }
  }

  @Test("a variant that the request does not select is not given, and gives way")
  func variants() throws {
    var table = PartTable(budget: 10_000)
    let german = Rules.query(["Accept-Language": "de"])
    let french = Rules.query(["Accept-Language": "fr"])
    let vary: HTTPHeaders = ["Vary": "Accept-Language"]
    _ = table.insert(try part("012", query: german, headers: vary), for: StoreQuery(german))
    #expect(table.part(for: StoreQuery(german)) != nil && table.part(for: StoreQuery(french)) == nil)
    #expect(
      word(table.insert(try part("3456789", at: 3, query: french, headers: vary), for: StoreQuery(french))) == "kept")
    #expect(table.part(for: StoreQuery(german)) == nil && table.part(for: StoreQuery(french)) != nil)
  }

  @Test("it keeps within its budget, drops what was used longest ago, and refuses what alone is too large")
  func budget() throws {
    let text = String(repeating: "x", count: 2000)
    let cost = try part(text, of: 90_000).cost
    var table = PartTable(budget: 3 * cost)
    func query(_ name: String) -> CacheQuery { Rules.query(url: Stores.url(name)) }
    for name in ["a", "b", "c"] {
      _ = table.insert(try part(text, of: 90_000, query: query(name)), for: StoreQuery(query(name)))
    }
    #expect(table.part(for: StoreQuery(query("a"))) != nil)
    _ = table.insert(try part(text, of: 90_000, query: query("d")), for: StoreQuery(query("d")))
    #expect(table.cost <= 3 * cost && table.evictions == 1)
    #expect(table.part(for: StoreQuery(query("b"))) == nil && table.part(for: StoreQuery(query("a"))) != nil)
    let large = String(repeating: "x", count: 4 * cost)
    #expect(
      word(table.insert(try part(large, of: 90_000, query: query("e")), for: StoreQuery(query("e")))) == "tooLarge")
    #expect(table.part(for: StoreQuery(query("e"))) == nil && table.count == 3)
    // What was there of the same body stays; of another it goes.
    let more = try part(large, at: 2000, of: 90_000, query: query("a"))
    #expect(word(table.insert(more, for: StoreQuery(query("a")))) == "tooLarge" && table.count == 3)
    let longer = try part(large, at: 2000, of: 90_000, tag: "\"b\"", query: query("a"))
    #expect(word(table.insert(longer, for: StoreQuery(query("a")))) == "tooLarge" && table.count == 2)
  }

  @Test("parts go with their key, and with their URL also where they have a name")
  func removing() throws {
    var table = PartTable(budget: 10_000)
    var named = Rules.query()
    named.name = "name"
    let user = Rules.query(["Authorization": "x"])
    for query in [Rules.query(), named, user] {
      _ = table.insert(try part("012", query: query), for: StoreQuery(query))
    }
    #expect(table.count == 3)
    table.remove(query.key)
    #expect(table.count == 2 && table.part(for: query) == nil)
    table.removeAll(url: "name")
    #expect(table.count == 1)
    _ = table.insert(try part("012", query: named), for: StoreQuery(named))
    table.removeAll(url: CacheKey.withoutFragment(Rules.url))
    #expect(table.count == 0 && table.cost == 0)
  }
}
