import EaselCore
import Pixels

/// The frames of the labelled elements of a view laid out in a window of `size`.
@MainActor func frames(
  _ view: some View, in size: CGSize = CGSize(width: 100, height: 100), scale: CGFloat = 1
) -> [String: CGRect] {
  let host = ViewHost(view, size: size, scale: scale)
  return frames(in: host)
}

@MainActor func frames(in host: ViewHost) -> [String: CGRect] {
  var result: [String: CGRect] = [:]
  for element in host.accessibilityTree() { result[element.label] = element.frame }
  return result
}

extension View {
  /// Gives a view a name by which `frames` finds it.
  func named(_ name: String) -> some View { accessibilityLabel(name) }
}

/// A window drawn at one pixel a point.
@MainActor func draw(_ view: some View, width: Int, height: Int, scale: CGFloat = 1) -> Bitmap {
  ViewHost(view, size: CGSize(width: width, height: height), scale: scale).render()
}

extension Bitmap {
  /// Red, green, blue of one pixel.
  func rgb(_ x: Int, _ y: Int) -> [UInt8] {
    let pixel = self[x, y]
    return [pixel.red, pixel.green, pixel.blue]
  }
}

/// What happened, in order.
@MainActor final class Journal {
  private(set) var entries: [String] = []
  func note(_ entry: String) { entries.append(entry) }
  func take() -> [String] {
    defer { entries = [] }
    return entries
  }
}

/// Waits until the task that calls it is cancelled, however late that is on a busy machine.
@MainActor func untilCancelled() async {
  let (stream, continuation) = AsyncStream<Void>.makeStream()
  for await _ in stream {}
  continuation.finish()
}

/// Lets jobs of the main actor run until `condition` holds. Bounded by a time no healthy machine needs, not by a number
/// of turns: on a busy one, turns are cheap and the others' work is late.
@MainActor func eventually(_ condition: () -> Bool) async -> Bool {
  let limit = Date(timeIntervalSinceNow: 240)
  while !condition() {
    if Date() > limit { return false }
    await Task.yield()
  }
  return true
}
