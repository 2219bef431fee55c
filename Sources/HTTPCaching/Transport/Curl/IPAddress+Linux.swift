#if !canImport(Darwin)
  import Foundation

  /// An IPv4 or IPv6 address, as a number in the order in which it is written.
  public enum IPAddress: Hashable, Sendable {
    case v4(UInt32)
    case v6(UInt128)

    /// - Parameter text: dotted decimal, or RFC 4291, section 2.2; `nil` for anything else.
    public init?(_ text: String) {
      var (v4, v6) = (in_addr(), in6_addr())
      if inet_pton(AF_INET, text, &v4) == 1 {
        self = .v4(UInt32(bigEndian: v4.s_addr))
      } else if inet_pton(AF_INET6, text, &v6) == 1 {
        self = .v6(withUnsafeBytes(of: &v6) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) })
      } else {
        return nil
      }
    }

    /// - Parameter socketAddress: a whole `sockaddr_in` or `sockaddr_in6`; `nil` for other families.
    init?(socketAddress: UnsafeRawBufferPointer) {
      guard socketAddress.count >= MemoryLayout<sockaddr>.size else { return nil }
      switch Int32(socketAddress.loadUnaligned(as: sockaddr.self).sa_family) {
      case AF_INET where socketAddress.count >= MemoryLayout<sockaddr_in>.size:
        self = .v4(UInt32(bigEndian: socketAddress.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
      case AF_INET6 where socketAddress.count >= MemoryLayout<sockaddr_in6>.size:
        let address = socketAddress.loadUnaligned(as: sockaddr_in6.self).sin6_addr
        self = .v6(withUnsafeBytes(of: address) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) })
      default:
        return nil
      }
    }
  }

  extension IPAddress: CustomStringConvertible {
    public var description: String {
      var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
      switch self {
      case .v4(let address):
        var bytes = address.bigEndian
        inet_ntop(AF_INET, &bytes, &text, socklen_t(text.count))
      case .v6(let address):
        var bytes = address.bigEndian
        inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count))
      }
      return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }
  }
#endif
