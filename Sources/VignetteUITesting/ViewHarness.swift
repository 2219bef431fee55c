import EaselCore
import Foundation
import Pixels
import Vignette
import VignetteUI

/// A view in a window without a screen, driven by a test: wait for what it loads, move its clock, tap, look.
///
/// ```swift
/// let harness = ViewHarness(size: CGSize(width: 320, height: 480), pipeline: pipeline) { PhotoList() }
/// try await harness.until { harness.labels(.image).count == 3 }
/// harness.advance(by: 1)
/// let picture = harness.snapshot()
/// ```
/// Waiting is driven by the host's own wish for a frame, not by time; a limit ends a wait that would be endless.
@MainActor
public final class ViewHarness {
  public let host: ViewHost
  public let pipeline: ImagePipeline
  private let frames = FrameSignal()

  /// - Parameters:
  ///   - size: points.
  ///   - scale: pixels per point.
  ///   - pipeline: what the views load through.
  public init<Root: View>(
    size: CGSize, scale: CGFloat = 1, colorScheme: ColorScheme = .light, pipeline: ImagePipeline,
    @ViewBuilder view: () -> Root
  ) {
    self.pipeline = pipeline
    host = ViewHost(view().imagePipeline(pipeline), size: size, scale: scale) { $0.colorScheme = colorScheme }
    let frames = frames
    host.onNeedsFrame = { frames.signal() }
    host.update()
  }

  /// Why a wait ended without its condition.
  public struct TimedOut: Error, CustomStringConvertible {
    public var seconds: Double
    public var screen: [AccessibilityElement]

    public var description: String {
      let lines = screen.map { "  \($0.role.rawValue) \"\($0.label)\"" }
      return "The condition did not come true within \(seconds) s. On the screen:\n" + lines.joined(separator: "\n")
    }
  }

  /// Updates the views until `condition` holds, waiting for what they load in between.
  ///
  /// - Parameter seconds: the limit of the wait in real time.
  /// - Throws: `TimedOut`, or `CancellationError`.
  public func until(within seconds: Double = 60, _ condition: () -> Bool) async throws {
    let frames = frames
    frames.begin()
    let limit = Task {
      // Within what the conversion can take: some 30 years.
      try await Task.sleep(nanoseconds: UInt64(seconds > 0 ? min(seconds, 1e9) * 1e9 : 0))
      frames.end()
    }
    defer { limit.cancel() }
    while true {
      host.update()
      if condition() { return }
      guard await frames.next() else { throw TimedOut(seconds: seconds, screen: host.accessibilityTree()) }
      try Task.checkCancellation()
    }
  }

  /// Moves the animation clock, in seconds, and brings the views up to date.
  public func advance(by seconds: Double) {
    host.advance(by: seconds)
    host.update()
  }

  /// The labels of the elements on the screen that have a role, in reading order.
  public func labels(_ role: AccessibilityElement.Role) -> [String] {
    host.accessibilityTree().filter { $0.role == role }.map(\.label)
  }

  /// The window's pixels.
  public func snapshot() -> Bitmap { host.render() }
}

/// Turns the host's calls for a frame into something to wait for. One waiter; signals that come before it are kept.
@MainActor
private final class FrameSignal {
  private var isPending = false
  private var hasEnded = false
  private var waiter: CheckedContinuation<Bool, Never>?

  nonisolated init() {}

  func signal() {
    guard let waiter else {
      isPending = true
      return
    }
    self.waiter = nil
    waiter.resume(returning: true)
  }

  /// A new wait: a limit that passed between two waits concerns neither.
  func begin() { hasEnded = false }

  /// Ends the present wait, or the next one.
  func end() {
    guard let waiter else {
      hasEnded = true
      return
    }
    self.waiter = nil
    waiter.resume(returning: false)
  }

  /// Answers `false` when the limit has passed.
  func next() async -> Bool {
    if isPending {
      isPending = false
      return true
    }
    if hasEnded {
      hasEnded = false
      return false
    }
    return await withCheckedContinuation { waiter = $0 }
  }
}
