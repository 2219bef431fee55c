import Foundation
import HTTPCaching

extension ScriptedServer {
  /// A request as the server received it.
  public struct Request: Sendable {
    public var method: String
    /// Path and query as sent.
    public var target: String
    /// Path without query, percent-decoding removed.
    public var path: String
    /// Query items, percent-decoding removed; the last of a name counts.
    public var query: [String: String]
    public var headers: HTTPHeaders
    public var body: Data
    /// How many requests for this path have come, this one included.
    public var number: Int
    /// Which connection it came on, counted from 1.
    public var connection: Int

    /// Parses a head up to and without its empty line.
    init?(head: Data, connection: Int) {
      let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
      let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
      method = String(words[0])
      target = String(words[1])
      let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      path = parts.first?.removingPercentEncoding ?? target
      query = [:]
      for item in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
        let pair = item.split(separator: "=", maxSplits: 1).map { String($0).removingPercentEncoding ?? String($0) }
        if let name = pair.first { query[name] = pair.count > 1 ? pair[1] : "" }
      }
      headers = HTTPHeaders()
      for line in lines.dropFirst() {
        guard let colon = line.firstIndex(of: ":") else { continue }
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        headers.append(name: String(line[..<colon]), value: value)
      }
      body = Data()
      number = 0
      self.connection = connection
    }

    var wantsClose: Bool { headers["Connection"]?.lowercased() == "close" }
  }
}
