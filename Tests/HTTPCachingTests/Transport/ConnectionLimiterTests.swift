import Testing

@testable import HTTPCaching

@Suite("Turns of transfers")
struct ConnectionLimiterTests {
  /// A limiter of transfers named by numbers to origins named by letters.
  private final class Subject {
    private var limiter: ConnectionLimiter<Int>

    init(perOrigin: Int, total: Int) { limiter = ConnectionLimiter(perOrigin: perOrigin, total: total) }

    private func origin(_ host: String) -> OutgoingRequest.Origin { .init(scheme: "http", host: host, port: 80) }

    func admit(_ id: Int, _ host: String) -> Bool { limiter.admit(id, to: origin(host)) }
    func leave(_ host: String) { limiter.leave(origin(host)) }
    func withdraw(_ id: Int, _ host: String) { limiter.withdraw(id, from: origin(host)) }
    func noteMultiplexing(_ host: String) { limiter.noteMultiplexing(origin(host)) }
    func next() -> Int? { limiter.next() }
  }

  @Test("at most so many for one origin and in all, first come first served")
  func limits() {
    let limiter = Subject(perOrigin: 2, total: 3)
    #expect((0..<4).map { limiter.admit($0, "a") } == [true, true, false, false])
    #expect(limiter.admit(4, "b"))
    #expect(!limiter.admit(5, "b"))
    #expect(limiter.next() == nil)
    limiter.leave("a")
    #expect(limiter.next() == 2)
    #expect(limiter.next() == nil)
    limiter.withdraw(3, "a")
    limiter.leave("a")
    #expect(limiter.next() == 5)
    #expect(limiter.next() == nil)
  }

  @Test("an origin that speaks HTTP/2 takes one connection for many transfers")
  func multiplexing() {
    let limiter = Subject(perOrigin: 2, total: 2)
    #expect(limiter.admit(0, "a"))
    limiter.noteMultiplexing("a")
    #expect((1..<64).allSatisfy { limiter.admit($0, "a") })
    #expect(!limiter.admit(64, "a"))
    #expect(limiter.admit(65, "b"))
    #expect(!limiter.admit(66, "c"))
    limiter.leave("a")
    #expect(limiter.next() == 64)
    #expect(limiter.next() == nil)
    for _ in 0..<64 { limiter.leave("a") }
    #expect(limiter.next() == 66)
  }
}
