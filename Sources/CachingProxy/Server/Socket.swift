import Foundation
import Glibc

/// Why nothing more goes over a socket.
enum SocketEnd: Error {
  /// The other side is gone.
  case closed
  /// It kept us waiting for too long.
  case timedOut
  case cancelled
}

/// A TCP socket that never blocks a thread; closed when it is let go of. Used by one task at a time for each direction.
final class Socket: Sendable {
  private let descriptor: Int32
  private let poller: SocketPoller

  private init(_ descriptor: Int32, _ poller: SocketPoller) {
    self.descriptor = descriptor
    self.poller = poller
  }

  deinit { close(descriptor) }

  // MARK: Listening

  struct Failure: Error {
    /// What the system says.
    var message: String

    fileprivate static var last: Failure { Failure(message: String(cString: strerror(errno))) }
  }

  /// - Parameters:
  ///   - host: an address, or a name of one.
  ///   - port: 0 lets the system choose.
  /// - Throws: `Failure`.
  static func listening(host: String, port: UInt16, poller: SocketPoller) throws(Failure) -> Socket {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &found)
    guard status == 0 else { throw Failure(message: String(cString: gai_strerror(status))) }
    defer { freeaddrinfo(found) }
    var failure = Failure(message: "it has no address")
    var next = found
    while let address = next?.pointee {
      next = address.ai_next
      do throws(Failure) { return try listening(address, poller) } catch { failure = error }
    }
    throw failure
  }

  private static func listening(_ address: addrinfo, _ poller: SocketPoller) throws(Failure) -> Socket {
    let kind = address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.ai_family, kind, address.ai_protocol)
    guard descriptor >= 0 else { throw Failure.last }
    let result = Socket(descriptor, poller)
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0, listen(descriptor, 128) == 0 else {
      throw Failure.last
    }
    return result
  }

  /// The port it listens on.
  var port: UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
      // The port stands at the same place in the addresses of both families.
      return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
    }
  }

  /// The next connection.
  /// - Throws: `SocketEnd.cancelled`.
  func accept() async throws(SocketEnd) -> Socket {
    while true {
      let accepted = Glibc.accept(descriptor, nil, nil)
      if accepted >= 0 {
        accepted.neverBlocks()
        var one: Int32 = 1
        setsockopt(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        return Socket(accepted, poller)
      }
      switch errno {
      case EAGAIN: try await wait(for: POLLIN, seconds: nil)
      case EINTR, ECONNABORTED: break
      default:
        // No descriptors or memory: some come back when a connection ends.
        do { try await Task.sleep(nanoseconds: 50_000_000) } catch { throw .cancelled }
      }
    }
  }

  // MARK: Bytes

  /// What has arrived, at most `limit` bytes; empty at the end of what the other side sends.
  func receive(limit: Int, within seconds: Double) async throws(SocketEnd) -> [UInt8] {
    while true {
      var failure: Int32 = 0
      var isEnd = false
      let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
        let received = recv(descriptor, buffer.baseAddress, limit, 0)
        failure = received < 0 ? errno : 0
        isEnd = received == 0
        count = max(received, 0)
      }
      if !bytes.isEmpty || isEnd { return bytes }
      if failure == EAGAIN { try await wait(for: POLLIN, seconds: seconds) } else if failure != EINTR { throw .closed }
    }
  }

  /// Sends everything, as fast as the other side takes it.
  /// - Throws: `SocketEnd.timedOut` where that is too slow.
  func send(_ data: Data, _ pace: inout Pace) async throws(SocketEnd) {
    var sent = 0
    while sent < data.count {
      let (count, failure) = data.withUnsafeBytes { bytes in
        let count = Glibc.send(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
        return (count, count < 0 ? errno : 0)
      }
      if count >= 0 {
        sent += count
        pace.note(bytes: count)
      } else if failure == EAGAIN {
        try await pace.spend { seconds throws(SocketEnd) in try await wait(for: POLLOUT, seconds: seconds) }
      } else if failure != EINTR {
        throw .closed
      }
    }
  }

  /// Says that nothing more comes, and reads on for a while: closing with bytes unread would take back what was sent
  /// last (RFC 9112, section 9.6).
  /// - Parameters:
  ///   - seconds: for all of it, however much comes.
  ///   - bytes: that are read at most.
  func finish(within seconds: Double, bytes: Int) async {
    guard shutdown(descriptor, Int32(SHUT_WR)) == 0 else { return }
    let end = DispatchTime.now() + seconds
    var left = bytes
    while left > 0, DispatchTime.now() < end {
      let time = Double(end.uptimeNanoseconds - DispatchTime.now().uptimeNanoseconds) / 1e9
      guard let some = try? await receive(limit: min(left, 16 << 10), within: time), !some.isEmpty else { return }
      left -= some.count
    }
  }

  /// Ends the connection for whoever waits for its bytes.
  func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  private func wait(for events: Int32, seconds: Double?) async throws(SocketEnd) {
    switch await poller.wait(for: events, of: descriptor, seconds: seconds) {
    case .ready: return
    case .timedOut: throw .timedOut
    case .cancelled: throw .cancelled
    }
  }
}

extension Int32 {
  /// Makes this descriptor one that never blocks, and that no child inherits.
  func neverBlocks() {
    _ = fcntl(self, F_SETFL, fcntl(self, F_GETFL) | O_NONBLOCK)
    _ = fcntl(self, F_SETFD, FD_CLOEXEC)
  }
}
