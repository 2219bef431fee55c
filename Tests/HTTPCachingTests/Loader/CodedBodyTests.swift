import Foundation
import Testing
import VignetteTesting

@testable import HTTPCaching

@Suite("Bodies in the coding they came in", .timeLimit(.minutes(5)))
struct CodedBodyTests {
  private let directory = TemporaryDirectory()

  private func site(onDisk: Bool) -> SiteStage {
    SiteStage { configuration in
      guard onDisk else { return }
      configuration.memoryBudget = 0
      configuration.disk = DiskStore.Configuration(directory: directory.url)
    }
  }

  private func manner(coded: Bool) -> TransportOptions {
    var options = options()
    options.decodesContent = !coded
    return options
  }

  /// As a transport does that decodes, or does not.
  private func answer(_ site: SiteStage, coded: Bool) {
    var reply = ScriptedTransport.Reply.data(Data((coded ? "coded" : "plain").utf8))
    reply.headers["Content-Encoding"] = coded ? "gzip" : nil
    reply.headers["Cache-Control"] = "max-age=600"
    reply.headers["ETag"] = "\"1\""
    site.answer("/a", reply)
  }

  @Test(
    "they are stored apart from decoded ones, whoever asks first, and with credentials too",
    arguments: [true, false], [[:], ["Authorization": "x"]])
  func apart(_ onDisk: Bool, _ headers: [String: String]) async throws {
    for isCodedFirst in [true, false] {
      let site = site(onDisk: onDisk)
      for coded in [isCodedFirst, !isCodedFirst] {
        answer(site, coded: coded)
        let result = try await site.load("/a", headers, options: manner(coded: coded))
        #expect(result.origin == .network && result.data == Data((coded ? "coded" : "plain").utf8))
      }
      for coded in [true, false] {
        let result = try await site.load("/a", headers, options: manner(coded: coded))
        #expect(result.origin == (onDisk ? .disk : .memory))
        #expect(result.data == Data((coded ? "coded" : "plain").utf8))
        #expect(result.response.headers["Content-Encoding"] == (coded ? "gzip" : nil))
      }
      if let disk = site.loader.disk {
        #expect(try await disk.entries().map(\.hasCredentials) == [!headers.isEmpty, !headers.isEmpty])
      }
      site.loader.removeAll()
      await site.loader.disk?.flush()
    }
  }

  @Test("what a URL stored goes in either form, whether the URL or the request is forgotten", arguments: [true, false])
  func together(_ onDisk: Bool) async throws {
    let site = site(onDisk: onDisk)
    let forget: [() -> Void] = [
      { site.loader.removeAll(of: SiteStage.url("/a")) }, { site.loader.forget(site.request("/a")) },
    ]
    for forget in forget {
      for expected in [HTTPResult.Origin.network, onDisk ? .disk : .memory] {
        for coded in [true, false] {
          answer(site, coded: coded)
          #expect(try await site.load("/a", options: manner(coded: coded)).origin == expected)
        }
      }
      forget()
    }
    for coded in [true, false] {
      #expect(try await site.load("/a", options: manner(coded: coded)).origin == .network)
    }
  }
}
