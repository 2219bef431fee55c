import Foundation
import Pixels
import Testing
import VignetteTesting

@testable import Vignette

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Request keys")
struct KeyTests {
  private func request(_ headers: [String: String], method: String = "GET", body: Data? = nil) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: Scripted.address)))
    request.httpMethod = method
    request.allHTTPHeaderFields = headers
    request.httpBody = body
    return request
  }

  private func key(_ headers: [String: String], method: String = "GET", body: Data? = nil) throws -> SourceKey {
    ImageRequest(try request(headers, method: method, body: body)).key.source
  }

  @Test("equal requests have equal keys")
  func equal() throws {
    #expect(try key([:]) == ImageRequest(Scripted.address).key.source)
    #expect(try key(["A": "1", "B": "2"]) == key(["B": "2", "A": "1"]))
    #expect(try key(["Accept": "image/webp"]) == key(["accept": "image/webp"]))
  }

  @Test("headers, method and body are part of the key")
  func different() throws {
    let keys = [
      try key([:]), try key(["A": "1"]), try key(["A": "2"]), try key(["A": "1", "B": "2"]),
      try key(["A": "1\nb:2"]), try key([:], method: "POST"), try key([:], method: "POST", body: Data("x".utf8)),
      try key([:], method: "POST", body: Data("y".utf8)), ImageRequest(Scripted.address + "?x").key.source,
      ImageRequest(id: Scripted.address, bytes: { Data() }).key.source,
    ]
    #expect(Set(keys).count == keys.count)
  }

  @Test("two users never see each other's pictures")
  func twoUsers() async throws {
    let scripted = Scripted()
    scripted.loader.reply(to: Scripted.address) { request in
      .data(ScriptedDecoder.picture(4, 4, request.value(forHTTPHeaderField: "Authorization") ?? "nobody"))
    }
    let users = try ["ann", "bob"].map { ImageRequest(try request(["Authorization": $0])) }
    for user in users + users.reversed() {
      let name = user.key.source == users[0].key.source ? "ann" : "bob"
      let response = try await scripted.pipeline.image(for: user)
      #expect(response.bitmap[0, 0].red == name.utf8.first)
    }
    #expect(scripted.loader.counts.started == 2)
    #expect(scripted.pipeline.cachedImage(for: ImageRequest(Scripted.address)) == nil)
  }

  @Test("the size is part of the image key and not of the source key")
  func size() {
    let full = ImageRequest(Scripted.address)
    let small = full.with(target: .box(64, 64))
    #expect(full.key != small.key)
    #expect(full.key.source == small.key.source)
    #expect(small.key == ImageRequest(Scripted.address, target: .box(64, 64)).key)
    #expect(small.key != full.with(target: .box(64, 64, .fill)).key)
    #expect(small.key != full.with(target: .box(128, 64)).key)
  }

  @Test("an empty box asks for the full picture", arguments: [(0, 10), (10, 0), (-5, 10), (Int.min, Int.max)])
  func emptyBox(_ width: Int, _ height: Int) {
    #expect(ImageRequest(Scripted.address, target: .box(width, height)).target == .full)
    #expect(ImageRequest(Scripted.address).with(target: .box(width, height)).target == .full)
  }

  @Test("another size of a request keeps its other wishes")
  func with() {
    var request = ImageRequest(Scripted.address)
    request.priority = .prefetch
    request.timeout = 5
    request.transport.maximumBodyBytes = 10
    let other = request.with(target: .box(1, 1))
    #expect(other.priority == .prefetch)
    #expect(other.timeout == 5)
    #expect(other.transport == request.transport)
  }
}
