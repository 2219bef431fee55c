#if !canImport(Darwin)
  import Foundation
  import FoundationNetworking
  import HTTPCaching
  import Synchronized
  import Testing
  import VignetteTesting

  @Suite("Where a transport may connect to", .timeLimit(.minutes(5)))
  struct AddressPolicyTests {
    /// First, last and the neighbours of every block of IANA's special-purpose address registries.
    static let special = [
      "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
      "127.255.255.255", "169.254.0.0", "169.254.169.254", "169.254.255.255", "172.16.0.0", "172.31.255.255",
      "192.0.0.0", "192.0.0.8", "192.0.0.11", "192.0.0.170", "192.0.0.255", "192.0.2.0", "192.0.2.255", "192.88.99.0",
      "192.88.99.255", "192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.0",
      "198.51.100.255", "203.0.113.0", "203.0.113.255", "224.0.0.0", "239.255.255.255", "240.0.0.0",
      "255.255.255.255",
      "::", "::1", "fc00::", "fd12::1", "fdff:ffff::", "fe80::1", "fe80::1:2:3:4", "febf::1", "fec0::1", "feff::1",
      "ff02::1", "ff0e::1", "2001:db8::", "2001:db8:ffff::1", "3fff::", "3fff:fff:ffff::1", "2001::1", "2001:0:1::",
      "2001:2::1", "2001:10::1", "2001:1ff:ffff::", "100::", "100::1", "100:0:0:1::1", "5f00::1", "64:ff9b:1::1",
      "64:ff9b:1:ffff::808:808", "4000::1", "8000::1", "::ffff:0:808:808",
      // By the IPv4 address within.
      "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "::10.1.2.3",
      "64:ff9b::127.0.0.1", "64:ff9b::192.168.1.1", "2002:7f00:1::", "2002:a00:1::1", "2002:c0a8:101::1",
      "2002:a9fe:a9fe::1",
    ]

    static let global = [
      "1.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
      "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.0.9",
      "192.0.0.10", "192.0.1.0", "192.0.3.0", "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0",
      "198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0",
      "223.255.255.255",
      "2000::1", "2001:200::1", "2001:db7:ffff::1", "2001:db9::1", "2003::1", "2606:4700::1111", "2a00:1450::1",
      "3ffe:ffff::1", "3fff:1000::1", "::ffff:8.8.8.8", "::8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
    ]

    @Test("addresses that are not of the public internet are refused", arguments: special)
    func refused(_ text: String) throws {
      #expect(try !#require(IPAddress(text)).isPublic)
    }

    @Test("addresses of the public internet are allowed", arguments: global)
    func allowed(_ text: String) throws {
      #expect(try #require(IPAddress(text)).isPublic)
    }

    @Test(
      "an address is written as it is read", arguments: ["192.0.2.1", "255.255.255.255", "2001:db8::1", "::", "::1"])
    func text(_ text: String) throws {
      #expect(try #require(IPAddress(text)).description == text)
    }

    @Test(
      "what is no address is none", arguments: ["", "localhost", "1.2.3", "256.1.1.1", "::g", "127.0.0.1:80", "[::1]"])
    func noAddress(_ text: String) {
      #expect(IPAddress(text) == nil)
    }

    private func transport(_ policy: AddressPolicy) -> CurlTransport {
      var configuration = CurlTransport.Configuration()
      configuration.addressPolicy = policy
      return CurlTransport(configuration: configuration)
    }

    @Test(
      "no way of writing this machine's address leads there",
      arguments: [
        "127.0.0.1", "localhost", "2130706433", "0x7f.1", "0x7f000001", "017700000001", "127.1", "0", "0.0.0.0",
        "[::1]", "[::ffff:127.0.0.1]", "[::127.0.0.1]",
      ])
    func loopback(_ host: String) async throws {
      let server = try ScriptedServer { _ in .text("secret") }
      let url = try #require(URL(string: "http://\(host):\(server.port)/"))
      #expect(await transport(.publicInternetOnly).failure(url) == "address.denied")
      #expect(server.log.acceptedConnections == 0)
    }

    @Test("a redirect does not lead where the policy forbids, and the error names the target")
    func redirect() async throws {
      let inside = try ScriptedServer { _ in .text("secret") }
      let outside = try ScriptedServer { _ in .redirect(to: "http://127.0.0.2:\(inside.port)/latest") }
      let transport = transport(AddressPolicy { $0 == IPAddress("127.0.0.1") })
      do {
        _ = try await transport.get(outside.url())
        Issue.record("the redirect was followed")
      } catch let error as HTTPError {
        #expect(error.code == .addressDenied)
        #expect(error.message.contains("127.0.0.2"))
        #expect(error.url?.host == "127.0.0.2")
      }
      #expect(inside.log.acceptedConnections == 0)
    }

    @Test("of several addresses the one that is allowed is used")
    func oneOfSeveral() async throws {
      let server = try ScriptedServer { _ in .text("here") }
      let asked = Locked<Set<IPAddress>>([])
      let transport = transport(
        AddressPolicy { address in
          asked.withLock { _ = $0.insert(address) }
          return address == IPAddress("127.0.0.1")
        })
      // libcurl itself gives localhost the addresses ::1 and 127.0.0.1 where the system has IPv6.
      let url = try #require(URL(string: "http://localhost:\(server.port)/"))
      #expect(try await transport.get(url).body == Data("here".utf8))
      #expect(asked.withLock { $0.isSubset(of: [.v4(0x7F00_0001), .v6(1)]) && $0.contains(.v4(0x7F00_0001)) })
    }

    @Test("an allowed address that refuses is transport.refused, not denied")
    func allowedButRefused() async throws {
      let server = try ScriptedServer { _ in .text("hi") }
      let url = try #require(URL(string: "http://localhost:\(server.port)/"))
      server.stop()
      let transport = transport(AddressPolicy { $0 == IPAddress("127.0.0.1") })
      #expect(await transport.failure(url) == "transport.refused")
    }

    @Test("connections are kept as without a policy, which is asked once for each")
    func keepAlive() async throws {
      let server = try ScriptedServer { _ in .text("hi") }
      let count = Locked(0)
      let transport = transport(
        AddressPolicy { _ in
          count.withLock { $0 += 1 }
          return true
        })
      for _ in 0..<5 { _ = try await transport.get(server.url()) }
      #expect(count.withLock { $0 } == 1)
      #expect(server.log.acceptedConnections == 1)
    }
  }
#endif
