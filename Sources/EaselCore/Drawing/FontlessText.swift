internal import CPangoCairo

/// Text on a system without a single font: a box for each character.
///
/// Pango (1.50) takes the heights and baselines of such lines from memory nobody has written, which may come to millions
/// of points; its widths and line breaks are sound. So the lines are placed and drawn here, one below the other.
@MainActor struct FontlessText {
  let lines: Int
  let size: CGSize
  let isTruncated: Bool

  /// The width Pango gives to a character without a font, in points.
  private static let advance: CGFloat = 10
  private static let boxHeight: CGFloat = 13
  private static let lineHeight: CGFloat = 18

  /// Breaks the layout's text within `width` and counts the lines that there is room for: at least one.
  init(_ layout: OpaquePointer, width: CGFloat?, height: CGFloat?, lineLimit: Int?) {
    if let width, width.isFinite { pango_layout_set_width(layout, pangoUnits(width)) }
    let count = max(1, Int(pango_layout_get_line_count(layout)))
    var room = max(1, lineLimit ?? count)
    if let height, height.isFinite { room = min(room, max(1, Int(min(height.bounded, 1e6) / Self.lineHeight))) }
    lines = min(count, room)
    isTruncated = lines < count
    var extents = PangoRectangle()
    pango_layout_get_extents(layout, nil, &extents)
    size = CGSize(width: CGFloat(extents.width) / 1024, height: CGFloat(lines) * Self.lineHeight)
  }

  /// From the top, in points.
  func baseline(ofLine line: Int) -> CGFloat { Self.baseline(ofLine: line) }

  private static func baseline(ofLine line: Int) -> CGFloat {
    CGFloat(line) * lineHeight + (lineHeight + boxHeight) / 2
  }

  /// Draws with the context's source, from the current point.
  static func show(_ layout: OpaquePointer, lines: Int, in context: OpaquePointer) {
    var x = 0.0
    var y = 0.0
    cairo_get_current_point(context, &x, &y)
    cairo_new_path(context)
    let text = pango_layout_get_text(layout).map { String(cString: $0) } ?? ""
    for index in 0..<lines {
      guard let line = pango_layout_get_line_readonly(layout, Int32(clamping: index)) else { break }
      let bytes = text.utf8.dropFirst(Int(line.pointee.start_index)).prefix(Int(line.pointee.length))
      addBoxes(for: Substring(bytes), to: context, x: x, baseline: y + Double(baseline(ofLine: index)))
    }
    cairo_set_line_width(context, 1)
    cairo_stroke(context)
  }

  private static func addBoxes(for line: Substring, to context: OpaquePointer, x: Double, baseline: Double) {
    for (index, scalar) in line.unicodeScalars.enumerated() where !scalar.properties.isWhitespace {
      let left = x + Double(advance) * Double(index)
      cairo_rectangle(context, left + 1.5, baseline - boxHeight + 0.5, advance - 3, boxHeight - 1)
    }
  }

  static func warn() {
    let sentence =
      "There are no fonts: text is drawn as boxes. Install some (Debian: apt-get install fonts-inter), or correct "
      + "FONTCONFIG_FILE and FONTCONFIG_PATH.\n"
    try? FileHandle.standardError.write(contentsOf: Data(sentence.utf8))
  }
}
