#if !canImport(Darwin) && SVG
  internal import CImageShims
  import Foundation

  /// A program that turns its standard input into its standard output, with bounds. Ended by `kill` or `end`, one of
  /// which must be called, once.
  struct ConverterProcess {
    enum Outcome {
      case succeeded
      /// With what it said of that.
      case failed(String)
      /// By a signal: it crashed, or met a limit.
      case ended
    }

    private let process: vg_converter

    /// - Parameter arguments: the program, which is looked for in PATH, and its arguments.
    /// - Throws: `POSIXError`.
    init(_ arguments: [String], input: UnsafeRawBufferPointer, limits: vg_converter_limits) throws {
      var process = vg_converter()
      let strings = arguments.map { strdup($0) }
      defer { strings.forEach { free($0) } }
      let pointers = strings.map { $0.map { UnsafePointer($0) } } + [nil]
      var empty: UInt8 = 0
      let failure = withUnsafePointer(to: &empty) { empty in
        vg_converter_start(pointers, input.baseAddress ?? UnsafeRawPointer(empty), input.count, limits, &process)
      }
      guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
      self.process = process
    }

    /// Everything it writes, until it closes its output.
    /// - Parameters:
    ///   - limit: bytes; more are an error.
    ///   - patience: between two questions whether to go on, in milliseconds.
    func output(upTo limit: Int, patience: CInt, isCancelled: () -> Bool) throws -> Data {
      var data = Data()
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        if isCancelled() { throw CancellationError() }
        var waiting = pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, patience) > 0 else { continue }
        let count = read(process.output, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return data }
        data.append(contentsOf: buffer[..<count])
        guard data.count <= limit else { throw CodecError.corrupt(.svg, "more came of it than was asked for") }
      }
    }

    /// What it said of errors: the last line, without signs that a terminal would obey.
    private var message: String {
      var buffer = [UInt8](repeating: 0, count: 512)
      let count = pread(process.errors, &buffer, buffer.count, 0)
      let text = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
      let line = text.split(whereSeparator: \.isNewline).last ?? ""
      return String(line.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
    }

    /// Waits for its end, which is near once it has closed its output.
    func end() -> Outcome {
      defer { close() }
      let status = wait()
      return status == 0 ? .succeeded : status & 0x7F == 0 ? .failed(message) : .ended
    }

    func kill() {
      Foundation.kill(process.process, SIGKILL)
      _ = wait()
      close()
    }

    private func close() {
      Foundation.close(process.output)
      Foundation.close(process.errors)
    }

    /// - Returns: the status as waitpid(2) has it.
    private func wait() -> CInt {
      var status: CInt = 0
      while waitpid(process.process, &status, 0) < 0 {
        // Where the program ignores SIGCHLD, nothing is kept of a process that has ended.
        guard errno == EINTR else { return 0 }
      }
      return status
    }
  }
#endif
