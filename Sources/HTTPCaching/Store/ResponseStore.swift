import Foundation

/// Keeps responses under keys, several variants each, and attachments under responses. Two implementations: memory and
/// disk. Reading may wait; changes take effect in the order they are made, before any later reading, and never fail
/// towards the caller: a store that cannot keep something has not got it.
protocol ResponseStore: Sendable {
  /// The newest variant that the request selects. It counts as used.
  /// - Parameter wanted: tells from the head what else to read; asked at most once for each variant, on any thread.
  func select(_ query: StoreQuery, wanted: @escaping @Sendable (StoredHead) -> StoredPart) async -> Selected?
  func body(of id: StoredEntryID) async -> Data?
  func attachment(named name: String, of id: StoredEntryID) async -> Data?

  /// Keeps a response in place of the variants that the same request selects.
  /// - Returns: `false` where it is known at once that it will not be kept.
  @discardableResult
  func insert(_ response: StoredResponse, for query: StoreQuery) -> Bool
  /// Puts another head on a stored response, under the same name.
  func freshen(_ head: StoredHead, for query: StoreQuery)
  func attach(_ data: Data, named name: String, to id: StoredEntryID)
  /// Counts a response as used that was found elsewhere.
  func touch(_ id: StoredEntryID)
  /// Drops the variants that the request selects.
  func removeSelected(by query: StoreQuery)
  /// Drops the variants that the request selects; where the newest is a redirect, also what it leads to, and so on.
  func removeWay(from query: StoreQuery)
  func remove(_ id: StoredEntryID)
  /// Drops every response of a URL, whoever it was given to and whatever it is kept under.
  func removeAll(url: String)
  func removeAll()
}

/// The request as a store sees it.
struct StoreQuery: Sendable {
  var key: CacheKey
  var url: URL
  /// What it is stored under in place of its URL.
  var name: String?
  /// All fields of the request, by which a variant is selected.
  var headers: HTTPHeaders

  /// The URL without its fragment, where the key has a name in place of that.
  var address: String? { name.map { _ in CacheKey.withoutFragment(url) } }

  init(_ query: CacheQuery) {
    key = CacheKey(url: query.url, name: query.name, headers: query.headers, keepsCoding: query.keepsCoding)
    url = query.url
    name = query.name
    headers = query.headers
  }
}

/// What to read of a stored response beside its head.
enum StoredPart: Sendable {
  case nothing
  case body
  case attachment(String)
}

struct Selected: Sendable {
  var head: StoredHead
  /// The wanted part; `nil` where none was wanted, or an attachment is not there.
  var data: Data?
}
