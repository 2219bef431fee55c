import Foundation
import Testing
import VignetteTesting

@testable import Vignette

@Suite("The counters of a pipeline", .timeLimit(.minutes(5)))
struct PipelineCountersTests {
  /// An event and what it counts; written out, as a reader of the documentation would expect it.
  struct Row: Sendable {
    let kind: PipelineEvent.Kind
    let expected: PipelineCounters

    init(_ kind: PipelineEvent.Kind, _ count: (inout PipelineCounters) -> Void) {
      self.kind = kind
      var expected = PipelineCounters()
      count(&expected)
      self.expected = expected
    }
  }

  static let rows: [Row] = [
    Row(.requested) { $0.requests = 1 },
    Row(.succeeded(.memory)) { $0.successes = 1 },
    Row(.failed(.http(500))) { $0.failures = 1 },
    Row(.cancelled) { $0.cancelled = 1 },
    Row(.memoryHit) { $0.memoryHits = 1 },
    Row(.thumbnailHit) { $0.thumbnailHits = 1 },
    Row(.coalesced) { $0.coalesced = 1 },
    Row(.fetched(.disk, bytes: 9)) { $0.freshLoads = 1 },
    Row(.fetched(.revalidated, bytes: 9)) { $0.revalidatedLoads = 1 },
    Row(.fetched(.file, bytes: 9)) { _ in },
    Row(.fetched(.data, bytes: 9)) { _ in },
    Row(.resumed(bytes: 9)) { $0.resumed = 1 },
    Row(.retried(.timedOut, after: 2)) { $0.retried = 1 },
    Row(.refusedAgain) { $0.refusedAgain = 1 },
    Row(.alternative(.offline)) { $0.alternatives = 1 },
    Row(.thumbnailStored(bytes: 9)) { $0.thumbnailsStored = 1 },
    Row(.fetched(.network, bytes: 9)) {
      $0.networkLoads = 1
      $0.networkBytes = 9
    },
    Row(.decoded(seconds: 0.5)) {
      $0.decodes = 1
      $0.decodeTime = 0.5
    },
    Row(.processed(seconds: 0.25)) {
      $0.processed = 1
      $0.processTime = 0.25
    },
  ]

  @Test("an event counts what it says and nothing else", arguments: rows)
  func row(_ row: Row) {
    var counters = PipelineCounters()
    counters.add(row.kind)
    #expect(counters == row.expected)
  }

  @Test("a source that the HTTP cache had counts as cached, confirmed or not")
  func cached() {
    var counters = PipelineCounters()
    counters.add(.fetched(.disk, bytes: 1))
    counters.add(.fetched(.revalidated, bytes: 1))
    counters.add(.fetched(.network, bytes: 1))
    #expect(counters.cachedLoads == 2)
  }

  @Test("what a pipeline tells adds up to its counters, and every request ends once")
  func wholePipeline() async throws {
    let told = Journal<PipelineEvent.Kind>()
    let scripted = Scripted { $0.observer = PipelineObserver { told.add($0.kind) } }
    scripted.loader.reply(to: "http://pictures.test/text", .text("no picture"))
    let addresses = [Scripted.address, "http://pictures.test/missing", "http://pictures.test/text", "nothing"]
    let tasks = (0..<200).map { number in
      Task { await failureCode(scripted.pipeline, ImageRequest(addresses[number % addresses.count])) }
    }
    for task in tasks.prefix(50) { task.cancel() }
    for task in tasks { _ = await task.value }
    await scripted.pipeline.coordinator.becomesIdle()
    var (counters, sum) = (scripted.pipeline.counters, PipelineCounters())
    for kind in told.entries { sum.add(kind) }
    // Sums of times depend on their order a little.
    #expect(abs(sum.decodeTime - counters.decodeTime) < 1e-6)
    counters.decodeTime = sum.decodeTime
    #expect(sum == counters)
    #expect(counters.requests == 200)
    #expect(counters.successes + counters.failures + counters.cancelled == 200)
    #expect(counters.successes >= 30 && counters.failures >= 100)
  }
}
