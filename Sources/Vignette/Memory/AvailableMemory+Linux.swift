#if !canImport(Darwin)
  import Glibc

  extension ImageMemoryCache {
    /// Bytes this process may use: the least of the machine's memory, the control groups' limits and RLIMIT_AS.
    static func availableMemory() -> Int {
      let machine = sysconf(Int32(_SC_PHYS_PAGES)).multipliedReportingOverflow(by: sysconf(Int32(_SC_PAGESIZE)))
      let limits = [ControlGroupLimit(read: SmallFile.read).bytes(), addressSpace()].compactMap { $0 }
      return limits.reduce(machine.overflow || machine.partialValue <= 0 ? .max : machine.partialValue, min)
    }

    /// RLIMIT_AS in bytes; `nil` where it is unlimited.
    private static func addressSpace() -> Int? {
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { return nil }
      return Int(exactly: limit.rlim_cur)
    }
  }

  /// Files of /proc and /sys: they have no size to ask for, and are short.
  enum SmallFile {
    /// The text of a file of at most a mebibyte; `nil` where it cannot be read or is longer.
    static func read(_ path: String) -> String? {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      return read(file)
    }

    /// The text from the beginning, wherever the descriptor stands.
    static func read(_ file: Int32) -> String? {
      let longest = 1 << 20
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 4_096)
      while bytes.count <= longest {
        let count = pread(file, &chunk, chunk.count, bytes.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return nil }
        if count == 0 { return String(decoding: bytes, as: UTF8.self) }
        bytes += chunk[..<count]
      }
      return nil
    }
  }
#endif
