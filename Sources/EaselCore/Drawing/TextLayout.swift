internal import CPangoCairo

/// A text set in lines by Pango: measured once, drawn as often as needed. Immutable.
///
/// Contract of the unsafe part: owns one PangoLayout, released with it; used on the main actor only.
@MainActor final class TextLayout {
  private let layout: OpaquePointer
  /// The logical size in points.
  let size: CGSize
  let firstBaseline: CGFloat
  let lastBaseline: CGFloat
  let isTruncated: Bool
  /// The distance from the left of the width asked for to the left of the widest line.
  let leadingGap: CGFloat
  /// The lines to show; nil where Pango says.
  private let boxLines: Int?

  /// Sets `spans` in lines. A `width` or `height` of nil does not bound; at least one line is always set.
  init(_ spans: [TextSpan], style: TextLayoutStyle, width: CGFloat?, height: CGFloat?) {
    layout = pango_layout_new(PangoContext.shared)
    let spans = spans.shortened(toParagraphs: style.lineLimit)
    let text = spans.reduce(into: "") { $0 += $1.string }
    pango_layout_set_text(layout, text, Int32(clamping: text.utf8.count))
    Self.applyAttributes(of: spans, to: layout)
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
    pango_layout_set_alignment(layout, style.alignment.pango)
    pango_layout_set_line_spacing(layout, 0)
    pango_layout_set_spacing(layout, pangoUnits(style.lineSpacing))
    guard PangoContext.hasFonts else {
      let boxes = FontlessText(layout, width: width, height: height, lineLimit: style.lineLimit)
      boxLines = boxes.lines
      size = boxes.size
      firstBaseline = boxes.baseline(ofLine: 0)
      lastBaseline = boxes.baseline(ofLine: boxes.lines - 1)
      leadingGap = 0
      isTruncated = boxes.isTruncated
      return
    }
    boxLines = nil
    let isCut = Self.bound(layout, text, width: width, height: height, style: style)

    var logical = PangoRectangle()
    pango_layout_get_extents(layout, nil, &logical)
    size = CGSize(width: points(logical.width), height: points(logical.height))
    firstBaseline = points(pango_layout_get_baseline(layout))
    lastBaseline = Self.lastBaseline(of: layout) ?? firstBaseline
    leadingGap = points(logical.x)
    isTruncated = isCut || pango_layout_is_ellipsized(layout) != 0
  }

  isolated deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

  /// Draws with the context's source where a span has no colour of its own, from the current point.
  func show(in context: OpaquePointer) {
    if let boxLines { return FontlessText.show(layout, lines: boxLines, in: context) }
    pango_cairo_show_layout(context, layout)
  }

  /// - Returns: whether lines were cut off by hand.
  private static func bound(
    _ layout: OpaquePointer, _ text: String, width: CGFloat?, height: CGFloat?, style: TextLayoutStyle
  ) -> Bool {
    if let width, width.isFinite { pango_layout_set_width(layout, pangoUnits(width)) }
    let limit = style.lineLimit.map { max(1, $0) }
    guard limit != nil || height?.isFinite == true else { return false }
    guard !text.hasSeveralParagraphs else {
      let fitting = height.flatMap { $0.isFinite ? lines(of: layout, within: $0) : nil }
      return cut(layout, text, toLines: min(limit ?? .max, fitting ?? .max))
    }
    shorten(layout, width: width, height: height, limit: limit, truncation: style.truncation)
    return false
  }

  /// One paragraph, which Pango can shorten itself.
  private static func shorten(
    _ layout: OpaquePointer, width: CGFloat?, height: CGFloat?, limit: Int?, truncation: Text.TruncationMode
  ) {
    if width?.isFinite != true {
      // Lines are counted only where there is a width.
      var natural = PangoRectangle()
      pango_layout_get_extents(layout, nil, &natural)
      pango_layout_set_width(layout, natural.width + 1)
    }
    pango_layout_set_ellipsize(layout, truncation.pango)
    // A negative height counts lines; Pango has no way to say both, so the tighter is found by measuring.
    if let height, height.isFinite {
      pango_layout_set_height(layout, pangoUnits(height))
      if let limit, pango_layout_get_line_count(layout) > limit { pango_layout_set_height(layout, Int32(-limit)) }
    } else if let limit {
      pango_layout_set_height(layout, Int32(-min(limit, 1_000_000)))
    }
  }

  /// Pango counts lines and heights in each paragraph by itself, and shows at least one line of each: with several of
  /// them the lines too many are cut off here, and the end is marked.
  private static func cut(_ layout: OpaquePointer, _ text: String, toLines limit: Int) -> Bool {
    guard let next = pango_layout_get_line_readonly(layout, Int32(clamping: limit)) else { return false }
    let end = text.utf8.index(text.startIndex, offsetBy: Int(next.pointee.start_index), limitedBy: text.endIndex)
    var kept = text[..<(end ?? text.endIndex)]
    if kept.last?.isNewline == true { kept.removeLast() }
    // The mark may need the room of a few characters; each of them is no wider than it more than a few times.
    for _ in 0..<64 {
      let marked = kept + "…"
      pango_layout_set_text(layout, String(marked), Int32(clamping: marked.utf8.count))
      if pango_layout_get_line_count(layout) <= Int32(clamping: limit) || kept.isEmpty { break }
      kept.removeLast()
    }
    return true
  }

