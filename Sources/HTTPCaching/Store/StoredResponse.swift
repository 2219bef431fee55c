import Foundation
import Synchronized

/// Names one stored response. A response that replaces another has a name of its own; one that the server has confirmed
/// (304) keeps its.
public struct StoredEntryID: Hashable, Sendable {
  /// Milliseconds since 1970 when it was made, and 20 bits that tell those of one millisecond apart. Never used again,
  /// by any process, so that what is known of an entry can never be taken for what is known of its successor.
  package let rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// Makes names that rise within a process and do not meet those of another.
final class EntryNames: Sendable {
  private let last = Locked<Int64>(0)

  /// One for the process, because several loaders may share a directory.
  static let shared = EntryNames()

  func next() -> StoredEntryID {
    let first = Self.first(at: Date()).rawValue
    return StoredEntryID(
      rawValue: last.withLock { last in
        // The system's random numbers cost a call: one for each millisecond.
        last = last >= first ? last &+ 1 : first | Int64.random(in: 0..<(1 << 20))
        return last
      })
  }
}

/// A stored response without its body: everything the rules look at.
struct StoredHead: Sendable, Equatable {
  var id: StoredEntryID
  var response: HTTPResponse
  /// The request fields that its Vary names, as they were.
  var selectingHeaders: HTTPHeaders
  /// When the request was sent and the response's head arrived, by the wall clock.
  var requestTime: Date
  var responseTime: Date
  /// Bytes.
  var bodyLength: Int
}

/// A complete response as a store keeps it.
struct StoredResponse: Sendable {
  var head: StoredHead
  var data: Data

  /// Bytes of memory it takes, roughly.
  var cost: Int {
    head.response.headers.reduce(data.count + 512) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 }
  }
}

extension EntryNames {
  /// What every name made at this time or later is at least.
  static func first(at date: Date) -> StoredEntryID {
    let milliseconds = Int64(min(max(date.timeIntervalSince1970 * 1000, 0), Double(1 << 42)))
    return StoredEntryID(rawValue: milliseconds << 20)
  }
}

/// What stored responses are found by: the URL without its fragment, the credentials they were given to, and whether
/// their bodies are in the coding they came in, which whoever wants decoded ones could not use.
///
/// Two users never share an entry. The credentials stay as they are: this key lives in memory only, as the request
/// itself does; on disk stands a digest.
struct CacheKey: Hashable, Sendable {
  var url: String
  var credentials: [String?]
  var keepsCoding: Bool

  /// - Parameter name: stands in place of the URL.
  init(url: URL, name: String? = nil, headers: HTTPHeaders, keepsCoding: Bool) {
    self.url = name ?? Self.withoutFragment(url)
    self.keepsCoding = keepsCoding
    credentials = Self.credentialFields.map { headers[$0] }
  }

  static let credentialFields = ["Authorization", "Cookie", "Proxy-Authorization"]

  static func withoutFragment(_ url: URL) -> String {
    let text = url.absoluteString
    return text.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(text[..<$0]) } ?? text
  }
}
