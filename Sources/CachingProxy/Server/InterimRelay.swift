import HTTPCaching

/// Passes interim responses (RFC 9110, section 15.2) on to the client while the final one is waited for. What comes
/// later, as for a refresh behind the client's back, goes nowhere.
struct InterimRelay: Sendable {
  let responses: InterimResponses
  private let heads: AsyncStream<(Int, HTTPHeaders)>.Continuation
  private let sending: Task<Void, Never>

  /// An origin does not send many; more than these at once are dropped.
  private static let waiting = 16

  /// - Parameter isWanted: HTTP/1.0 does not know them (RFC 9110, section 15.2).
  init(_ socket: Socket, _ limits: ProxyLimits, isWanted: Bool) {
    let (stream, heads) = AsyncStream.makeStream(
      of: (Int, HTTPHeaders).self, bufferingPolicy: .bufferingOldest(Self.waiting))
    self.heads = heads
    responses = InterimResponses { status, headers in
      // The proxy has answered the expectation itself.
      if isWanted, status != 100, headers.mayBePassedOn { heads.yield((status, headers)) }
    }
    sending = Task {
      var pace = Pace(limits)
      for await (status, headers) in stream {
        let fields = HTTPHeaders(HopByHop.removed(from: headers))
        // A client that takes nothing is noticed with the final response.
        try? await socket.send(ResponseHead.interim(status, fields), &pace)
      }
    }
  }

  /// Returns when the last one has been sent.
  func end() async {
    heads.finish()
    await sending.value
  }
}
