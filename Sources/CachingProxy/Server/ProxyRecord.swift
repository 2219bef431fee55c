import Dispatch

/// One exchange with a client, for a log.
package struct ProxyRecord: Sendable {
  package var method: String
  package var target: String
  package var status: Int
  /// The value of the field `Cache-Status` (RFC 9211); `nil` where the cache had no part in the answer.
  package var cacheStatus: String?
  /// Of the body, as it was sent.
  package var bytes: Int
  /// From the end of the request's head to the end of the answer.
  package var milliseconds: Double
  /// `false` where the client or the origin ended it early.
  package var isComplete: Bool
}

/// When an exchange began.
struct ExchangeClock {
  private let request: RequestHead
  private let start = DispatchTime.now().uptimeNanoseconds

  init(_ request: RequestHead) { self.request = request }

  func record(_ answer: Answer, bytes: Int, isComplete: Bool) -> ProxyRecord {
    ProxyRecord(
      method: request.method, target: request.target, status: answer.status, cacheStatus: answer.cacheStatus,
      bytes: bytes, milliseconds: Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6, isComplete: isComplete)
  }
}
