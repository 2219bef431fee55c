#if !canImport(Darwin)
  /// Which addresses a transport may connect to, asked of each address as a connection to it is about to be opened:
  /// whatever name, number, redirect or change of DNS led there.
  public struct AddressPolicy: Sendable {
    /// Called on the transport's thread, whose transfers wait until it returns.
    public let allows: @Sendable (IPAddress) -> Bool

    public init(_ allows: @escaping @Sendable (IPAddress) -> Bool) { self.allows = allows }

    /// Addresses that lead to the public internet, as `IPAddress.isPublic` has it: none of this machine, of private
    /// networks or of cloud metadata services. For servers that fetch what strangers name.
    public static let publicInternetOnly = AddressPolicy { $0.isPublic }
  }

  extension IPAddress {
    /// Whether the address is of the public internet: unicast, and in no block that IANA's special-purpose address
    /// registries (RFC 6890) do not call globally reachable. An IPv6 address that stands for an IPv4 one, which a
    /// gateway or the system itself may connect to, is judged by that one.
    public var isPublic: Bool {
      switch self {
      case .v4(let address):
        return Self.reachableServices.contains(address) || !Self.specialIPv4.contains { $0.contains(address) }
      case .v6(let address):
        if let embedded = Self.embeddedIPv4(in: address) { return IPAddress.v4(embedded).isPublic }
        return Self.globalUnicast.contains(address) && !Self.specialIPv6.contains { $0.contains(address) }
      }
    }

    /// Port Control Protocol and TURN anycast, which the registry excepts from 192.0.0.0/24 (RFC 7723, RFC 8155).
    private static let reachableServices: [UInt32] = [0xC000_0009, 0xC000_000A]

    private static let specialIPv4 = [
      Block<UInt32>(0x0000_0000, 8),  // 0.0.0.0/8, this network
      Block(0x0A00_0000, 8),  // 10.0.0.0/8, private
      Block(0x6440_0000, 10),  // 100.64.0.0/10, shared by carriers
      Block(0x7F00_0000, 8),  // 127.0.0.0/8, loopback
      Block(0xA9FE_0000, 16),  // 169.254.0.0/16, link-local; cloud metadata
      Block(0xAC10_0000, 12),  // 172.16.0.0/12, private
      Block(0xC000_0000, 24),  // 192.0.0.0/24, protocol assignments
      Block(0xC000_0200, 24),  // 192.0.2.0/24, documentation
      Block(0xC058_6300, 24),  // 192.88.99.0/24, deprecated 6to4 relays
      Block(0xC0A8_0000, 16),  // 192.168.0.0/16, private
      Block(0xC612_0000, 15),  // 198.18.0.0/15, benchmarks
      Block(0xC633_6400, 24),  // 198.51.100.0/24, documentation
      Block(0xCB00_7100, 24),  // 203.0.113.0/24, documentation
      Block(0xE000_0000, 4),  // 224.0.0.0/4, multicast
      Block(0xF000_0000, 4),  // 240.0.0.0/4, reserved; limited broadcast
    ]

    /// 2000::/3. No other space has been given out for unicast in the public internet, so that loopback, unique local,
    /// link-local, site-local, multicast, discard-only and segment routing addresses lie outside.
    private static let globalUnicast = Block<UInt128>(0x2000 << 112, 3)

    private static let specialIPv6 = [
      Block<UInt128>(0x2001_0000 << 96, 23),  // 2001::/23, protocol assignments: Teredo, benchmarks, ORCHID
      Block(0x2001_0db8 << 96, 32),  // 2001:db8::/32, documentation
      Block(0x3fff_0000 << 96, 20),  // 3fff::/20, documentation
    ]

    private static let mappings = [
      Block<UInt128>(0, 96),  // ::/96, IPv4-compatible
      Block(0xffff << 32, 96),  // ::ffff:0:0/96, IPv4-mapped
      Block(0x0064_ff9b << 96, 96),  // 64:ff9b::/96, NAT64
    ]

    private static let sixToFour = Block<UInt128>(0x2002 << 112, 16)  // 2002::/16

    private static func embeddedIPv4(in address: UInt128) -> UInt32? {
      if mappings.contains(where: { $0.contains(address) }) { return UInt32(truncatingIfNeeded: address) }
      return sixToFour.contains(address) ? UInt32(truncatingIfNeeded: address >> 80) : nil
    }
  }

  /// The addresses that begin with the same bits.
  private struct Block<Bits: FixedWidthInteger & Sendable>: Sendable {
    let first: Bits
    let length: Int

    init(_ first: Bits, _ length: Int) {
      self.first = first
      self.length = length
    }

    func contains(_ address: Bits) -> Bool { (address ^ first) >> (Bits.bitWidth - length) == 0 }
  }
#endif
