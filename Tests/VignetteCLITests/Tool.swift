import Foundation

/// The built command, run as a child process.
enum Tool {
  struct Result: Sendable {
    var status: Int32
    var output: String
    var errors: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The JSON objects of the output, one from each line.
    func objects() throws -> [[String: Any]] {
      try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:] }
    }
  }

  #if canImport(Darwin)
    private static let product = "VignetteCLI"
  #else
    private static let product = "vignette"
  #endif

  /// Beside the tests: the process itself on Linux, a bundle on Apple's platforms.
  static let url: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let tests = bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return tests.deletingLastPathComponent().appendingPathComponent(product)
  }()

  /// Runs the command to its end; a test that is cancelled, as by its time limit, ends it.
  /// - Parameter environment: beside what the tests themselves have.
  static func run(
    _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]
  ) async throws -> Result {
    let files = TemporaryFolder()
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = folder }
    // What the command keeps of this test's server must not answer for another's.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["XDG_CACHE_HOME": files.url.path]) { $1 }.merging(environment) { $1 }
    // Files rather than pipes: nobody has to read while the command runs.
    let output = try files.emptyFile("output")
    let errors = try files.emptyFile("errors")
    process.standardInput = FileHandle.nullDevice
    let handles = try [output, errors].map { try FileHandle(forWritingTo: $0) }
    // A process object outlives its process, and Foundation waits for others with select, which has no room for many.
    defer { for handle in handles { try? handle.close() } }
    process.standardOutput = handles[0]
    process.standardError = handles[1]
    try await end(process)
    return Result(
      status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
      output: try String(contentsOf: output, encoding: .utf8), errors: try String(contentsOf: errors, encoding: .utf8))
  }

  private static func end(_ process: Process) async throws {
    let child = Child(process)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        process.terminationHandler = { _ in continuation.resume() }
        do {
          try process.run()
        } catch {
          process.terminationHandler = nil
          continuation.resume(throwing: error)
        }
      }
    } onCancel: {
      child.process.terminate()
    }
  }

  /// guard: `terminate` may be called from any thread; nothing else is done through this.
  private struct Child: @unchecked Sendable {
    let process: Process

    init(_ process: Process) { self.process = process }
  }
}

/// A folder of its own for one test, removed with this object.
final class TemporaryFolder: Sendable {
  let url: URL

  init() {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("vignette-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func emptyFile(_ name: String) throws -> URL {
    let file = url.appendingPathComponent(name)
    try Data().write(to: file)
    return file
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}
