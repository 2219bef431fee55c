/// How a change is spread over time: a curve from 0 to 1, by SwiftUI's names and documented parameters.
public struct Animation: Hashable, Sendable {
  enum Curve: Hashable, Sendable {
    /// A cubic Bézier timing curve from (0, 0) to (1, 1), over `duration` seconds.
    case timing(UnitCurve, duration: TimeInterval)
    /// A damped spring: `response` is the period of the undamped oscillation in seconds.
    case spring(response: TimeInterval, dampingFraction: Double)
  }

  var curve: Curve
  var delay: TimeInterval = 0
  var speed = 1.0
  /// The number of runs; nil repeats for ever.
  var repetitions: Int? = 1
  var autoreverses = false

  /// A spring without bounce: response 0.55 s, damping fraction 1.
  public static let `default` = spring(response: 0.55, dampingFraction: 1)

  // MARK: Timing curves (0.35 s unless given)

  public static var linear: Animation { linear(duration: 0.35) }
  public static var easeIn: Animation { easeIn(duration: 0.35) }
  public static var easeOut: Animation { easeOut(duration: 0.35) }
  public static var easeInOut: Animation { easeInOut(duration: 0.35) }

  public static func linear(duration: TimeInterval) -> Animation { timing(.linear, duration) }
  public static func easeIn(duration: TimeInterval) -> Animation { timing(.easeIn, duration) }
  public static func easeOut(duration: TimeInterval) -> Animation { timing(.easeOut, duration) }
  public static func easeInOut(duration: TimeInterval) -> Animation { timing(.easeInOut, duration) }

  public static func timingCurve(
    _ p1x: Double, _ p1y: Double, _ p2x: Double, _ p2y: Double, duration: TimeInterval = 0.35
  ) -> Animation {
    timing(UnitCurve(x1: min(1, max(0, p1x)), y1: p1y, x2: min(1, max(0, p2x)), y2: p2y), duration)
  }

  // MARK: Springs

  public static func spring(
    response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: TimeInterval = 0
  ) -> Animation {
    Animation(curve: .spring(response: max(0.001, response), dampingFraction: max(0.01, dampingFraction)))
  }

  /// `bounce` 0 is critically damped, towards 1 it oscillates longer.
  public static func spring(
    duration: TimeInterval = 0.5, bounce: Double = 0, blendDuration: Double = 0
  ) -> Animation {
    spring(response: duration, dampingFraction: 1 - bounce)
  }

  public static var spring: Animation { spring(duration: 0.5, bounce: 0) }
  public static var smooth: Animation { spring(duration: 0.5, bounce: 0) }
  public static var snappy: Animation { spring(duration: 0.5, bounce: 0.15) }
  public static var bouncy: Animation { spring(duration: 0.5, bounce: 0.3) }
  public static var interactiveSpring: Animation { spring(response: 0.15, dampingFraction: 0.86) }

  private static func timing(_ curve: UnitCurve, _ duration: TimeInterval) -> Animation {
    Animation(curve: .timing(curve, duration: max(0, duration)))
  }

  // MARK: Variations

  /// Starts `delay` seconds later.
  public func delay(_ delay: TimeInterval) -> Animation {
    var copy = self
    copy.delay += max(0, delay)
    return copy
  }

  /// Runs `speed` times as fast.
  public func speed(_ speed: Double) -> Animation {
    var copy = self
    copy.speed *= speed
    return copy
  }

  public func repeatCount(_ repeatCount: Int, autoreverses: Bool = true) -> Animation {
    var copy = self
    copy.repetitions = max(1, repeatCount)
    copy.autoreverses = autoreverses
    return copy
  }

  public func repeatForever(autoreverses: Bool = true) -> Animation {
    var copy = self
    copy.repetitions = nil
    copy.autoreverses = autoreverses
    return copy
  }
}

extension Animation {
  /// How far the change is `elapsed` seconds after its start: 0 is the old value, 1 the new one. Springs may overshoot.
  func progress(at elapsed: TimeInterval) -> Double {
    let time = (elapsed - delay) * speed
    guard time > 0 else { return 0 }
    let duration = self.duration
    guard duration > 0, time.isFinite else { return 1 }
    if let repetitions, time >= duration * Double(repetitions) {
      return autoreverses && repetitions.isMultiple(of: 2) ? 0 : 1
    }
    if repetitions == 1 { return curve.value(at: time) }
    let run = (time / duration).rounded(.down)
    let within = time - run * duration
    let isBackward = autoreverses && run.truncatingRemainder(dividingBy: 2) == 1
    return curve.value(at: isBackward ? duration - within : within)
  }

  /// Whether the value no longer changes `elapsed` seconds after the start.
  func isFinished(at elapsed: TimeInterval) -> Bool {
    guard let repetitions else { return false }
    return (elapsed - delay) * speed >= duration * Double(repetitions)
  }

  /// Seconds of one run, before delay and speed.
  var duration: TimeInterval {
    switch curve {
    case .timing(_, let duration): duration
    case .spring(let response, let dampingFraction):
      // Until the envelope e^(-ζωt), with the factor of a critically damped spring, is below a thousandth.
      9.24 * response / (2 * .pi * min(1, dampingFraction))
    }
  }
}

extension Animation.Curve {
  func value(at time: TimeInterval) -> Double {
    switch self {
    case .timing(let curve, let duration):
      return duration > 0 ? curve.value(at: min(1, time / duration)) : 1
    case .spring(let response, let damping):
      return Self.spring(time, frequency: 2 * .pi / response, damping: damping)
    }
  }

  /// The unit step response of a damped oscillator at rest.
  private static func spring(_ time: TimeInterval, frequency: Double, damping: Double) -> Double {
    if damping < 1 {
      let damped = frequency * (1 - damping * damping).squareRoot()
      let decay = exp(-damping * frequency * time)
      return 1 - decay * (cos(damped * time) + damping * frequency / damped * sin(damped * time))
    }
    return 1 - exp(-frequency * time) * (1 + frequency * time)
  }
}

/// A timing curve by two Bézier control points.
struct UnitCurve: Hashable, Sendable {
  let x1, y1, x2, y2: Double

  static let linear = UnitCurve(x1: 0, y1: 0, x2: 1, y2: 1)
  static let easeIn = UnitCurve(x1: 0.42, y1: 0, x2: 1, y2: 1)
  static let easeOut = UnitCurve(x1: 0, y1: 0, x2: 0.58, y2: 1)
  static let easeInOut = UnitCurve(x1: 0.42, y1: 0, x2: 0.58, y2: 1)

  /// The curve's y where its x is `progress`, found by bisection: x never decreases along the curve.
  func value(at progress: Double) -> Double {
    if self == .linear || progress <= 0 || progress >= 1 { return progress }
    var low = 0.0
    var high = 1.0
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if Self.bezier(x1, x2, middle) < progress { low = middle } else { high = middle }
    }
    return Self.bezier(y1, y2, (low + high) / 2)
  }

  private static func bezier(_ first: Double, _ second: Double, _ t: Double) -> Double {
    let rest = 1 - t
    return 3 * first * t * rest * rest + 3 * second * t * t * rest + t * t * t
  }
}
