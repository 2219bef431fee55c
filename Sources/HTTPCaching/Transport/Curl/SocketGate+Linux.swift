#if !canImport(Darwin)
  internal import CCurl
  import Foundation

  /// Opens the sockets of one transfer where the policy lets it, and remembers what came of that.
  /// Not thread-safe: used by its transfer's event thread.
  final class SocketGate {
    private let policy: AddressPolicy
    private var refused: IPAddress?
    private var hasOpened = false

    init(_ policy: AddressPolicy) { self.policy = policy }

    /// The address that was refused, where no other was allowed.
    var denied: IPAddress? { hasOpened ? nil : refused }

    /// - Returns: `CURL_SOCKET_BAD` where the address is refused; libcurl goes on to the next.
    func open(_ target: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
      let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0
      let bytes = UnsafeRawBufferPointer(start: UnsafeRawPointer(target) + offset, count: Int(target.pointee.addrlen))
      guard let address = IPAddress(socketAddress: bytes) else { return CURL_SOCKET_BAD }
      guard policy.allows(address) else {
        refused = address
        return CURL_SOCKET_BAD
      }
      hasOpened = true
      return socket(target.pointee.family, target.pointee.socktype | Self.closeOnExec, target.pointee.`protocol`)
    }

    private static let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)
  }
#endif
