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
    for part in Symbol.named(name).parts {
      switch part {
      case .fill(let path): context.fill(place(path), with: paint)
      case .stroke(let path):
        context.stroke(
          place(path), with: paint, style: StrokeStyle(lineWidth: width, lineCap: .round, lineJoin: .round))
      }
    }
  }
}

struct Symbol {
  enum Part {
    case fill(Path)
    case stroke(Path)
  }

  let parts: [Part]
  var isKnown = true

  static func named(_ name: String) -> Symbol { unknown }

  static let unknown = Symbol(
    parts: [
      .stroke(Path(roundedRect: CGRect(x: 3, y: 3, width: 18, height: 18), cornerRadius: 4))
    ], isKnown: false)
}
