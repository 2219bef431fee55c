#if !canImport(Darwin)
  import Foundation
  import Testing

  @testable import HTTPCaching

  @Suite("Waiting for sockets", .timeLimit(.minutes(5)))
  struct SocketPollTests {
    /// Two ends that are connected, closed with the last use of them.
    private final class Pair {
      let (near, far): (Int32, Int32)
      private var isFarOpen = true

      init() throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        (near, far) = (ends[0], ends[1])
      }

      deinit {
        close(near)
        if isFarOpen { close(far) }
      }

      func send() { write(far, "x", 1) }

      func receive() {
        var byte: UInt8 = 0
        read(near, &byte, 1)
      }

      func closeFar() {
        close(far)
        isFarOpen = false
      }
    }

    private let poll: SocketPoll

    init() throws { poll = try #require(SocketPoll()) }

    private func ready() -> [Int32: SocketPoll.Events] {
      let found = (0..<poll.wait(milliseconds: 0)).map { poll.event(at: $0) }
      return Dictionary(uniqueKeysWithValues: found.map { ($0.socket, $0.events) })
    }

    @Test("a socket is told of while it is ready, and for what is asked alone")
    func readiness() throws {
      let (one, other) = (try Pair(), try Pair())
      poll.watch(one.near, for: .readable)
      poll.watch(other.near, for: [.readable, .writable])
      #expect(ready() == [other.near: .writable])
      one.send()
      other.send()
      #expect(ready() == [one.near: .readable, other.near: [.readable, .writable]])
      #expect(ready().count == 2)
      one.receive()
      poll.watch(other.near, for: .readable)
      #expect(ready() == [other.near: .readable])
    }

    @Test("a socket that is not watched any more is not told of, and may be watched again")
    func forgetting() throws {
      let pair = try Pair()
      poll.watch(pair.near, for: .readable)
      pair.send()
      poll.watch(pair.near, for: [])
      poll.watch(pair.near, for: [])
      #expect(ready().isEmpty)
      poll.watch(pair.near, for: .readable)
      #expect(ready() == [pair.near: .readable])
    }

    @Test("a number that comes back as another socket is watched as that")
    func reuse() throws {
      var pair = try Pair()
      let number = pair.near
      poll.watch(number, for: .readable)
      pair = try Pair()
      // The system gives the lowest number that is free, unless another test has taken it.
      let next = try Pair()
      for socket in [pair.near, next.near] { poll.watch(socket, for: .readable) }
      pair.send()
      next.send()
      #expect(Set(ready().keys) == [pair.near, next.near])
    }

    @Test("an end whose other end has gone is told of as failed")
    func failure() throws {
      let pair = try Pair()
      poll.watch(pair.near, for: .writable)
      pair.closeFar()
      #expect(ready()[pair.near]?.isDisjoint(with: .failed) == false)
    }

    @Test("a wait ends with the word of another thread, that came before or comes during it, and is no socket's")
    func waking() async throws {
      poll.wake()
      poll.wake()
      #expect(poll.wait(milliseconds: 60_000) == 0)
      // Both words were heard: another wait would not end.
      #expect(poll.wait(milliseconds: 1) == 0)
      let poll = poll
      async let woken = Task.detached { poll.wait(milliseconds: 60_000) }.value
      poll.wake()
      #expect(await woken == 0)
      let pair = try Pair()
      poll.watch(pair.near, for: .readable)
      pair.send()
      poll.wake()
      #expect(ready() == [pair.near: .readable])
      #expect(ready() == [pair.near: .readable])
    }

    @Test("more sockets than one wait tells of are all told of in time")
    func many() throws {
      let pairs = try (0..<100).map { _ in try Pair() }
      for pair in pairs { poll.watch(pair.near, for: .readable) }
      for pair in pairs { pair.send() }
      var heard: Set<Int32> = []
      for _ in 0..<100 where heard.count < 100 {
        for (socket, _) in ready() {
          heard.insert(socket)
          pairs.first { $0.near == socket }?.receive()
        }
      }
      #expect(heard.count == 100)
    }
  }
#endif
