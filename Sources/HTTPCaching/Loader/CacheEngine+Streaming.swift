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

  /// What may not be stored, or is longer than any store takes or than all that are gathered leave room for, is not
  /// gathered at all.
  func stream(_ reply: Reply, _ errand: Errand, _ reason: CachePolicy.Reason) -> HTTPResult {
    let length = reply.response.expectedLength(method: errand.query.method)
    let share = ByteShare(of: gatheringBytesLeft)
    guard length ?? 0 <= longestStored, mayKeep(reply, errand), share.grow(by: length ?? 0) else {
      var result = keep(reply, nil, errand, reason)
      result.body = reply.exchange.body
      return result
    }
    let gathering = BodyGathering(
      reply.exchange.body, length: length, limit: longestStored, share: share,
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

/// Gathers a body for the stores while a reader takes it, within its own limit and that of all together.
///
/// Invariant: exactly one of `keep` and `breakOff` is called, once. A body of known length is kept before its last bytes
/// are handed on, so that whoever has them all finds it stored.
final class BodyGathering: Sendable {
  fileprivate struct State {
    /// `nil` once it has become too long to be kept.
    var bytes: GatheredBytes?
    /// Holds room for a body of known length, and grows with any other.
    var share: ByteShare?
    var hasEnded = false

    /// - Returns: `nil` where it has ended before; otherwise what was gathered, if it could be.
    mutating func end() -> Data?? {
      guard !hasEnded else { return nil }
      hasEnded = true
      return .some(bytes?.take())
    }
  }

  private let source: HTTPBody
  private let length: Int?
  private let limit: Int
  private let keep: @Sendable (Data?) -> Void
  private let breakOff: @Sendable (Data) -> Void
  private let state: Locked<State>

  /// - Parameters:
  ///   - length: of the whole in bytes, where it is known.
  ///   - limit: bytes that are gathered at most.
  ///   - share: has grown by `length`.
  ///   - keep: given the whole body, or `nil` where it is too long.
  ///   - breakOff: given the beginning of a body that was not read or did not come to its end.
  init(
    _ source: HTTPBody, length: Int?, limit: Int, share: ByteShare, keep: @escaping @Sendable (Data?) -> Void,
    breakOff: @escaping @Sendable (Data) -> Void
  ) {
    self.source = source
    self.length = length
    self.limit = limit
    self.keep = keep
    self.breakOff = breakOff
    state = Locked(State(bytes: GatheredBytes(expecting: min(length ?? 0, limit)), share: share))
  }

  deinit {
    if let data = state.withLock({ $0.end() }) ?? nil { breakOff(data) }
  }

  /// The next chunk, once it has been gathered.
  func next() async throws -> Data? {
    var iterator = source.makeAsyncIterator()
    let chunk: Data?
    do { chunk = try await iterator.next() } catch {
      if let data = state.withLock({ $0.end() }) ?? nil, Resumption.mayFollow(error) { breakOff(data) }
      throw error
    }
    let whole: Data?? = state.withLock { state in
      if let chunk { state.append(chunk, length: length, limit: limit) }
      let isOver = chunk == nil || state.bytes == nil || state.bytes?.count == length
      return isOver ? state.end() : nil
    }
    if let whole { keep(whole) }
    return chunk
  }
}

extension BodyGathering.State {
  fileprivate mutating func append(_ chunk: Data, length: Int?, limit: Int) {
    guard !hasEnded, let bytes else { return }
    let count = bytes.count + chunk.count
    let hasRoom = length.map { count <= $0 } ?? (count <= limit && share?.grow(by: chunk.count) == true)
    guard !hasRoom || !bytes.append(chunk) else { return }
    self.bytes = nil
    share = nil
  }
}
