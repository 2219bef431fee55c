import Foundation
import ImageCodecs

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One place a picture may come from. A request has at least one; the next is tried when one fails.
struct SourceCandidate: Sendable {
  var key: SourceKey
  var source: ImageRequest.Source
  /// The name under which the HTTP cache finds it, where that is not its address.
  var cacheName: String?
  /// It stands in for the picture that was asked for, and is not to be taken for it for long.
  var isAlternative = false
  /// What it can satisfy at most, where it is not the picture at its full size.
  var coverage: DecodeTarget?
}

extension ImageRequest {
  /// Where this picture may come from, in the order in which to try.
  func candidates(isLowData: Bool) -> [SourceCandidate] {
    if case .sized(let sized) = source { return candidates(of: sized) }
    guard hasExtras else { return [SourceCandidate(key: key.source, source: source)] }
    var result: [SourceCandidate] = []
    if isLowData, let lowDataAlternative { result.append(candidate(alternative: lowDataAlternative)) }
    result.append(SourceCandidate(key: key.source, source: source, cacheName: cacheName))
    return result + alternatives.map(candidate(alternative:))
  }

  private func candidates(of sized: SizedSource) -> [SourceCandidate] {
    var urls = [sized.original]
    if case .box(let size, _) = target { urls = sized.urls(for: size) }
    return urls.map { url in
      SourceCandidate(
        key: scoped(SourceKey(url)), source: .url(url), coverage: url == sized.original ? nil : target)
    } + alternatives.map(candidate(alternative:))
  }

  private func candidate(alternative: URLRequest) -> SourceCandidate {
    SourceCandidate(key: scoped(SourceKey(alternative)), source: .urlRequest(alternative), isAlternative: true)
  }

  /// What one session fetches is no other's, wherever it comes from.
  private func scoped(_ key: SourceKey) -> SourceKey {
    sessionLoader.map { SourceKey(key, session: $0.number) } ?? key
  }
}
