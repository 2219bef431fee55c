#if !canImport(Darwin)
  import Glibc
  import Synchronized

  extension SystemMemoryPressure {
    @Sendable static func startWatch(_ handler: @escaping MemoryPressureSource.Handler) -> (@Sendable () -> Void)? {
      PressureWatch.start(PressureWatch.systemTriggers(), handler: handler)
    }
  }

  /// One thread that sleeps in poll(2) until the kernel says that memory is short.
  ///
  /// Invariants: the thread owns the triggers' descriptors and closes them when it ends; it ends when it is stopped and
  /// when no trigger is left; after an event it is deaf for `quietMilliseconds`, so that a storm costs nothing. It holds
  /// on to nothing but the handler.
  enum PressureWatch {
    /// A descriptor that becomes ready when something happens, and what that means.
    struct Trigger: Sendable {
      var descriptor: Int32
      /// Events of poll(2).
      var events: Int16
      /// Asked on the thread after each event; `nil` where it means nothing.
      var judge: @Sendable () -> MemoryPressure?
    }

    static let quietMilliseconds: Int32 = 1_000

    /// - Returns: what ends the watch, without waiting for the thread; `nil` where there is nothing to watch.
    static func start(
      _ triggers: [Trigger], quietMilliseconds: Int32 = quietMilliseconds,
      handler: @escaping MemoryPressureSource.Handler, ended: @escaping @Sendable () -> Void = {}
    ) -> (@Sendable () -> Void)? {
      guard !triggers.isEmpty, let bell = Bell() else {
        for trigger in triggers { close(trigger.descriptor) }
        return nil
      }
      let thread = WorkerThread {
        run(triggers, bell: bell, quiet: quietMilliseconds, handler)
        ended()
      }
      guard thread != nil else {
        for trigger in triggers { close(trigger.descriptor) }
        return nil
      }
      return { bell.ring() }
    }

    private static func run(
      _ triggers: [Trigger], bell: Bell, quiet: Int32, _ handler: MemoryPressureSource.Handler
    ) {
      var triggers = triggers
      defer { for trigger in triggers { close(trigger.descriptor) } }
      var isQuiet = false
      while !triggers.isEmpty {
        var polled = [pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)]
        if !isQuiet { polled += triggers.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) } }
        let count = poll(&polled, nfds_t(polled.count), isQuiet ? quiet : -1)
        if count < 0, errno == EINTR { continue }
        guard count >= 0, polled[0].revents == 0 else { return }
        isQuiet = false
        var events: [MemoryPressure] = []
        for (at, answer) in polled.dropFirst().enumerated().reversed() where answer.revents != 0 {
          // A file of the control group answers with POLLERR beside POLLPRI; POLLERR alone is a trigger that is gone.
          guard answer.revents & answer.events != 0 else {
            close(triggers.remove(at: at).descriptor)
            continue
          }
          isQuiet = true
          if let event = triggers[at].judge() { events.append(event) }
        }
        if let worst = events.contains(.critical) ? .critical : events.first { handler(worst) }
      }
    }

    /// Wakes the thread for the last time: two sockets, the one heard by the thread.
    private final class Bell: Sendable {
      let descriptor: Int32
      private let writing: Int32

      init?() {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let isOpen = socketpair(AF_UNIX, kind, 0, &ends) == 0
        (descriptor, writing) = (ends[0], ends[1])
        if !isOpen { return nil }
      }

      deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        close(writing)
      }

      func ring() {
        var byte: UInt8 = 1
        _ = send(writing, &byte, 1, Int32(MSG_NOSIGNAL))
      }
    }
  }

  extension PressureWatch {
    /// What there is to watch on this machine: none where the kernel offers nothing or does not let this process.
    static func systemTriggers() -> [Trigger] {
      let limits = ControlGroupLimit(read: SmallFile.read)
      let folder = limits.groups().first { $0.version == .two }?.folders.first
      let pressure = [folder.map { $0 + "/memory.pressure" }, "/proc/pressure/memory"].compactMap { $0 }
      var triggers = stallTriggers(pressure)
      if let folder, let events = eventsTrigger(folder, limits) { triggers.append(events) }
      return triggers
    }

    /// For each kind of stall the trigger of the first file that takes one.
    static func stallTriggers(_ paths: [String]) -> [Trigger] {
      // 0.2 s of some task waiting for memory, 0.1 s of all of them, within 2 s: a window of 2 s needs no privilege
      // (Documentation/accounting/psi.rst).
      let stalls = [("some 200000 2000000", MemoryPressure.warning), ("full 100000 2000000", .critical)]
      return stalls.compactMap { condition, meaning in firstStallTrigger(paths, condition, meaning) }
    }

    /// A loop, because a lazy `compactMap` calls its closure twice for its first element: each call opens a descriptor.
    private static func firstStallTrigger(
      _ paths: [String], _ condition: String, _ meaning: MemoryPressure
    ) -> Trigger? {
      for path in paths {
        if let trigger = stallTrigger(path, condition, meaning) { return trigger }
      }
      return nil
    }

    private static func stallTrigger(_ path: String, _ condition: String, _ meaning: MemoryPressure) -> Trigger? {
      let file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
      guard file >= 0 else { return nil }
      let length = condition.utf8.count + 1
      guard condition.withCString({ write(file, $0, length) }) == length else {
        close(file)
        return nil
      }
      return Trigger(descriptor: file, events: Int16(POLLPRI)) { meaning }
    }

    private static func eventsTrigger(_ folder: String, _ limits: ControlGroupLimit) -> Trigger? {
      let file = open(folder + "/memory.events", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      // Reading is also what arms the file for the next event.
      let last = Locked(SmallFile.read(file).map(ControlGroupEvents.init) ?? ControlGroupEvents())
      return Trigger(descriptor: file, events: Int16(POLLPRI)) {
        let now = SmallFile.read(file).map(ControlGroupEvents.init) ?? ControlGroupEvents()
        let before = last.withLock { last in
          defer { last = now }
          return last
        }
        let used = SmallFile.read(folder + "/memory.stat").flatMap { ControlGroupEvents.number("anon", in: $0) }
        return now.meaning(since: before, used: used, limit: limits.bytes())
      }
    }
  }
#endif
