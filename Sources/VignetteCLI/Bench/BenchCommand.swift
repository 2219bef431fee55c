import Foundation
import ImageCodecs
import Vignette

/// `vignette bench thumbnails`: loads every URL of a list as a thumbnail and says when, for a harness outside to time.
///
/// Prints `start`, `first` and `done N`, each at the moment it names, and then stays until its standard input ends, so
/// that its memory can be read.
struct BenchCommand {
  /// Requests under way at once: enough to fill every queue of the pipeline, and few enough to take no memory.
  static let concurrency = 256
  /// Longest list that is read, in bytes.
  static let longestList = 256 << 20

  let options: BenchOptions
  private let pipeline: ImagePipeline

  init(_ options: BenchOptions) {
    self.options = options
    pipeline = options.network.pipeline()
  }

  /// - Returns: whether all loaded.
  /// - Throws: `Terminal.Closed`.
  func run(_ terminal: inout Terminal) async throws -> Bool {
    let requests: [ImageRequest]
    do {
      requests = try readList()
    } catch {
      terminal.printError("vignette: \(Failure(error).message)")
      return false
    }
    guard try await load(requests, &terminal) else { return false }
    try terminal.print("done \(requests.count)")
    await pipeline.flush()
    Self.waitForEndOfInput()
    return true
  }

  private func load(_ requests: [ImageRequest], _ terminal: inout Terminal) async throws -> Bool {
    try await withThrowingTaskGroup(of: (Int, Failure?).self) { group in
      defer { group.cancelAll() }
      var unstarted = requests.indices
      var running = 0
      var isFirst = true
      var allLoaded = true
      try terminal.print("start")
      while true {
        while running < Self.concurrency, let index = unstarted.popFirst() {
          running += 1
          group.addTask { [pipeline] in (index, await Self.failure(of: requests[index], pipeline)) }
        }
        guard let (index, failure) = try await group.next() else { return allLoaded }
        running -= 1
        if let failure {
          allLoaded = false
          let source = printable(requests[index].url?.absoluteString ?? "")
          terminal.printError("failed  \(source)  \(failure.code): \(printable(failure.message))")
        } else if isFirst {
          isFirst = false
          try terminal.print("first")
        }
      }
    }
  }

  private static func failure(of request: ImageRequest, _ pipeline: ImagePipeline) async -> Failure? {
    do {
      _ = try await pipeline.image(for: request)
      return nil
    } catch {
      return Failure(error)
    }
  }

  /// - Throws: `ImageLoadingError`.
  private func readList() throws -> [ImageRequest] {
    let file = try FileReader(URL(fileURLWithPath: options.list))
    let data = try file.read(upTo: Self.longestList + 1)
    guard data.count <= Self.longestList else {
      throw ImageLoadingError(.bodyTooLarge, "\(options.list) is longer than \(Self.longestList >> 20) MiB; split it.")
    }
    let lines = String(decoding: data, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let requests = try lines.enumerated().compactMap { number, line -> ImageRequest? in
      let text = line.trimmingCharacters(in: .whitespaces)
      guard !text.isEmpty else { return nil }
      do {
        return ImageRequest(url: try SourceArgument.url(text), target: .box(options.size, .fit))
      } catch {
        throw ImageLoadingError(.invalidURL, "\(options.list), line \(number + 1): \(Failure(error).message)")
      }
    }
    guard !requests.isEmpty else {
      throw ImageLoadingError(.emptyBody, "\(options.list) names no URL; write one on each line.")
    }
    return requests
  }

  /// In fixed blocks: what comes is not kept.
  private static func waitForEndOfInput() {
    var block = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = systemRead(STDIN_FILENO, &block, block.count)
      if count == 0 || (count < 0 && errno != EINTR) { return }
    }
  }
}

/// `read(2)`.
private func systemRead(_ descriptor: Int32, _ memory: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, memory, count)
}
