import Foundation
import Synchronized

/// A place at the stage where a source is read: that of transfers, taken when the network is about to be used, if it
/// ever is (a response that comes from a cache does not wait behind transfers), or that of files.
///
/// Kept with the bytes until they are being decoded, so that bytes do not pile up where sources are quicker than
/// decodes: memory is bounded by the places, not by the requests. Decodes never wait for sources, so somebody always
/// moves. Given back once: by `end`, or when the last copy of the bytes is let go of.
final class SourceLease: Sendable {
  private enum State {
    case unused
    case taken(Coordinator.Place)
    case ended
  }

  private let state = Locked(State.unused)
  private let take: @Sendable () async throws -> Coordinator.Place

  init(_ coordinator: Coordinator, host: String, urgency: Urgency) {
    take = { try await coordinator.takePlace(.download, lane: host, urgency: urgency) }
  }

  /// A place that is there already.
  init(_ place: Coordinator.Place) {
    take = { place }
    state.withLock { $0 = .taken(place) }
  }

  deinit { end() }

  /// Waits for the place; returns at once when it is there. Throws `CancellationError`.
  func admit() async throws {
    guard case .unused = state.withLock({ $0 }) else { return }
    let place = try await take()
    let isKept = state.withLock { state in
      guard case .unused = state else { return false }
      state = .taken(place)
      return true
    }
    // Asked for twice at once, or too late: one place is enough.
    if !isKept { place.giveBack() }
  }

  /// Tells the priority of the transfer now, and whenever it is wanted sooner or later.
  func followPriority(_ changed: @escaping @Sendable (ImagePriority) -> Void) {
    if case .taken(let place) = state.withLock({ $0 }) { place.seat.followPriority(changed) }
  }

  func end() {
    let old = state.withLock { state in
      defer { state = .ended }
      return state
    }
    if case .taken(let place) = old { place.giveBack() }
  }
}
