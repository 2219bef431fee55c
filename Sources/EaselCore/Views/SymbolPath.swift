/// Reads the notation the symbols are written in: letters with numbers, absolute coordinates.
///
/// `M x y`, `L x y`, `H x`, `V y`, `C x1 y1 x2 y2 x y`, `Q x1 y1 x y`, `Z` as in SVG; further `O cx cy r` a circle,
/// `E cx cy rx ry` an ellipse, `R x y width height radius` a rounded rectangle, `A cx cy r from to` an arc (degrees,
/// clockwise from the right), `P cx cy outer inner points` a star.
enum SymbolPath {
  static func parse(_ text: some StringProtocol) -> Path {
    var path = Path()
    var current = CGPoint.zero
    for (letter, numbers) in commands(in: text) {
      append(letter, numbers.map { CGFloat($0) }, to: &path, current: &current)
    }
    return path
  }

  private static func commands(in text: some StringProtocol) -> [(Character, [Double])] {
    var result: [(Character, [Double])] = []
    for word in text.split(separator: " ") {
      var digits = Substring(word)
      if let first = digits.first, first.isLetter {
        result.append((first, []))
        digits = digits.dropFirst()
      }
      if let number = Double(digits), !result.isEmpty { result[result.count - 1].1.append(number) }
    }
    return result
  }

  /// A command with too few numbers is left out.
  private static func append(_ letter: Character, _ n: [CGFloat], to path: inout Path, current: inout CGPoint) {
    let needed: [Character: Int] = [
      "M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "O": 3, "E": 4, "R": 5, "A": 5, "P": 5,
    ]
    guard n.count >= needed[letter] ?? 0 else { return }
    switch letter {
    case "M", "L", "H", "V":
      current = CGPoint(x: letter == "V" ? current.x : n[0], y: letter == "H" ? current.y : n[letter == "V" ? 0 : 1])
      if letter == "M" { path.move(to: current) } else { path.addLine(to: current) }
    case "C":
      current = CGPoint(x: n[4], y: n[5])
      path.addCurve(to: current, control1: CGPoint(x: n[0], y: n[1]), control2: CGPoint(x: n[2], y: n[3]))
    case "Q":
      current = CGPoint(x: n[2], y: n[3])
      path.addQuadCurve(to: current, control: CGPoint(x: n[0], y: n[1]))
    case "Z": path.closeSubpath()
    default: appendShape(letter, n, to: &path)
    }
  }

  private static func appendShape(_ letter: Character, _ n: [CGFloat], to path: inout Path) {
    switch letter {
    case "O": path.addEllipse(in: CGRect(x: n[0] - n[2], y: n[1] - n[2], width: 2 * n[2], height: 2 * n[2]))
    case "E": path.addEllipse(in: CGRect(x: n[0] - n[2], y: n[1] - n[3], width: 2 * n[2], height: 2 * n[3]))
    case "R":
      path.addRoundedRect(in: CGRect(x: n[0], y: n[1], width: n[2], height: n[3]), cornerRadius: n[4])
    case "A":
      var arc = Path()
      arc.addArc(
        center: CGPoint(x: n[0], y: n[1]), radius: n[2], startAngle: .degrees(n[3]), endAngle: .degrees(n[4]),
        clockwise: false)
      path.addPath(arc)
    case "P": path.addLines(starPoints(n)); path.closeSubpath()
    default: break
    }
  }

  private static func starPoints(_ n: [CGFloat]) -> [CGPoint] {
    let count = max(1, Int(n[4])) * 2
    return (0..<count).map { index in
      let radius = index.isMultiple(of: 2) ? n[2] : n[3]
      let angle = Double(index) / Double(count) * 2 * .pi - .pi / 2
      return CGPoint(x: n[0] + radius * cos(angle), y: n[1] + radius * sin(angle))
    }
  }
}
