#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Standard output and standard error, with a progress bar on the latter where it is a terminal.
///
/// The bar is taken away before anything is printed and drawn again after it. Writing to a closed pipe throws instead
/// of killing the process: `SIGPIPE` is ignored from the first use on.
struct Terminal {
  /// Standard output takes no more: a full disk, or a reader that has gone.
  struct Closed: Error {
    /// Why, as a sentence; `nil` for a reader that has gone, which is no fault (`vignette … | head -1`).
    var reason: String?

    fileprivate init(code: Int32) {
      reason = code == EPIPE ? nil : "Standard output cannot be written: \(String(cString: strerror(code)))."
    }
  }

  private var total = 0
  private var done = 0
  private var isBarShown = false

  init() {
    signal(SIGPIPE, SIG_IGN)
    // Where a standard descriptor is closed, the next file opened would take its number and receive what is printed.
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", O_RDONLY)
    }
  }

  mutating func startBar(total: Int) {
    guard total > 1, isatty(STDERR_FILENO) == 1 else { return }
    self.total = total
    drawBar()
  }

  mutating func advanceBar() {
    done += 1
    drawBar()
  }

  mutating func print(_ line: String) throws {
    eraseBar()
    try Self.write(line + "\n", to: STDOUT_FILENO)
    drawBar()
  }

  mutating func printError(_ line: String) {
    eraseBar()
    // With standard error closed there is nobody left to tell.
    try? Self.write(line + "\n", to: STDERR_FILENO)
    drawBar()
  }

  mutating func endBar() {
    eraseBar()
    total = 0
  }

  private mutating func drawBar() {
    guard total > 0 else { return }
    let width = 30
    let filled = min(width, width * done / total)
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    try? Self.write("\r[\(bar)] \(done) of \(total)", to: STDERR_FILENO)
    isBarShown = true
  }

  private mutating func eraseBar() {
    guard isBarShown else { return }
    try? Self.write("\r\u{1B}[K", to: STDERR_FILENO)
    isBarShown = false
  }

  private static func write(_ text: String, to descriptor: Int32) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      let code = errno
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if code == EAGAIN {
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&wait, 1, -1)
      } else if code != EINTR {
        throw Closed(code: code)
      }
    }
  }
}

/// `write(2)`, which the method of that name hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
