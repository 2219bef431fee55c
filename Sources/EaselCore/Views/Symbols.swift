/// Easel's own vector symbols, by the names of Apple's set. Each is drawn in a square of 24 units.
@MainActor enum SymbolCatalog {
  nonisolated static func label(of name: String) -> String {
    name.split(separator: ".").filter { $0 != "fill" }.joined(separator: " ").capitalized
  }

  /// Symbols are a little larger than the letters beside them.
  static func size(of name: String, fontSize: CGFloat) -> CGSize {
    let side = (fontSize * 1.22).rounded()
    return CGSize(width: side, height: side)
  }

  static func draw(_ name: String, in rect: CGRect, weight: Int, paint: Paint, context: inout DrawingContext) {
    let side = min(rect.width, rect.height)
    let scale = side / 24
    let origin = CGPoint(x: rect.midX - side / 2, y: rect.midY - side / 2)
    func place(_ path: Path) -> Path {
      path.applying { CGPoint(x: origin.x + $0.x * scale, y: origin.y + $0.y * scale) }
    }
    let width = max(1.3, 1.9 + CGFloat(weight - 400) / 300) * scale
    let style = StrokeStyle(lineWidth: width, lineCap: .round, lineJoin: .round)
    // Parts overlap: a translucent colour fades them as one.
    let (opaque, opacity) = paint.separatingOpacity
    context.withOpacity(opacity) { context in
      for part in parts(of: name) {
        switch part {
        case .fill(let path): context.fill(place(path), with: opaque)
        case .stroke(let path): context.stroke(place(path), with: opaque, style: style)
        }
      }
    }
  }

  enum Part {
    case fill(Path)
    case stroke(Path)
  }

  private static var parsed: [String: [Part]] = [:]

  /// Whether Easel has a drawing of its own for a name.
  nonisolated static func contains(_ name: String) -> Bool { SymbolDrawings.all[name] != nil }

  private static func parts(of name: String) -> [Part] {
    let name = contains(name) ? name : SymbolDrawings.unknown
    if let known = parsed[name] { return known }
    let parts = (SymbolDrawings.all[name] ?? []).map { line -> Part in
      var path = SymbolPath.parse(line.dropFirst())
      path.usesEvenOddRule = line.first == "e"
      return line.first == "s" ? .stroke(path) : .fill(path)
    }
    parsed[name] = parts
    return parts
  }
}
