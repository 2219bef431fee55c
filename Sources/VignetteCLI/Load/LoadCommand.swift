import Foundation
import Vignette

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `vignette load`: sources load at the same time, a bounded number of them, and print in the order given.
struct LoadCommand {
  /// Sources under way at once; each may hold one decoded picture.
  static let concurrency = 6

  private let options: LoadOptions
  private let loader: SourceLoader

  /// - Throws: `UsageError`.
  init(_ options: LoadOptions) throws {
    self.options = options
    let plan = try options.output.map { try OutputPlan(output: $0, sources: options.sources) } ?? .none
    loader = SourceLoader(options, plan)
  }

  /// - Returns: whether all loaded.
  /// - Throws: `Terminal.Closed` when nobody reads the results any more; loads under way are cancelled.
  func run(_ terminal: inout Terminal) async throws -> Bool {
    loader.prepare()
    terminal.startBar(total: options.sources.count)
    defer { terminal.endBar() }
    let allLoaded = try await withThrowingTaskGroup(of: (Int, LoadRecord).self) { group in
      defer { group.cancelAll() }
      var unstarted = options.sources.indices
      var finished: [Int: LoadRecord] = [:]
      var nextToPrint = 0
      var allLoaded = true
      while let index = unstarted.popFirst() {
        group.addTask { [loader] in (index, await loader.load(index)) }
        if index < Self.concurrency - 1 { continue }
        guard let (index, record) = try await group.next() else { break }
        finished[index] = record
        terminal.advanceBar()
        allLoaded = try print(&finished, &nextToPrint, &terminal) && allLoaded
      }
      for try await (index, record) in group {
        finished[index] = record
        terminal.advanceBar()
        allLoaded = try print(&finished, &nextToPrint, &terminal) && allLoaded
      }
      return allLoaded
    }
    await loader.finish()
    return allLoaded
  }

  /// Prints all whose turn it is; answers whether they loaded.
  private func print(_ finished: inout [Int: LoadRecord], _ next: inout Int, _ terminal: inout Terminal) throws -> Bool
  {
    var allLoaded = true
    while let record = finished.removeValue(forKey: next) {
      next += 1
      if record.failure != nil { allLoaded = false }
      if options.isJSON {
        try terminal.print(record.json)
      } else if record.failure == nil {
        try terminal.print(record.text)
      } else {
        terminal.printError(record.text)
      }
    }
    return allLoaded
  }
}
