import Foundation
import Synchronized
import Testing
import VignetteTesting

@testable import Vignette

@Suite("What happens in a pipeline is counted and told", .timeLimit(.minutes(5)))
struct EventHubTests {
  private let hub = EventHub(observer: nil)

  /// What a stream tells until its hub is gone, as counters.
  private static func sum(_ stream: AsyncStream<PipelineEvent>) async -> PipelineCounters {
    var counters = PipelineCounters()
    for await event in stream { counters.add(event.kind) }
    return counters
  }

  @Test("the sum of what a stream tells is what was counted", arguments: 0..<5)
  func folding(_ round: Int) async {
    var random = SeededRandom()
    var hub: EventHub? = EventHub(observer: nil)
    let stream = hub?.stream(limit: 1_000)
    for _ in 0..<500 { hub?.record(.random(using: &random)) }
    let counted = hub?.counters
    hub = nil
    guard let stream else { return }
    #expect(await Self.sum(stream) == counted, "seed \(random.seed)")
  }

  @Test("the counters agree with the stream when many threads tell at once")
  func concurrent() async {
    var hub: EventHub? = EventHub(observer: nil)
    let stream = hub?.stream(limit: 10_000)
    await withTaskGroup(of: Void.self) { [hub] group in
      for _ in 0..<8 {
        group.addTask {
          for bytes in 0..<500 { hub?.record(.fetched(.network, bytes: bytes)) }
        }
      }
    }
    let counted = hub?.counters
    hub = nil
    guard let stream else { return }
    #expect(counted?.networkLoads == 4_000)
    #expect(counted?.networkBytes == 8 * 499 * 500 / 2)
    #expect(await Self.sum(stream) == counted)
  }

  @Test("every stream tells what happens from its beginning on, in order")
  func severalStreams() async {
    var hub: EventHub? = EventHub(observer: nil)
    let early = hub?.stream(limit: 10)
    hub?.record(.requested)
    let late = hub?.stream(limit: 10)
    hub?.record(.coalesced)
    hub?.record(.cancelled)
    hub = nil
    guard let early, let late else { return }
    #expect(await early.reduce(into: []) { $0.append($1.kind) } == [.requested, .coalesced, .cancelled])
    #expect(await late.reduce(into: []) { $0.append($1.kind) } == [.coalesced, .cancelled])
  }

  @Test("a reader that falls behind loses the oldest events", arguments: [-1, 0, 1, 3])
  func slowReader(_ limit: Int) async {
    var hub: EventHub? = EventHub(observer: nil)
    let stream = hub?.stream(limit: limit)
    for bytes in 0..<10 { hub?.record(.resumed(bytes: bytes)) }
    hub = nil
    guard let stream else { return }
    let kept = await stream.reduce(into: []) { $0.append($1.kind) }
    #expect(kept == (10 - max(1, limit)..<10).map { .resumed(bytes: $0) })
  }

  @Test("a stream nobody reads any more is let go of")
  func ended() async {
    do {
      _ = hub.stream(limit: 10)
    }
    await eventually { [hub] in hub.streamCount == 0 }
    let stream = hub.stream(limit: 10)
    let reading = Task { for await _ in stream {} }
    #expect(hub.streamCount == 1)
    reading.cancel()
    await reading.value
    await eventually { [hub] in hub.streamCount == 0 }
    hub.record(.requested)
    #expect(hub.counters.requests == 1)
  }

  @Test("a stream whose reader stops after a few events is let go of")
  func stops() async {
    await Task { [hub] in
      hub.record(.requested)
      let stream = hub.stream(limit: 10)
      hub.record(.requested)
      for await _ in stream { break }
    }.value
    await eventually { [hub] in hub.streamCount == 0 }
    #expect(hub.streamCount == 0)
  }

  @Test("streams of a pipeline that is gone end")
  func hubGone() async {
    var hub: EventHub? = EventHub(observer: nil)
    guard let stream = hub?.stream(limit: 10) else { return }
    let reading = Task { for await _ in stream {} }
    hub = nil
    await reading.value
  }

  @Test("an event names the address of its request")
  func address() async {
    let seen = Journal<URL?>()
    let hub = EventHub(observer: PipelineObserver { seen.add($0.url) })
    hub.record(.requested, ImageRequest(Scripted.address))
    hub.record(.requested, ImageRequest(id: "closure") { Data() })
    hub.record(.requested)
    #expect(seen.entries == [URL(string: Scripted.address), nil, nil])
  }

  @Test("several observers are told as one, in their order")
  func observers() {
    let seen = Journal<String>()
    let both = PipelineObserver.all(["a", "b"].map { name in PipelineObserver { seen.add("\(name) \($0.kind)") } })
    let hub = EventHub(observer: both)
    hub.record(.cancelled)
    hub.record(.coalesced)
    #expect(seen.entries == ["a cancelled", "b cancelled", "a coalesced", "b coalesced"])
  }

  @Test("an observer may look at the counters, which have its event already")
  func observerReads() {
    let hub = Locked<EventHub?>(nil)
    let seen = Journal<Int?>()
    let observed = EventHub(observer: PipelineObserver { _ in seen.add(hub.withLock { $0 }?.counters.requests) })
    hub.withLock { $0 = observed }
    observed.record(.requested)
    observed.record(.requested)
    hub.withLock { $0 = nil }
    #expect(seen.entries == [1, 2])
  }
}

extension PipelineEvent.Kind {
  /// Times are whole numbers, so that their sum does not depend on the order.
  static func random(using random: inout SeededRandom) -> Self {
    let origins: [ImageResponse.Origin] = [.network, .disk, .revalidated, .memory, .file, .data, .thumbnail]
    let origin = origins.randomElement(using: &random) ?? .data
    let number = Int.random(in: 0..<1_000, using: &random)
    let kinds: [Self] = [
      .requested, .succeeded(origin), .failed(.http(404)), .cancelled, .memoryHit, .thumbnailHit, .coalesced,
      .fetched(origin, bytes: number), .resumed(bytes: number), .retried(.timedOut, after: Double(number)),
      .refusedAgain, .alternative(.offline), .decoded(seconds: Double(number)), .processed(seconds: Double(number)),
      .thumbnailStored(bytes: number),
    ]
    return kinds.randomElement(using: &random) ?? .requested
  }
}
