import EaselCore

/// Scrolling that goes on by itself: a distance that is covered quickly at first and ever more slowly, as after a turn
/// of the wheel, a key, or a flick of the fingers.
///
/// The way left shrinks by `rate` a second; a speed `v` is a way of `v / rate`, which makes a flick and a jump one thing.
struct ScrollMotion {
  /// Points.
  private(set) var remaining = CGSize.zero
  private var rate = jumpRate

  /// A jump is over after about a fifth of a second, a flick after a second and a half.
  private static let jumpRate = 18.0
  private static let flingRate = 3.5

  var isMoving: Bool { remaining != .zero }

  /// Adds a distance in points. Against the present motion it replaces it.
  mutating func jump(by distance: CGSize) {
    remaining = CGSize(
      width: Self.sum(remaining.width, distance.width), height: Self.sum(remaining.height, distance.height))
    rate = Self.jumpRate
  }

  /// Goes on from a speed in points a second.
  mutating func fling(at speed: CGSize) {
    rate = Self.flingRate
    remaining = CGSize(width: Self.way(of: speed.width), height: Self.way(of: speed.height))
  }

  mutating func stop() { remaining = .zero }

  /// The distance to cover in the next `seconds`.
  mutating func advance(by seconds: Double) -> CGSize {
    let share = seconds > 0 ? 1 - exp(-seconds * rate) : 0
    // What is left below half a point would only blur.
    func part(_ length: CGFloat) -> CGFloat { abs(length) < 0.5 ? length : length * share }
    let step = CGSize(width: part(remaining.width), height: part(remaining.height))
    remaining = CGSize(width: remaining.width - step.width, height: remaining.height - step.height)
    return step
  }

  private static func sum(_ old: CGFloat, _ new: CGFloat) -> CGFloat {
    guard new.isFinite else { return old }
    return old * new < 0 ? new : old + new
  }

  private static func way(of speed: CGFloat) -> CGFloat { speed.isFinite ? speed / flingRate : 0 }
}
