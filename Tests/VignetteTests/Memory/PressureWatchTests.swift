#if os(Linux)
  import Foundation
  import Glibc
  import Synchronized
  import Testing
  import VignetteTesting

  @testable import Vignette

  @Suite("The thread that waits for memory pressure")
  struct PressureWatchTests {
    /// A trigger that a test sets off: data on a socket, or the end of it.
    private struct Socket {
      let trigger: PressureWatch.Trigger
      let far: Int32

      init(_ judge: @escaping @Sendable () -> MemoryPressure?) throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let near = ends[0]
        trigger = PressureWatch.Trigger(descriptor: near, events: Int16(POLLIN)) {
          var byte: UInt8 = 0
          _ = recv(near, &byte, 1, 0)
          return judge()
        }
        far = ends[1]
      }

      func setOff() {
        var byte: UInt8 = 1
        _ = send(far, &byte, 1, Int32(MSG_NOSIGNAL))
      }
    }

    @Test("each kind of stall opens one descriptor, of the first file that takes its condition")
    func descriptors() throws {
      let folder = TemporaryFolder()
      let paths = ["missing", "first", "second"].map { folder.url.appendingPathComponent($0).path }
      for path in paths.dropFirst() { close(open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)) }
      let triggers = PressureWatch.stallTriggers(paths)
      defer { for trigger in triggers { close(trigger.descriptor) } }
      #expect(triggers.map { $0.judge() } == [.warning, .critical])
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
      }
      #expect(open.filter { $0 == paths[1] }.count == 2)
      #expect(open.filter { $0 == paths[2] }.isEmpty)
    }

    /// What a watch says, in order: its events and its end.
    private func watch(
      _ triggers: [PressureWatch.Trigger]
    ) -> (said: AsyncStream<MemoryPressure?>, stop: (@Sendable () -> Void)?) {
      let (said, continuation) = AsyncStream.makeStream(of: MemoryPressure?.self)
      let stop = PressureWatch.start(
        triggers, quietMilliseconds: 0, handler: { continuation.yield($0) },
        ended: {
          continuation.yield(nil)
          continuation.finish()
        })
      return (said, stop)
    }

    @Test("tells each event, ends when it is stopped, and closes what it watched")
    func events() async throws {
      let socket = try Socket { .warning }
      defer { close(socket.far) }
      let (said, stop) = watch([socket.trigger])
      var all = said.makeAsyncIterator()
      for _ in 0..<3 {
        socket.setOff()
        #expect(await all.next() == .some(.warning))
      }
      stop?()
      #expect(await all.next() == .some(nil))
      // The other end of a closed socket is at its end.
      var byte: UInt8 = 0
      #expect(recv(socket.far, &byte, 1, 0) == 0)
    }

    @Test("of two events at once the critical one is told")
    func worst() async throws {
      let (one, two) = (try Socket { .warning }, try Socket { .critical })
      defer { for socket in [one, two] { close(socket.far) } }
      // Both are ready before the thread begins.
      for socket in [one, two] { socket.setOff() }
      let (said, stop) = watch([one.trigger, two.trigger])
      var all = said.makeAsyncIterator()
      #expect(await all.next() == .some(.critical))
      stop?()
      #expect(await all.next() == .some(nil))
    }

    @Test("an event that means nothing is not told")
    func meaningless() async throws {
      let answers = Locked<[MemoryPressure?]>([nil, .critical])
      let socket = try Socket { answers.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
      defer { close(socket.far) }
      let (said, stop) = watch([socket.trigger])
      var all = said.makeAsyncIterator()
      for _ in 0..<2 { socket.setOff() }
      #expect(await all.next() == .some(.critical))
      stop?()
      #expect(await all.next() == .some(nil))
    }

    @Test("ends by itself when there is nothing left to watch")
    func nothingLeft() async throws {
      // POLLPRI never comes on this socket; its end does, as POLLHUP.
      let socket = try Socket { .warning }
      var trigger = socket.trigger
      trigger.events = Int16(POLLPRI)
      close(socket.far)
      let (said, _) = watch([trigger])
      var all = said.makeAsyncIterator()
      #expect(await all.next() == .some(nil))
    }

    @Test("does not begin without anything to watch")
    func nothing() {
      #expect(PressureWatch.start([], handler: { _ in }) == nil)
    }

    @Test("what this machine offers can be watched and left alone again")
    func thisMachine() async {
      let triggers = PressureWatch.systemTriggers()
      guard !triggers.isEmpty else { return }
      let (said, stop) = watch(triggers)
      stop?()
      var last: MemoryPressure?? = .none
      for await event in said { last = event }
      #expect(last == .some(nil))
    }

    @Test("small files are read whole, and missing or endless ones not at all")
    func smallFiles() throws {
      let folder = TemporaryFolder()
      let path = folder.url.path + "/text"
      let text = String(repeating: "line\n", count: 3_000)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(SmallFile.read(path) == text)
      #expect(SmallFile.read(path + ".missing") == nil)
      #expect(SmallFile.read(folder.url.path) == nil)
      #expect(SmallFile.read("/dev/zero") == nil)
    }
  }
#endif
