import Foundation

/// Looking into a store: what is there, without loading anything.
extension DiskStore {
  /// The version of the index's form that this library writes, and the only one it reads.
  public static let schemaVersion = Int(StoreIndex.version)

  /// One stored response. Its body is not read for it.
  public struct Entry: Sendable {
    /// Changes when another response takes the place of this one, not when the server confirms it (304).
    public var id: StoredEntryID
    /// Without its fragment; the name that stood in its place where the request gave one.
    public var url: String
    /// Whether it was given to credentials, and is found with them alone.
    public var hasCredentials: Bool
    /// `nil` where the entry is damaged.
    public var status: Int?
    public var headers: HTTPHeaders
    public var bodyBytes: Int
    /// With headers, attachments and bookkeeping.
    public var totalBytes: Int
    /// When it was sent for, and when it came or was last confirmed, by the loader's clock.
    public var requested: Date?
    public var stored: Date?
    /// When it was last read, to about a second and by the system's clock: uses are written down in batches.
    public var lastUse: Date

    /// When the response stops being fresh, by the rules of a loader with this configuration; the time it came where
    /// it never is without asking the server. `nil` where the entry is damaged.
    public func freshUntil(for configuration: HTTPLoader.Configuration = HTTPLoader.Configuration()) -> Date? {
      guard let status, let requested, let stored else { return nil }
      // Freshness does not depend on the address.
      let response = HTTPResponse(url: URL(fileURLWithPath: "/"), status: status, headers: headers)
      return CachePolicy(configuration).freshUntil(
        StoredHead(
          id: id, response: response, selectingHeaders: [:], requestTime: requested, responseTime: stored,
          bodyLength: bodyBytes))
    }
  }

  /// A store in a directory that already holds one of this version. Nothing is created, and nothing is made anew.
  /// - Throws: `DiskStoreError`: `store.missing`, `store.foreign`, `store.version`, `store.damaged`, `store.busy` or
  ///   `store.unavailable`.
  public static func existing(_ configuration: Configuration) async throws(DiskStoreError) -> DiskStore {
    let store = DiskStore(configuration: configuration)
    // When idle it would be opened, and made where there is none.
    try await store.run { core in
      Result { () throws(DiskStoreError) in try core.requireExisting() }
    }.get()
    return store
  }

  /// Whether a store would use a directory: one that holds other files is left alone.
  package static func mayUse(_ directory: URL) -> Bool { StoreDirectory.isUsable(directory.path) }

  /// Stored responses in the order in which they were first stored, a page at a time, so that loads are not held up and
  /// memory stays bounded. What is stored between two pages comes last; nothing is listed twice.
  /// - Parameters:
  ///   - cursor: the last entry of the page before; `nil` for the first page.
  ///   - limit: entries on the page, from 1 to 1000. Fewer come only on the last page.
  /// - Throws: `DiskStoreError` where the index cannot be read.
  public func entries(after cursor: StoredEntryID? = nil, limit: Int = 100) async throws(DiskStoreError) -> [Entry] {
    let limit = min(max(limit, 1), 1000)
    let cursor = cursor ?? StoredEntryID(rawValue: .min)
    return try await read { core in
      Result { () throws(DiskStoreError) in try core.entries(after: cursor, limit: limit) }
    }.get()
  }

  /// Every stored response, as `entries(after:limit:)` has them.
  /// - Parameter body: told each; returns whether to go on.
  /// - Throws: `DiskStoreError` where the index cannot be read, and what `body` throws.
  public func forEachEntry(_ body: (Entry) throws -> Bool) async throws {
    var last: StoredEntryID?
    while true {
      let page = try await entries(after: last)
      for entry in page {
        guard try body(entry) else { return }
        last = entry.id
      }
      guard page.count == 100 else { return }
    }
  }
}
