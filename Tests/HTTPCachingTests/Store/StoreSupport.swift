import Foundation
import Synchronized

@testable import HTTPCaching

/// A directory that goes with the test.
final class TemporaryDirectory: Sendable {
  let url: URL

  init() {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("vignette-store-\(UUID().uuidString)")
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Paths of all files in it, relative to it.
  var files: [String] {
    let found = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
    return found.filter { path in
      var isDirectory: ObjCBool = false
      let path = url.appendingPathComponent(path).path
      return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && !isDirectory.boolValue
    }.sorted()
  }

  var bodies: [String] { files.filter { $0.hasPrefix("bodies/") } }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

/// A store in a directory of its own, and short words for what a loader does with it.
struct StoreStage {
  let directory: TemporaryDirectory
  let store: DiskStore
  let log = Locked<[String]>([])

  init(
    _ directory: TemporaryDirectory = TemporaryDirectory(),
    configure: (inout DiskStore.Configuration) -> Void = { _ in }
  ) {
    self.directory = directory
    var configuration = DiskStore.Configuration(directory: directory.url)
    configuration.idleDelay = 1000
    configuration.pendingGrace = 0
    configuration.log = { [log] line in log.withLock { $0.append(line) } }
    configure(&configuration)
    store = DiskStore(configuration: configuration)
  }
}

/// Short words for stores of both kinds.
extension ResponseStore {
  @discardableResult
  func put(
    _ name: String, _ body: Data, headers: HTTPHeaders = ["Cache-Control": "max-age=60"], request: HTTPHeaders = [:]
  ) -> StoredEntryID {
    put(body, for: Stores.query(name, request), headers: headers)
  }

  @discardableResult
  func put(
    _ body: Data, for query: StoreQuery, status: Int = 200, headers: HTTPHeaders = ["Cache-Control": "max-age=60"]
  ) -> StoredEntryID {
    let response = HTTPResponse(url: query.url, status: status, headers: headers)
    let head = StoredHead(
      id: EntryNames.shared.next(), response: response,
      selectingHeaders: Variants.selectingHeaders(query.headers, for: response), requestTime: Rules.epoch,
      responseTime: Rules.epoch, bodyLength: body.count)
    insert(StoredResponse(head: head, data: body), for: query)
    return head.id
  }

  func get(_ name: String, request: HTTPHeaders = [:]) async -> Data? {
    await select(Stores.query(name, request)) { _ in .body }?.data
  }

  func head(_ name: String, request: HTTPHeaders = [:]) async -> StoredHead? {
    await select(Stores.query(name, request)) { _ in .nothing }?.head
  }
}

enum Stores {
  static func query(_ name: String, _ headers: HTTPHeaders = [:]) -> StoreQuery {
    StoreQuery(CacheQuery(method: "GET", url: url(name), headers: headers))
  }

  static func url(_ name: String) -> URL { URL(fileURLWithPath: "/" + name) }
}

/// Numbers from a seed, the same everywhere (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func data(_ count: Int) -> Data {
    Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) })
  }
}
