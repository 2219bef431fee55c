import Foundation

/// Going on with a body that broke off: what to ask for, and what the answer means (RFC 9110, sections 13.1.5 and 14).
enum Resumption {
  /// Bytes of a beginning. What is shorter costs less to fetch again than to keep and to ask about.
  static let minimumBytes = 16 << 10

  /// The fields that ask for the rest of this very body, or for the whole where it is another by now.
  static func fields(for part: PartialResponse) -> HTTPHeaders {
    ["Range": "bytes=\(part.body.prefix.count)-", "If-Range": part.validator.text]
  }

  enum Answer: Equatable {
    /// The bytes from the end of what is here to the end of the whole.
    case rest
    /// Of no use, or not to be trusted: forget the part and ask for the whole.
    case restart
    /// An answer as to any other request.
    case other
  }

  /// What came in answer to `fields(for:)`.
  static func judge(_ answer: HTTPResponse, to part: PartialResponse) -> Answer {
    switch answer.status {
    case 206:
      let place = BodyPlace(answer)
      let isRest = place?.bytes == part.body.prefix.count..<part.body.total && place?.total == part.body.total
      return isRest && StrongValidator(answer) == part.validator ? .rest : .restart
    case 416: return .restart
    default: return .other
    }
  }

  /// Whether a server that can be asked again may have more: bytes that are wrong or too many are not kept.
  static func mayFollow(_ failure: any Error) -> Bool {
    guard let failure = failure as? HTTPError else { return failure is CancellationError }
    return failure.isUnreachable || failure.code == .truncatedBody
  }
}

/// Where the bytes that a response brings belong in the whole.
struct BodyPlace: Equatable, Sendable {
  var bytes: Range<Int>
  var total: Int

  /// - Returns: `nil` where the server does not say that it serves ranges, or the bytes are not those of the body itself:
  ///   coded, or several parts in one (section 14.6). A transport that has undone a coding has taken the length away, so
  ///   that a response without one is not trusted either.
  init?(_ response: HTTPResponse) {
    let headers = response.headers
    guard headers["Content-Encoding"].map({ $0.lowercased() == "identity" }) ?? true,
      headers["Transfer-Encoding"] == nil, let text = headers.values(of: "Content-Length").first,
      let length = DeltaSeconds.number(text[...].trimmed)
    else { return nil }
    switch response.status {
    case 200:
      let units = headers["Accept-Ranges"].map { HTTPList.elements(of: $0) } ?? []
      guard units.contains(where: { $0.lowercased() == "bytes" }) else { return nil }
      bytes = 0..<length
      total = length
    case 206:
      guard let range = ContentRange(headers["Content-Range"]), let whole = range.total, range.bytes.count == length
      else { return nil }
      bytes = range.bytes
      total = whole
    default: return nil
    }
  }
}

extension CachePolicy {
  /// What is kept of a body that has not come whole (RFC 9111, section 3.3); `nil` where nothing may be, or could never
  /// be told from parts of another body.
  func part(_ query: CacheQuery, _ response: HTTPResponse, _ data: Data, requested: Date, received: Date)
    -> PartialResponse?
  {
    guard let place = BodyPlace(response), let validator = StrongValidator(response), data.count <= place.bytes.count
    else { return nil }
    var whole = response
    whole.status = 200
    whole.headers = response.headers.storable.without(["Content-Range"])
    whole.headers["Content-Length"] = "\(place.total)"
    guard mayStore(query.ofWhole, whole, received: received) == .store else { return nil }
    let head = StoredHead(
      id: EntryNames.shared.next(), response: whole,
      selectingHeaders: Variants.selectingHeaders(query.headers, for: whole), requestTime: requested,
      responseTime: received, bodyLength: place.total)
    var body = PartialBody(total: place.total)
    body.insert(data, at: place.bytes.lowerBound)
    return PartialResponse(
      address: CacheKey.withoutFragment(query.url), head: head, validator: validator, body: body)
  }
}

extension CacheQuery {
  /// The same without its range.
  var ofWhole: CacheQuery {
    var query = self
    query.headers = headers.without(["Range", "If-Range"])
    return query
  }
}
