/// An sRGB colour with straight alpha; each component 0 to 1.
struct RGBA: Hashable, Sendable, Interpolatable {
  var red: Double
  var green: Double
  var blue: Double
  var alpha: Double

  static let clear = RGBA(red: 0, green: 0, blue: 0, alpha: 0)

  func opacity(_ factor: Double) -> RGBA {
    var copy = self
    copy.alpha *= factor
    return copy
  }

  func interpolated(to end: RGBA, by fraction: Double) -> RGBA {
    // Mixed premultiplied, so that fading to a clear colour does not shift the hue.
    let alpha = self.alpha.interpolated(to: end.alpha, by: fraction)
    guard alpha > 0 else { return .clear }
    func mix(_ first: Double, _ last: Double) -> Double {
      (first * self.alpha).interpolated(to: last * end.alpha, by: fraction) / alpha
    }
    return RGBA(red: mix(red, end.red), green: mix(green, end.green), blue: mix(blue, end.blue), alpha: alpha)
  }
}

/// What a path is filled or stroked with, colours resolved.
enum Paint: Equatable, Sendable, Interpolatable {
  struct Stop: Equatable, Sendable {
    let color: RGBA
    let location: Double
  }

  case color(RGBA)
  /// Between two points of the filled rectangle.
  case linearGradient([Stop], start: UnitPoint, end: UnitPoint)
  /// Radii in points.
  case radialGradient([Stop], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat)

  func interpolated(to end: Paint, by fraction: Double) -> Paint {
    guard case .color(let first) = self, case .color(let last) = end else { return end }
    return .color(first.interpolated(to: last, by: fraction))
  }

  func opacity(_ factor: Double) -> Paint {
    func faded(_ stops: [Stop]) -> [Stop] {
      stops.map { Stop(color: $0.color.opacity(factor), location: $0.location) }
    }
    return switch self {
    case .color(let color): .color(color.opacity(factor))
    case .linearGradient(let stops, let start, let end): .linearGradient(faded(stops), start: start, end: end)
    case .radialGradient(let stops, let center, let startRadius, let endRadius):
      .radialGradient(faded(stops), center: center, startRadius: startRadius, endRadius: endRadius)
    }
  }

  /// The same paint without transparency, and that transparency; gradients keep theirs.
  var separatingOpacity: (opaque: Paint, opacity: Double) {
    guard case .color(var color) = self else { return (self, 1) }
    let opacity = color.alpha
    color.alpha = 1
    return (.color(color), opacity)
  }

  var isInvisible: Bool {
    if case .color(let color) = self { return color.alpha <= 0 }
    return false
  }
}