  /// How many lines lie within a height, in points; at least one.
  private static func lines(of layout: OpaquePointer, within height: CGFloat) -> Int {
    guard let iterator = pango_layout_get_iter(layout) else { return 1 }
    defer { pango_layout_iter_free(iterator) }
    var count = 0
    repeat {
      var bottom: Int32 = 0
      pango_layout_iter_get_line_yrange(iterator, nil, &bottom)
      guard points(bottom) <= height + 0.01 else { break }
      count += 1
    } while pango_layout_iter_next_line(iterator) != 0
    return max(1, count)
  }

  private static func lastBaseline(of layout: OpaquePointer) -> CGFloat? {
    guard let iterator = pango_layout_get_iter(layout) else { return nil }
    defer { pango_layout_iter_free(iterator) }
    while pango_layout_iter_next_line(iterator) != 0 {}
    return points(pango_layout_iter_get_baseline(iterator))
  }

  private static func applyAttributes(of spans: [TextSpan], to layout: OpaquePointer) {
    guard let list = pango_attr_list_new() else { return }
    defer { pango_attr_list_unref(list) }
    var start = 0
    for span in spans {
      let end = start + span.string.utf8.count
      insert(span, into: list, from: UInt32(clamping: start), to: UInt32(clamping: end))
      start = end
    }
    pango_layout_set_attributes(layout, list)
  }

  private static func insert(_ span: TextSpan, into list: OpaquePointer, from start: UInt32, to end: UInt32) {
    func add(_ attribute: UnsafeMutablePointer<PangoAttribute>?) {
      guard let attribute else { return }
      attribute.pointee.start_index = start
      attribute.pointee.end_index = end
      pango_attr_list_insert(list, attribute)
    }
    let description = span.font.pangoDescription
    add(pango_attr_font_desc_new(description))
    pango_font_description_free(description)
    if span.font.monospacedDigits { add(pango_attr_font_features_new("tnum 1")) }
    if span.kerning != 0 { add(pango_attr_letter_spacing_new(pangoUnits(span.kerning))) }
    if span.isUnderlined { add(pango_attr_underline_new(PANGO_UNDERLINE_SINGLE)) }
    if span.isStruckThrough { add(pango_attr_strikethrough_new(1)) }
    if let color = span.color {
      func channel(_ value: Double) -> UInt16 { UInt16(min(1, max(0, value)) * 65_535) }
      add(pango_attr_foreground_new(channel(color.red), channel(color.green), channel(color.blue)))
      add(pango_attr_foreground_alpha_new(max(1, channel(color.alpha))))
    }
  }
}

struct TextLayoutStyle: Equatable {
  var lineLimit: Int?
  var alignment = TextAlignment.leading
  var truncation = Text.TruncationMode.tail
  var lineSpacing: CGFloat = 0
}

/// The one Pango context: text is measured and drawn alike everywhere, without hinting, so that sizes do not depend
/// on the display's scale.
@MainActor enum PangoContext {
  static let shared: OpaquePointer = {
    let context: OpaquePointer = pango_font_map_create_context(pango_cairo_font_map_get_default())
    let options = cairo_font_options_create()
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    pango_cairo_context_set_font_options(context, options)
    cairo_font_options_destroy(options)
    pango_cairo_context_set_resolution(context, 72)
    pango_context_set_round_glyph_positions(context, 0)
    return context
  }()

  /// Whether the system has any font. If not, that is said once on standard error.
  static let hasFonts: Bool = {
    let description = pango_font_description_from_string("Sans 12")
    defer { pango_font_description_free(description) }
    let font = pango_context_load_font(shared, description)
    if let font { g_object_unref(UnsafeMutableRawPointer(font)) }
    if font == nil { FontlessText.warn() }
    return font != nil
  }()
}

/// Pango counts in 1024ths of a point. What is no number counts as 0.
func pangoUnits(_ points: CGFloat) -> Int32 {
  Int32((min(max(points.bounded, -1e6), 1e6) * 1024).rounded(.up))
}

private func points(_ units: Int32) -> CGFloat { CGFloat(units) / 1024 }

extension ResolvedFont {
  fileprivate var pangoDescription: OpaquePointer? {
    let description = pango_font_description_new()
    pango_font_description_set_family(description, families)
    pango_font_description_set_weight(description, PangoWeight(rawValue: UInt32(weight)))
    pango_font_description_set_style(description, isItalic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
    pango_font_description_set_absolute_size(description, Double(min(max(size, 1), 2_000)) * 1024)
    return description
  }
}

extension TextAlignment {
  fileprivate var pango: PangoAlignment {
    switch self {
    case .leading: PANGO_ALIGN_LEFT
    case .center: PANGO_ALIGN_CENTER
    case .trailing: PANGO_ALIGN_RIGHT
    }
  }
}

extension Text.TruncationMode {
  fileprivate var pango: PangoEllipsizeMode {
    switch self {
    case .head: PANGO_ELLIPSIZE_START
    case .middle: PANGO_ELLIPSIZE_MIDDLE
    case .tail: PANGO_ELLIPSIZE_END
    }
  }
}
