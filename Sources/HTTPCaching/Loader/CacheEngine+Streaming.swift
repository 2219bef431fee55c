import Foundation
import Synchronized

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Responses that go on to the caller while they arrive.
extension CacheEngine {
  func stream(for request: URLRequest, options: TransportOptions) async throws -> HTTPResult {
    var options = options
    options.followsRedirects = false
    var errand = try Errand(request, options: options, name: nil, time: timeLimit(options))
    errand.isStreamed = true
    return try await answer(errand)
  }

  /// What may not be stored, or is longer than any store takes, is not gathered at all.
  func stream(_ reply: Reply, _ errand: Errand, _ reason: CachePolicy.Reason) -> HTTPResult {
    let length = reply.response.expectedLength(method: errand.query.method)
    guard length ?? 0 <= longestStored, mayKeep(reply, errand) else {
      var result = keep(reply, nil, errand, reason)
      result.body = reply.exchange.body
      return result
    }
    let gathering = BodyGathering(
      reply.exchange.body, length: length, limit: longestStored,
      keep: { _ = self.keep(reply, $0, errand, reason) },
      breakOff: { self.keepBeginning($0, of: reply, errand) })
    // Said before it is so, as the body goes out before it is whole.
    var result = result(of: reply, head(of: reply, errand, bodyLength: 0), errand, reason, isStored: true)
    result.body = HTTPBody { try await gathering.next() }
    return result
  }

  /// Bytes of the longest body that some store takes.
  private var longestStored: Int {
    max(
      memory.largestEntry, disk.map { min($0.configuration.maximumEntryBytes, $0.configuration.budgetBytes / 2) } ?? 0)
  }

  private func mayKeep(_ reply: Reply, _ errand: Errand) -> Bool {
    if reply.response.status == 206 { return BodyPlace(reply.response) != nil }
    let head = head(of: reply, errand, bodyLength: 0)
    return policy.mayStore(errand.query, head.response, received: head.responseTime) == .store
  }
}

/// Gathers a body for the stores while a reader takes it, within a limit.
///
/// Invariant: exactly one of `keep` and `breakOff` is called, once. A body of known length is kept before its last bytes
/// are handed on, so that whoever has them all finds it stored.
final class BodyGathering: Sendable {
  fileprivate struct State {
    /// `nil` once it has become too long to be kept.
    var data: Data? = Data()
    var hasEnded = false

    mutating func end() -> Bool {
      defer { hasEnded = true }
      return !hasEnded
    }
  }

  private let source: HTTPBody
  private let length: Int?
  private let limit: Int
  private let keep: @Sendable (Data?) -> Void
  private let breakOff: @Sendable (Data) -> Void
  private let state = Locked(State())

  /// - Parameters:
  ///   - length: of the whole in bytes, where it is known.
  ///   - limit: bytes that are gathered at most.
  ///   - keep: given the whole body, or `nil` where it is too long.
  ///   - breakOff: given the beginning of a body that was not read or did not come to its end.
  init(
    _ source: HTTPBody, length: Int?, limit: Int, keep: @escaping @Sendable (Data?) -> Void,
    breakOff: @escaping @Sendable (Data) -> Void
  ) {
    self.source = source
    self.length = length
    self.limit = limit
    self.keep = keep
    self.breakOff = breakOff
    if let length { state.withLock { $0.data?.reserveCapacity(min(length, limit)) } }
  }

  deinit {
    let (data, isOpen) = state.withLock { ($0.data, $0.end()) }
    if isOpen, let data { breakOff(data) }
  }

  /// The next chunk, once it has been gathered.
  func next() async throws -> Data? {
    var iterator = source.makeAsyncIterator()
    let chunk: Data?
    do { chunk = try await iterator.next() } catch {
      let (data, isOpen) = state.withLock { ($0.data, $0.end()) }
      if isOpen, let data, Resumption.mayFollow(error) { breakOff(data) }
      throw error
    }
    let (data, isOver) = state.withLock { state in
      if let chunk { state.append(chunk, limit: limit) }
      let isOver = chunk == nil || state.data == nil || state.data?.count == length
      return (state.data, isOver && state.end())
    }
    if isOver { keep(data) }
    return chunk
  }
}

extension BodyGathering.State {
  fileprivate mutating func append(_ chunk: Data, limit: Int) {
    guard let count = data?.count else { return }
    if count + chunk.count <= limit { data?.append(chunk) } else { data = nil }
  }
}
