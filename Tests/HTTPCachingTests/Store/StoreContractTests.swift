import Foundation
import Testing

@testable import HTTPCaching

@Suite("What every store does", .timeLimit(.minutes(5)))
struct StoreContractTests {
  enum Kind: CaseIterable, Sendable {
    case memory, disk, diskWithFiles
  }

  /// The stage is kept for its directory.
  private func make(_ kind: Kind) -> (store: any ResponseStore, stage: StoreStage?) {
    guard kind != .memory else { return (MemoryStore(budget: 1 << 20), nil) }
    let stage = StoreStage { if kind == .diskWithFiles { $0.inlineBytes = -1 } }
    return (stage.store, stage)
  }

  private let body = Data("body".utf8)

  @Test("a response is found by its URL, with its head as it was", arguments: Kind.allCases)
  func roundTrip(_ kind: Kind) async throws {
    let (store, stage) = make(kind)
    let headers: HTTPHeaders = ["Cache-Control": "max-age=60", "X-Many": "1", "x-many": "2", "X-Empty": "", "É": "ü"]
    let id = store.put("a", body, headers: headers)
    let found = try #require(await store.select(Stores.query("a")) { _ in .body })
    #expect(found.data == body && found.head.id == id && found.head.response.headers == headers)
    #expect(found.head.bodyLength == 4 && found.head.responseTime == Rules.epoch && found.head.response.status == 200)
    #expect(found.head.response.url == Stores.url("a"))
    #expect(await store.get("b") == nil)
    #expect(await store.body(of: id) == body)
    _ = stage
  }

  @Test("an empty body is a body", arguments: Kind.allCases)
  func emptyBody(_ kind: Kind) async {
    let (store, stage) = make(kind)
    store.put("a", Data())
    #expect(await store.get("a") == Data())
    _ = stage
  }

  @Test("a newer response replaces the older, with its attachments", arguments: Kind.allCases)
  func replacing(_ kind: Kind) async {
    let (store, stage) = make(kind)
    let old = store.put("a", body)
    store.attach(Data("t".utf8), named: "t", to: old)
    let new = store.put("a", Data("new".utf8))
    #expect(await store.get("a") == Data("new".utf8))
    #expect(await store.body(of: old) == nil)
    #expect(await store.attachment(named: "t", of: old) == nil)
    #expect(await store.attachment(named: "t", of: new) == nil)
    _ = stage
  }

