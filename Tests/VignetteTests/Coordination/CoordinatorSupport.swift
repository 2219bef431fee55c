import Foundation
import Synchronized
import VignetteTesting

@testable import Vignette

/// A coordinator whose sources are one byte each.
extension Coordinator {
  static func small(downloads: Int = 1, perHost: Int = .max, files: Int = 1, decodes: Int = 1) -> Coordinator {
    Coordinator(limits: .init(downloads: downloads, downloadsPerHost: perHost, files: files, decodes: decodes))
  }

  func source(
    _ name: String = "a", _ urgency: Urgency = .fixed(.visible), report: Report? = nil,
    joined: @Sendable () -> Void = {}, _ work: @escaping @Sendable (Work) async throws -> UInt8
  ) async throws -> UInt8 {
    let encoded = try await value(
      of: .sources, for: .named(name), urgency: urgency, report: report, joined: joined
    ) { EncodedImage(data: Data([try await work($0)]), origin: .data) }
    return encoded.data.first ?? 0
  }

  /// A picture of nothing.
  func picture(
    _ name: String = "a", _ urgency: Urgency = .fixed(.visible), joined: @Sendable () -> Void = {},
    _ work: @escaping @Sendable (Work) async throws -> Void
  ) async throws {
    _ = try await value(of: .pictures, for: .named(name), urgency: urgency, joined: joined) { context in
      try await work(context)
      let image = ImageMemoryCache.Entry.blank(1, 1).image
      return Picture(
        response: ImageResponse(image: image, origin: .data, bytes: 0, decodeTime: 0), mayBeKept: false)
    }
  }

  /// Returns once so many claims wait.
  func waits(_ count: Int, at stage: Stage) async { await eventually { self.waitingCount(stage) == count } }

  func becomesIdle() async { await eventually { self.isIdle } }
}

/// What happened, in order.
final class Journal<Entry: Sendable>: Sendable {
  private let state = Locked<[Entry]>([])

  var entries: [Entry] { state.withLock { $0 } }
  var count: Int { state.withLock { $0.count } }

  func add(_ entry: Entry) { state.withLock { $0.append(entry) } }
}

/// Holds threads until it is opened. Blocking work has no task to suspend, so it looks again and again.
final class Latch: Sendable {
  private let state = Locked(false)

  var isOpen: Bool { state.withLock { $0 } }

  func open() { state.withLock { $0 = true } }

  /// - Parameter isGivenUp: asked at each look.
  func block(unless isGivenUp: () -> Bool = { false }) {
    while !isOpen, !isGivenUp() { sched_yield() }
  }
}
