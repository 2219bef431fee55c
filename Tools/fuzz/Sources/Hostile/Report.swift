import Foundation

/// Runs each part in a process of its own and prints what it cost.
struct Report {
  private struct Line {
    var cases = 0
    var seconds = 0.0
    var megabytes = 0
    var slowest = ""
  }

  let folder: String

  /// - Returns: whether nothing was found.
  func run(_ parts: [Work]) -> Bool {
    print("part                 cases  slowest ms  memory MB  slowest case")
    var total = Line()
    var isClean = true
    for part in parts {
      guard let line = run(part) else {
        isClean = false
        continue
      }
      show(part.name, line)
      total.cases += line.cases
      total.megabytes = max(total.megabytes, line.megabytes)
      if line.seconds > total.seconds { (total.seconds, total.slowest) = (line.seconds, line.slowest) }
    }
    show("total", total)
    print(isClean ? "Nothing found." : "FOUND: see above.")
    return isClean
  }

  private func show(_ name: String, _ line: Line) {
    let milliseconds = String(format: "%11.1f", line.seconds * 1000)
    let numbers = pad("\(line.cases)", 7) + " " + milliseconds + pad("\(line.megabytes)", 11)
    print("\(name.padding(toLength: 18, withPad: " ", startingAt: 0)) \(numbers)  \(line.slowest)")
  }

  private func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private func run(_ part: Work) -> Line? {
    let trace = FileManager.default.temporaryDirectory.appendingPathComponent("hostile-\(UUID().uuidString)")
    FileManager.default.createFile(atPath: trace.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: trace) }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--work", part.name, "--fixtures", folder]
    process.environment = ["HOSTILE_TRACE": trace.path, "SWIFT_BACKTRACE": "enable=no"]
    process.standardOutput = output
    // Libraries comment on damage there.
    let comments = FileManager.default.temporaryDirectory.appendingPathComponent("hostile-\(UUID().uuidString)")
    FileManager.default.createFile(atPath: comments.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: comments) }
    process.standardError = FileHandle(forWritingAtPath: comments.path)
    do {
      try process.run()
    } catch {
      print("\(part.name): cannot be started: \(error)")
      return nil
    }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let fields = text.split(separator: "\n").last?.split(separator: "\t", omittingEmptySubsequences: false) ?? []
    guard process.terminationReason == .exit, process.terminationStatus == 0, fields.count == 4 else {
      let about = (try? String(contentsOf: trace, encoding: .utf8))?.trimmingCharacters(in: .whitespaces) ?? ""
      let why =
        process.terminationReason == .exit
        ? "status \(process.terminationStatus)" : Self.ending(process.terminationStatus)
      print("FOUND \(part.name): \(why) at: \(about)")
      let last = (try? String(contentsOf: comments, encoding: .utf8))?.split(separator: "\n").last
      if let last { print("  \(last)") }
      return nil
    }
    return Line(
      cases: Int(fields[0]) ?? 0, seconds: Double(fields[1]) ?? 0, megabytes: Int(fields[2]) ?? 0,
      slowest: String(fields[3]))
  }

  private static func ending(_ signal: Int32) -> String {
    signal == SIGPROF ? "more than \(Record.longestCase) s" : "signal \(signal)"
  }
}