  @Test("credentials part responses", arguments: Kind.allCases)
  func credentials(_ kind: Kind) async {
    let (store, stage) = make(kind)
    let users: [HTTPHeaders] = [
      [:], ["Authorization": "a"], ["Cookie": "a"], ["Authorization": "", "Cookie": ""],
      ["Authorization": "a", "Cookie": "a"],
      ["Authorization": "ab"],
    ]
    for (number, user) in users.enumerated() { store.put("a", Data([UInt8(number)]), request: user) }
    for (number, user) in users.enumerated() {
      #expect(await store.get("a", request: user) == Data([UInt8(number)]))
    }
    store.removeAll(url: CacheKey.withoutFragment(Stores.url("a")))
    for user in users { #expect(await store.get("a", request: user) == nil) }
    _ = stage
  }

  @Test("variants live side by side, each found by its request's fields", arguments: Kind.allCases)
  func variants(_ kind: Kind) async {
    let (store, stage) = make(kind)
    let headers: HTTPHeaders = ["Vary": "Accept, X-Key"]
    let requests: [HTTPHeaders] = [
      [:], ["Accept": "a"], ["Accept": "b"], ["Accept": "a", "X-Key": "1"], ["X-Key": "a"], ["Accept": ""],
    ]
    for (number, request) in requests.enumerated() {
      store.put("a", Data([UInt8(number)]), headers: headers, request: request)
    }
    for (number, request) in requests.enumerated() {
      #expect(await store.get("a", request: request) == Data([UInt8(number)]))
    }
    #expect(await store.get("a", request: ["Accept": "c"]) == nil)
    store.put("a", Data("new".utf8), headers: headers, request: ["Accept": "a"])
    #expect(await store.get("a", request: ["Accept": "a"]) == Data("new".utf8))
    #expect(await store.get("a", request: ["Accept": "b"]) == Data([2]))
    store.removeSelected(by: Stores.query("a", ["Accept": "b"]))
    #expect(await store.get("a", request: ["Accept": "b"]) == nil)
    #expect(await store.get("a") == Data([0]))
    _ = stage
  }

  @Test("variants of one URL are bounded, and the oldest make room", arguments: Kind.allCases)
  func manyVariants(_ kind: Kind) async {
    let (store, stage) = make(kind)
    for number in 0..<40 {
      store.put("a", Data([UInt8(number)]), headers: ["Vary": "X-Number"], request: ["X-Number": "\(number)"])
    }
    var found: [Int] = []
    for number in 0..<40 where await store.get("a", request: ["X-Number": "\(number)"]) != nil { found.append(number) }
    #expect(found == Array(24..<40))
    _ = stage
  }

  @Test("attachments are found by name and entry, and replaced by name", arguments: Kind.allCases)
  func attachments(_ kind: Kind) async throws {
    let (store, stage) = make(kind)
    let id = store.put("a", body)
    for name in ["t", "", "b", "ä/../%00"] { store.attach(Data(name.utf8), named: name, to: id) }
    for name in ["t", "", "b", "ä/../%00"] {
      #expect(await store.attachment(named: name, of: id) == Data(name.utf8))
      #expect(await store.select(Stores.query("a")) { _ in .attachment(name) }?.data == Data(name.utf8))
    }
    store.attach(Data("new".utf8), named: "t", to: id)
    #expect(await store.attachment(named: "t", of: id) == Data("new".utf8))
    let missing = try #require(await store.select(Stores.query("a")) { _ in .attachment("none") })
    #expect(missing.data == nil && missing.head.id == id)
    store.attach(body, named: "t", to: StoredEntryID(rawValue: 1))
    #expect(await store.attachment(named: "t", of: StoredEntryID(rawValue: 1)) == nil)
    #expect(await store.get("a") == body)
    _ = stage
  }

  @Test("a new head keeps name, body and attachments", arguments: Kind.allCases)
  func freshening(_ kind: Kind) async throws {
    let (store, stage) = make(kind)
    let id = store.put("a", body)
    store.attach(body, named: "t", to: id)
    var head = try #require(await store.head("a"))
    head.response.headers["X-New"] = String(repeating: "x", count: 5000)
    head.responseTime += 100
    store.freshen(head, for: Stores.query("a"))
    let found = try #require(await store.select(Stores.query("a")) { _ in .body })
    #expect(found.head == head && found.data == body)
    #expect(await store.attachment(named: "t", of: id) == body)
    head.id = StoredEntryID(rawValue: 7)
    store.freshen(head, for: Stores.query("a"))
    #expect(await store.head("a")?.id == id)
    _ = stage
  }

  @Test("what is stored under a name goes with it, and with the URL it came from", arguments: Kind.allCases)
  func names(_ kind: Kind) async {
    let (store, stage) = make(kind)
    func query(_ url: String, _ name: String, user: String? = nil) -> StoreQuery {
      var query = CacheQuery(method: "GET", url: Stores.url(url), headers: [:], name: name)
      query.headers["Authorization"] = user
      return StoreQuery(query)
    }
    let queries = [query("a", "one"), query("a", "two", user: "x"), query("b", "three"), query("b", "four")]
    for query in queries { store.put(Data("named".utf8), for: query) }
    store.put("a", body)
    store.removeAll(url: CacheKey.withoutFragment(Stores.url("a")))
    store.removeAll(url: "four")
    var left: [String?] = []
    for query in queries where await store.select(query, wanted: { _ in .nothing }) != nil { left.append(query.name) }
    #expect(left == ["three"])
    #expect(await store.get("a") == nil)
    // Replaced by one from elsewhere, it is not of the old URL any more.
    store.put(Data("moved".utf8), for: query("c", "three"))
    store.removeAll(url: CacheKey.withoutFragment(Stores.url("b")))
    #expect(await store.select(query("z", "three")) { _ in .body }?.data == Data("moved".utf8))
    store.removeAll(url: CacheKey.withoutFragment(Stores.url("c")))
    #expect(await store.select(query("z", "three")) { _ in .body } == nil)
    _ = stage
  }

  @Test("a way along redirects is removed to its end, also where it has none", arguments: Kind.allCases)
  func ways(_ kind: Kind) async {
    let (store, stage) = make(kind)
    let site = ["a": "b", "b": "c", "x": "y", "y": "x"].mapValues { "http://host/" + $0 }
    func query(_ name: String) -> StoreQuery {
      StoreQuery(CacheQuery(method: "GET", url: SiteStage.url("/" + name), headers: [:]))
    }
    for (name, location) in site {
      store.put(Data(), for: query(name), status: 301, headers: ["Location": location])
    }
    for name in ["c", "d"] { store.put(body, for: query(name)) }
    for name in ["a", "x"] { store.removeWay(from: query(name)) }
    var left: [String] = []
    for name in ["a", "b", "c", "d", "x", "y"] where await store.select(query(name), wanted: { _ in .nothing }) != nil {
      left.append(name)
    }
    #expect(left == ["d"])
    _ = stage
  }

  @Test("removal is complete", arguments: Kind.allCases)
  func removal(_ kind: Kind) async {
    let (store, stage) = make(kind)
    let id = store.put("a", body)
    store.put("b", body)
    store.put("c", body)
    store.remove(id)
    #expect(await store.get("a") == nil)
    #expect(await store.get("b") == body)
    store.removeAll()
    #expect(await store.get("b") == nil)
    #expect(await store.get("c") == nil)
    store.put("b", body)
    #expect(await store.get("b") == body)
    _ = stage
  }
}

@Suite("The store in memory")
struct MemoryStoreTests {
  @Test("it never exceeds its budget and never loses count", arguments: 0..<8 as Range<UInt64>)
  func walk(_ seed: UInt64) async {
    var random = SeededGenerator(state: seed)
    let store = MemoryStore(budget: 60_000)
    var ids: [StoredEntryID] = []
    for _ in 0..<1500 {
      let name = "\(Int.random(in: 0..<12, using: &random))"
      switch Int.random(in: 0..<10, using: &random) {
      case 0: store.removeAll(url: CacheKey.withoutFragment(Stores.url(name)))
      case 1: store.removeSelected(by: Stores.query(name, ["X": "1"]))
      case 2, 3:
        if let id = ids.randomElement(using: &random) {
          store.attach(Data(count: Int.random(in: 0..<20_000, using: &random)), named: "t", to: id)
        }
      case 4: if let id = ids.randomElement(using: &random) { store.remove(id) }
      default:
        let request: HTTPHeaders = ["X": "\(Int.random(in: 0..<3, using: &random))"]
        let size = Int.random(in: 0..<16_000, using: &random)
        ids.append(store.put(name, Data(count: size), headers: ["Vary": "X"], request: request))
      }
      #expect(store.cost <= 60_000, "seed \(seed)")
    }
    for name in 0..<12 { store.removeAll(url: CacheKey.withoutFragment(Stores.url("\(name)"))) }
    #expect(store.cost == 0 && store.count == 0, "seed \(seed)")
  }
}
