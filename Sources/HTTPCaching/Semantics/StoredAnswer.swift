import Foundation

/// What a stored response answers to a request that asks for less than the whole: a HEAD, a comparison with the caller's
/// own copy (RFC 9111, section 4.3.2), or a part (RFC 9110, section 14). Pure.
enum StoredAnswer {
  static func make(_ query: CacheQuery, _ response: HTTPResponse, _ data: Data) -> (HTTPResponse, Data) {
    guard response.status == 200 else { return (response, query.method == "HEAD" ? Data() : data) }
    if isUnchanged(query.headers, response) { return notModified(response) }
    guard query.method == "GET" else { return (response, Data()) }
    guard let text = query.headers["Range"], rangeHolds(query.headers, response) else { return (response, data) }
    let part = part(text, response, length: data.count) { range in
      Data(data.dropFirst(range.lowerBound).prefix(range.count))
    }
    return part ?? (response, data)
  }

  /// What parts of a body answer; `nil` where they lack something of it.
  static func make(_ query: CacheQuery, _ response: HTTPResponse, _ body: PartialBody) -> (HTTPResponse, Data)? {
    if isUnchanged(query.headers, response) { return notModified(response) }
    guard let text = query.headers["Range"], rangeHolds(query.headers, response) else { return nil }
    return part(text, response, length: body.total) { body.bytes(in: $0) }
  }

  private static func notModified(_ response: HTTPResponse) -> (HTTPResponse, Data) {
    var answer = response
    answer.status = 304
    answer.headers = response.headers.without(["Content-Length", "Content-Type", "Content-Encoding"])
    return (answer, Data())
  }

  /// RFC 9110, section 13.2.2: If-None-Match goes before If-Modified-Since. Of a response that does not say when it was
  /// last changed, it is known that it has not been since it was made (RFC 9111, section 4.3.2).
  private static func isUnchanged(_ headers: HTTPHeaders, _ response: HTTPResponse) -> Bool {
    if let list = headers["If-None-Match"] {
      let tags = HTTPList.elements(of: list)
      if tags == ["*"] { return true }
      guard let tag = response.headers.values(of: "ETag").first else { return false }
      return tags.contains { EntityTag.weaklyEqual($0, tag) }
    }
    guard let since = headers["If-Modified-Since"].flatMap({ HTTPDate.parse($0) }) else { return false }
    let modified = response.headers.values(of: "Last-Modified").first
    let changed = modified == nil ? Freshness.date(of: response) : modified.flatMap { HTTPDate.parse($0) }
    return changed.map { $0 <= since } ?? false
  }

  /// If-Range (section 13.1.5): the caller's part belongs to this very body. By date only an exact one counts.
  private static func rangeHolds(_ headers: HTTPHeaders, _ response: HTTPResponse) -> Bool {
    guard let condition = headers["If-Range"] else { return true }
    if condition.hasPrefix("\"") { return response.headers.values(of: "ETag").first == condition }
    return !condition.hasPrefix("W/") && response.headers.values(of: "Last-Modified").first == condition
  }

  /// One range of bytes; several, or what is no range, are answered with the whole, as section 14.2 allows.
  private static func part(
    _ text: String, _ response: HTTPResponse, length: Int, bytes: (Range<Int>) -> Data?
  ) -> (HTTPResponse, Data)? {
    switch ByteRange(text, length: length) {
    case nil: return nil
    case .unsatisfiable:
      var answer = response
      answer.status = 416
      answer.headers = response.headers.without(["Content-Length", "Content-Type"])
      answer.headers["Content-Range"] = "bytes */\(length)"
      return (answer, Data())
    case .bytes(let range):
      guard let data = bytes(range) else { return nil }
      var answer = response
      answer.status = 206
      answer.headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
      answer.headers["Content-Length"] = "\(range.count)"
      return (answer, data)
    }
  }
}

/// A single range of RFC 9110, section 14.1.2, within a body of known length.
enum ByteRange: Equatable {
  case bytes(Range<Int>)
  case unsatisfiable

  /// - Returns: `nil` where the text is not one range of bytes.
  init?(_ text: String, length: Int) {
    let pair = text.split(separator: "=", maxSplits: 1)
    guard pair.count == 2, pair[0].trimmed.lowercased() == "bytes" else { return nil }
    let ends = pair[1].trimmed.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    let (first, last) = (DeltaSeconds.number(ends[0]), DeltaSeconds.number(ends[1]))
    switch (first, last) {
    case (let first?, let last?):
      guard first <= last else { return nil }
      self = first < length ? .bytes(first..<min(last, length - 1) + 1) : .unsatisfiable
    case (let first?, nil):
      guard ends[1].isEmpty else { return nil }
      self = first < length ? .bytes(first..<length) : .unsatisfiable
    case (nil, let count?):
      guard ends[0].isEmpty else { return nil }
      self = count > 0 && length > 0 ? .bytes(max(length - count, 0)..<length) : .unsatisfiable
    case (nil, nil): return nil
    }
  }
}

extension DeltaSeconds {
  /// Digits only, without the bound that seconds have; more than can be counted is as many as can be.
  static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return min(Int(text) ?? .max, .max - 1)
  }
}
