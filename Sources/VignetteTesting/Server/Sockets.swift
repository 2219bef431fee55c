import Foundation
import Synchronized

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// POSIX sockets as far as the scripted server needs them. All calls block; shutting a socket down ends them.
enum Sockets {
  struct Failure: Error, CustomStringConvertible {
    var call: String
    var number: Int32
    var description: String { "\(call): \(String(cString: strerror(number)))" }

    static func last(_ call: String) -> Failure { Failure(call: call, number: errno) }
  }

  /// A listening socket on 127.0.0.1 and its port; 0 lets the system choose.
  static func listen(port: UInt16) throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, streamType, 0)
    guard descriptor >= 0 else { throw Failure.last("socket") }
    do {
      setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, Int32(1))
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      let bound = withSocketAddress(&address) { bind(descriptor, $0, $1) }
      guard bound == 0 else { throw Failure.last("bind") }
      guard systemListen(descriptor, 128) == 0 else { throw Failure.last("listen") }
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let named = withSocketAddress(&address) { pointer, _ in getsockname(descriptor, pointer, &length) }
      guard named == 0 else { throw Failure.last("getsockname") }
      return (descriptor, UInt16(bigEndian: address.sin_port))
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// - Returns: `nil` when the listening socket has been shut down.
  static func accept(_ listener: Int32) -> Int32? {
    while true {
      let descriptor = systemAccept(listener, nil, nil)
      if descriptor >= 0 {
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        // Keeps what the kernel takes from us small, so that a client that does not read is felt soon.
        setOption(descriptor, SOL_SOCKET, SO_SNDBUF, Int32(128 << 10))
        #if canImport(Darwin)
          setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
        #endif
        return descriptor
      }
      guard errno == EINTR || errno == ECONNABORTED else { return nil }
    }
  }

  /// - Returns: bytes read, 0 at the end, negative on failure.
  static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// - Returns: bytes taken by the system, or `nil` when the other side is gone.
  static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int? {
    while true {
      #if canImport(Darwin)
        let count = systemSend(descriptor, bytes.baseAddress, bytes.count, 0)
      #else
        let count = systemSend(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      #endif
      if count >= 0 { return count }
      if errno != EINTR { return nil }
    }
  }

  /// Makes the coming close send RST instead of FIN.
  static func resetOnClose(_ descriptor: Int32) {
    setOption(descriptor, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
  }

  static func shutDown(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(shutdownBoth)) }

  enum WaitEnd {
    case released, timedOut, closedByPeer, stopped
  }

  /// Waits until `gate` is readable, `seconds` have passed, the peer has closed, or `stop` is readable.
  static func wait(_ peer: Int32, stop: Int32, gate: Int32?, seconds: Double?) -> WaitEnd {
    let deadline = seconds.map { DispatchTime.now() + $0 }
    var watched = [
      pollfd(fd: peer, events: Int16(POLLIN), revents: 0), pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
      pollfd(fd: gate ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let ready = poll(&watched, nfds_t(watched.count), deadline.map(milliseconds) ?? -1)
      if ready == 0 { return .timedOut }
      if ready < 0 && errno == EINTR { continue }
      if ready < 0 || watched[1].revents != 0 { return .stopped }
      if watched[2].revents != 0 { return .released }
      if watched[0].revents != 0 {
        if hasClosed(peer) { return .closedByPeer }
        // A pipelined request: it waits its turn, and we no longer hear of this peer.
        watched[0].fd = -1
      }
    }
  }

  /// Whether `peer` has bytes or an end to read before `stop` is readable.
  static func waitForInput(_ peer: Int32, stop: Int32) -> Bool {
    var watched = [
      pollfd(fd: peer, events: Int16(POLLIN), revents: 0), pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&watched, nfds_t(watched.count), -1) < 0 { guard errno == EINTR else { return false } }
    return watched[1].revents == 0
  }

  private static func hasClosed(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(peekFlag)) <= 0
  }

  private static func milliseconds(until deadline: DispatchTime) -> Int32 {
    let now = DispatchTime.now().uptimeNanoseconds
    guard deadline.uptimeNanoseconds > now else { return 0 }
    return Int32(clamping: (deadline.uptimeNanoseconds - now) / 1_000_000 + 1)
  }

  private static func setOption<Value: BitwiseCopyable>(
    _ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Value
  ) {
    var value = value
    setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Value>.size))
  }

  private static func withSocketAddress<Result>(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

/// A pipe used as a flag that `poll` understands: readable for good once signalled.
final class SignalPipe: Sendable {
  let descriptor: Int32
  private let writeEnd: Locked<Int32?>

  /// - Returns: `nil` when the process has no descriptors left.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    descriptor = ends[0]
    writeEnd = Locked(ends[1])
  }

  deinit {
    signal()
    close(descriptor)
  }

  /// The end of the pipe is what its reader sees.
  func signal() {
    let end = writeEnd.withLock { end in
      defer { end = nil }
      return end
    }
    if let end { close(end) }
  }
}

#if canImport(Darwin)
  private let streamType = SOCK_STREAM
  private let shutdownBoth = SHUT_RDWR
  private let peekFlag = MSG_PEEK
  private let systemListen = Darwin.listen
  private let systemAccept = Darwin.accept
  private let systemSend = Darwin.send
#else
  private let streamType = Int32(SOCK_STREAM.rawValue)
  private let shutdownBoth = SHUT_RDWR
  private let peekFlag = MSG_PEEK
  private let systemListen = Glibc.listen
  private let systemAccept = Glibc.accept
  private let systemSend = Glibc.send
#endif
