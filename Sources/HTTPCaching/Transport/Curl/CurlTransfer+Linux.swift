#if !canImport(Darwin)
  internal import CCurl
  import Foundation

  /// One exchange on the event thread: the request now on the wire (it changes with redirects), what has arrived, and
  /// when it is late. Decides what each line and each piece of body means.
  final class CurlTransfer: @unchecked Sendable {
    // guard: after it is posted to the inbox everything but `channel` is touched by the event thread alone; libcurl's
    // callbacks run there too.

    private enum Phase {
      case head
      /// The body of a redirect, of which nobody wants more than keeps the connection usable.
      case redirecting(status: Int, location: String)
      case body
    }

    let channel: TransferChannel
    private(set) var request: OutgoingRequest
    private let options: TransportOptions
    private(set) var handle: UnsafeMutableRawPointer?
    /// Whether there is what the reader should hear of, and the turn knows.
    private var hasNews = false
    private var turn: CurlTurn?

    private var phase = Phase.head
    private var parser = ResponseHeadParser()
    private var redirects = 0
    private var received = 0
    /// The same before decoding, for what decodes to nothing.
    private var coded = 0
    private var sent = 0
    private var gate: SocketGate?
    /// Whether the request may have reached a server.
    private var isOnTheWire = false
    private var decoder: ContentDecoder?
    /// libcurl waits for `resume`.
    private var isPaused = false
    /// The decoder holds what the reader had no room for.
    private var hasBacklog = false
    /// Why we stopped the transfer ourselves.
    private var failure: (any Error)?
    private var fields: UnsafeMutablePointer<curl_slist>?
    private let reason = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var totalDeadline = Double.infinity
    private var lastActivity = 0.0

    /// A redirect's body longer than this costs more than a new connection.
    private static let discardedBytes = 64 << 10

    init(_ request: OutgoingRequest, options: TransportOptions, channel: TransferChannel) {
      self.request = request
      self.options = options
      self.channel = channel
      reason[0] = 0
    }

    deinit {
      curl_slist_free_all(fields)
      reason.deallocate()
    }

    // MARK: Course

    func begin(_ turn: CurlTurn) {
      self.turn = turn
      if let seconds = options.totalTimeout { totalDeadline = turn.now + seconds.asDelay }
    }

    private func noteActivity() {
      if let turn { lastActivity = turn.now }
    }

    func noteNews() {
      guard !hasNews, let turn else { return }
      hasNews = true
      turn.note(self)
    }

    func tellNews() {
      hasNews = false
      channel.flush()
    }

    func attach(_ handle: UnsafeMutableRawPointer, configuration: CurlTransport.Configuration) {
      self.handle = handle
      noteActivity()
      reason[0] = 0
      fields = CurlSetup.apply(request, configuration: configuration, to: handle)
      weigh()
      let context = Unmanaged.passUnretained(self).toOpaque()
      if !mayRepeat { forbidRepeating(on: handle, context) }
      if let policy = configuration.addressPolicy { guardSockets(of: handle, policy, context) }
      ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, reason)
      ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
      ccurl_set_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
        CurlTransfer.of(context)?.take(line: UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
      }
      ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
      ccurl_set_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
        CurlTransfer.of(context)?.take(body: UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
      }
    }

    private var mayRepeat: Bool { options.repeatsRequests && request.isSafe }

    /// libcurl sends a request again where a connection that has served others closes without an answer. A connection
    /// of its own avoids the failure; over HTTP/2 others may join that one, so the second attempt is refused as well.
    private func forbidRepeating(on handle: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer) {
      isOnTheWire = false
      ccurl_set_long(handle, CURLOPT_FRESH_CONNECT, 1)
      ccurl_set_pointer(handle, CURLOPT_PREREQDATA, context)
      ccurl_set_prerequest(handle) { context, _, _, _, _ in
        CurlTransfer.of(context)?.mayGoOut() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      }
    }

    private func mayGoOut() -> Bool {
      defer { isOnTheWire = true }
      return !isOnTheWire
    }

    private func guardSockets(
      of handle: UnsafeMutableRawPointer, _ policy: AddressPolicy, _ context: UnsafeMutableRawPointer
    ) {
      gate = SocketGate(policy)
      ccurl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context)
      ccurl_set_open_socket(handle) { context, _, target in
        guard let gate = CurlTransfer.of(context)?.gate, let target else { return CURL_SOCKET_BAD }
        return gate.open(target)
      }
    }

    /// Passes the priority on as the weight of an HTTP/2 stream, 1 to 256; 16 is the protocol's own default.
    func weigh() {
      guard let handle, let priority = options.priority?.value else { return }
      ccurl_set_long(handle, CURLOPT_STREAM_WEIGHT, 1 + Int((priority * priority * 255).rounded()))
    }

    /// The loop keeps a running transfer alive while libcurl can call back.
    private static func of(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
      context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    func detach() -> UnsafeMutableRawPointer? {
      defer { handle = nil }
      return handle
    }

    /// Called after the handle has been reset.
    func redirect(to next: OutgoingRequest) {
      request = next
      redirects += 1
      sent = 0
      phase = .head
      failure = nil
      curl_slist_free_all(fields)
      fields = nil
    }

    /// The reader has made room.
    func resume() throws {
      noteActivity()
      if let decoder {
        hasBacklog = try !drain(decoder)
        guard !hasBacklog else { return }
      }
      guard isPaused else { return }
      isPaused = false
      curl_easy_pause(handle, CURLPAUSE_CONT)
    }

    enum Outcome {
      case complete
      case redirect(OutgoingRequest)
      /// All has arrived, but the reader has no room yet for all that it holds.
      case backlog
    }

    /// What libcurl's end means.
    func outcome(_ result: CURLcode) throws -> Outcome {
      if let failure { throw failure }
      switch phase {
      case .redirecting(let status, let location):
        return .redirect(
          try RedirectPolicy.follow(
            request, status: status, location: location, count: redirects, limit: options.maximumRedirects))
      case .head where result == CURLE_OK:
        throw HTTPError(
          .protocolError, "The server ended the connection before its answer was complete; try again.",
          url: request.url)
      case .head where result == CURLE_OUT_OF_MEMORY:
        // What libcurl says of a line longer than 100 KB.
        throw HTTPError(
          .protocolError, "A line of the server's headers is too long; the answer is refused.", url: request.url)
      case .head, .body:
        guard result == CURLE_OK else {
          if let address = gate?.denied { throw CurlFailure.denied(address, request.url) }
          throw CurlFailure.error(result, handle: handle, reason: String(cString: reason), url: request.url)
        }
        return try finishDecoding() ? .complete : .backlog
      }
    }

    /// - Returns: whether everything has been delivered.
    func finishDecoding() throws -> Bool {
      guard let decoder else { return true }
      guard !hasBacklog else { return false }
      do { try decoder.finish() } catch let error as Inflater.Failure { throw decodingError(error) }
      return true
    }

    // MARK: Time

    /// When the transfer is late, as things are. A transfer that waits for its turn or its reader is not idle.
    var deadline: Double {
      handle == nil || isPaused ? totalDeadline : min(totalDeadline, lastActivity + options.idleTimeout.asDelay)
    }

    /// Whether some of the request's body has left since this was last asked; that is activity too, of which libcurl
    /// calls nobody.
    func hasSent(by now: Double) -> Bool {
      guard now < totalDeadline, request.body != nil, let handle else { return false }
      var total: curl_off_t = 0
      ccurl_get_size(handle, CURLINFO_SIZE_UPLOAD_T, &total)
      guard total > sent else { return false }
      sent = Int(total)
      lastActivity = now
      return true
    }

    func timeout(at now: Double) -> HTTPError {
      if now >= totalDeadline, let seconds = options.totalTimeout {
        return HTTPError(
          .timedOut, "The transfer was not complete after \(seconds) seconds; allow more time or try again.",
          url: request.url)
      }
      return HTTPError(
        .timedOut, "Nothing was received for \(options.idleTimeout) seconds; check the connection and try again.",
        url: request.url)
    }

    // MARK: What arrives

    private func take(line: UnsafeRawBufferPointer) -> Int {
      noteActivity()
      switch parser.consume(line) {
      case .more: return line.count
      case .tooLong: return stop("The server's headers exceed \(ResponseHeadParser.maximumBytes) bytes; it is refused.")
      case .tooManyInterim:
        return stop("The server sent more than \(ResponseHeadParser.maximumInterim) interim answers; it is refused.")
      case .malformed: return stop("The server's answer is not HTTP; check the address.")
      case .head(let head): return take(head) ? line.count : 0
      }
    }

    private func take(_ head: ResponseHeadParser.Head) -> Bool {
      // Interim answers are followed by the real one (RFC 9110, section 15.2).
      if head.status < 200 && head.status != 101 {
        options.interim?.tell(head.status, head.headers)
        return true
      }
      if options.followsRedirects, RedirectPolicy.isRedirect(head.status),
        let location = head.headers.values(of: "Location").first
      {
        phase = .redirecting(status: head.status, location: location)
        received = 0
        return true
      }
      guard let expected = checkedLength(of: head) else { return false }
      phase = .body
      received = 0
      var headers = head.headers
      var length = expected
      if options.decodesContent, hasBody(head.status), let coding = headers["Content-Encoding"],
        let decoder = ContentDecoder(contentEncoding: coding)
      {
        self.decoder = decoder
        headers["Content-Encoding"] = decoder.rest
        headers["Content-Length"] = nil
        length = nil
      }
      channel.deliver(HTTPResponse(url: request.url, status: head.status, headers: headers), expected: length)
      noteNews()
      return true
    }

    private func hasBody(_ status: Int) -> Bool { request.method != "HEAD" && status != 204 && status != 304 }

    /// - Returns: the body's length where known; `nil` in the outer optional where the answer is refused.
    private func checkedLength(of head: ResponseHeadParser.Head) -> Int?? {
      switch head.announcedLength {
      case .unknown: return .some(nil)
      case .conflicting:
        _ = stop("The server gave contradictory lengths of its answer; it is refused.")
        return nil
      case .bytes(let length):
        guard hasBody(head.status) else { return .some(nil) }
        guard length <= options.maximumBodyBytes else {
          failure = tooLarge
          return nil
        }
        return .some(length)
      }
    }

    private func take(body bytes: UnsafeRawBufferPointer) -> Int {
      noteActivity()
      if case .redirecting = phase {
        received += bytes.count
        return received > Self.discardedBytes ? 0 : bytes.count
      }
      if let decoder { return take(coded: bytes, decoder) }
      guard received + bytes.count <= options.maximumBodyBytes else {
        failure = tooLarge
        return 0
      }
      guard deliver(bytes) else { return pause() }
      received += bytes.count
      return failure == nil ? bytes.count : 0
    }

    private func take(coded bytes: UnsafeRawBufferPointer, _ decoder: ContentDecoder) -> Int {
      guard !hasBacklog else { return pause() }
      guard coded + bytes.count <= options.maximumBodyBytes else {
        failure = tooLarge
        return 0
      }
      coded += bytes.count
      decoder.feed(bytes)
      do {
        // These bytes are ours even where the reader has no room for all they hold; the next ones have to wait.
        hasBacklog = try !drain(decoder)
        return bytes.count
      } catch {
        failure = error
        return 0
      }
    }

    private func pause() -> Int {
      isPaused = true
      return ccurl_pause
    }

    /// - Returns: 0, which makes libcurl give the transfer up.
    private func stop(_ message: String) -> Int {
      failure = HTTPError(.protocolError, message, url: request.url)
      return 0
    }

    private var tooLarge: HTTPError {
      HTTPError(
        .bodyTooLarge,
        "The body is longer than \(options.maximumBodyBytes) bytes; raise the limit if that is intended.",
        url: request.url)
    }

    // MARK: Delivery

    /// - Returns: `false` where the reader has no room.
    private func deliver(_ bytes: UnsafeRawBufferPointer) -> Bool {
      switch channel.append(bytes) {
      case .taken:
        noteNews()
        return true
      case .full:
        return false
      case .outOfMemory:
        failure = CurlFailure.outOfMemory(request.url)
        return true
      }
    }

    private func drain(_ decoder: ContentDecoder) throws -> Bool {
      do {
        let isEmpty = try decoder.drain { piece in
          guard failure == nil else { return true }
          guard received + piece.count <= options.maximumBodyBytes else {
            failure = tooLarge
            return true
          }
          guard deliver(piece) else { return false }
          received += piece.count
          return true
        }
        if let failure { throw failure }
        return isEmpty
      } catch let error as Inflater.Failure {
        throw decodingError(error)
      }
    }

    private func decodingError(_ error: Inflater.Failure) -> HTTPError {
      switch error {
      case .truncated:
        HTTPError(.truncatedBody, "The compressed body ended too early; try again.", url: request.url)
      case .corrupt:
        HTTPError(
          .protocolError, "The body is not what its Content-Encoding says; the server is at fault.", url: request.url)
      }
    }
  }
#endif
