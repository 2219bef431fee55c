internal import CPangoCairo
import Pixels

/// Executes a display list with Cairo.
///
/// Contract of the unsafe part: every surface, context and pattern made here is destroyed here, exactly once; the
/// context is not used after `finish()`.
@MainActor final class CairoRenderer {
  private let surface: OpaquePointer
  private let context: OpaquePointer
  private var shadows: [(shadow: DisplayList.Shadow, pushed: Bool)] = []
  private var opacities: [Double] = []
  let pixelSize: PixelSize

  /// A transparent surface; nil where the size is empty or beyond what Cairo can draw (32,767 pixels a side).
  convenience init?(pixelSize: PixelSize, scale: CGFloat) {
    guard !pixelSize.isEmpty, pixelSize.width <= 32_767, pixelSize.height <= 32_767, scale > 0, scale.isFinite,
      let surface = cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, Int32(pixelSize.width), Int32(pixelSize.height))
    else { return nil }
    self.init(surface: surface, pixelSize: pixelSize, scale: scale)
  }

  /// Draws over what is in memory of Cairo's ARGB32 format, which must outlive the renderer. Nil where the memory is
  /// too small or not laid out as Cairo needs it.
  convenience init?(pixels: UnsafeMutableRawBufferPointer, bytesPerRow: Int, pixelSize: PixelSize, scale: CGFloat) {
    guard !pixelSize.isEmpty, pixelSize.width <= 32_767, pixelSize.height <= 32_767, scale > 0, scale.isFinite,
      bytesPerRow % 4 == 0, bytesPerRow >= pixelSize.width * 4, bytesPerRow <= Int32.max,
      pixels.count >= bytesPerRow * pixelSize.height, let base = pixels.baseAddress,
      let surface = cairo_image_surface_create_for_data(
        base.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(pixelSize.width),
        Int32(pixelSize.height), Int32(bytesPerRow))
    else { return nil }
    self.init(surface: surface, pixelSize: pixelSize, scale: scale)
  }

  /// Takes the surface over, in failure as well.
  private init?(surface: OpaquePointer, pixelSize: PixelSize, scale: CGFloat) {
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let context = cairo_create(surface) else {
      cairo_surface_destroy(surface)
      return nil
    }
    self.surface = surface
    self.context = context
    self.pixelSize = pixelSize
    cairo_scale(context, scale, scale)
  }

  isolated deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  func fill(_ color: RGBA) {
    cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
    cairo_paint(context)
  }

  func execute(_ list: DisplayList) {
    for command in list.commands { execute(command) }
  }

  private func execute(_ command: DisplayList.Command) {
    switch command {
    case .save: cairo_save(context)
    case .restore: cairo_restore(context)
    case .translate(let x, let y): cairo_translate(context, x, y)
    case .scale(let x, let y): cairo_scale(context, x, y)
    case .rotate(let radians): cairo_rotate(context, radians)
    case .clip(let path):
      trace(path)
      setFillStyle(of: path)
      cairo_clip(context)
    case .beginGroup(let opacity):
      opacities.append(opacity)
      cairo_push_group(context)
    case .endGroup:
      cairo_pop_group_to_source(context)
      cairo_paint_with_alpha(context, opacities.popLast() ?? 1)
    case .beginShadow(let shadow): beginShadow(shadow)
    case .endShadow: endShadow()
    case .fill(let path, let paint):
      withSource(paint, in: path.rectangle ?? path.boundingRect) {
        trace(path)
        setFillStyle(of: path)
        cairo_fill(context)
      }
    case .stroke(let path, let paint, let style):
      withSource(paint, in: path.boundingRect) {
        trace(path)
        stroke(style)
      }
    case .image(let drawing): draw(drawing)
    case .text(let layout, let point, let paint):
      withSource(paint, in: CGRect(origin: point, size: layout.size)) {
        cairo_move_to(context, point.x, point.y)
        layout.show(in: context)
      }
    }
  }

  // MARK: Paths and paint

  private func trace(_ path: Path) {
    cairo_new_path(context)
    if let rect = path.rectangle {
      cairo_rectangle(context, rect.minX, rect.minY, rect.width, rect.height)
      return
    }
    for element in path.elements {
      switch element {
      case .move(let point): cairo_move_to(context, point.x, point.y)
      case .line(let point): cairo_line_to(context, point.x, point.y)
      case .curve(let point, let control1, let control2):
        cairo_curve_to(context, control1.x, control1.y, control2.x, control2.y, point.x, point.y)
      case .close: cairo_close_path(context)
      }
    }
  }

  /// Said of every fill and clip anew: Cairo keeps the last one until the next `restore`.
  private func setFillStyle(of path: Path) {
    cairo_set_fill_rule(context, path.usesEvenOddRule ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
    cairo_set_antialias(context, path.isAntialiased ? CAIRO_ANTIALIAS_DEFAULT : CAIRO_ANTIALIAS_NONE)
  }

  private func stroke(_ style: StrokeStyle) {
    cairo_set_antialias(context, CAIRO_ANTIALIAS_DEFAULT)
    cairo_set_line_width(context, style.lineWidth)
    cairo_set_line_cap(context, style.lineCap.cairo)
    cairo_set_line_join(context, style.lineJoin.cairo)
    cairo_set_miter_limit(context, style.miterLimit)
    // Cairo refuses a pattern with nothing but gaps, and would draw nothing from then on.
    let dash = style.dash.map { max(0, Double($0)) }
    let isUsable = dash.contains { $0 > 0 } && dash.allSatisfy(\.isFinite)
    cairo_set_dash(context, isUsable ? dash : [], isUsable ? Int32(dash.count) : 0, style.dashPhase)
    cairo_stroke(context)
  }

  private func withSource(_ paint: Paint, in rect: CGRect, _ body: () -> Void) {
    switch paint {
    case .color(let color):
      cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
      body()
    case .linearGradient(let stops, let start, let end):
      let pattern = cairo_pattern_create_linear(
        rect.minX + rect.width * start.x, rect.minY + rect.height * start.y,
        rect.minX + rect.width * end.x, rect.minY + rect.height * end.y)
      withGradient(pattern, stops, body)
    case .radialGradient(let stops, let center, let startRadius, let endRadius):
      let (x, y) = (rect.minX + rect.width * center.x, rect.minY + rect.height * center.y)
      let pattern = cairo_pattern_create_radial(x, y, max(0, startRadius), x, y, max(0, endRadius))
      withGradient(pattern, stops, body)
    }
  }

  private func withGradient(_ pattern: OpaquePointer?, _ stops: [Paint.Stop], _ body: () -> Void) {
    guard let pattern else { return }
    defer { cairo_pattern_destroy(pattern) }
    for stop in stops {
      let color = stop.color
      cairo_pattern_add_color_stop_rgba(pattern, stop.location, color.red, color.green, color.blue, color.alpha)
    }
    cairo_set_source(context, pattern)
    body()
  }

  // MARK: Pictures

  private func draw(_ drawing: DisplayList.ImageDrawing) {
    let rect = drawing.rect
    guard isVisible(rect),
      let scaled = drawing.cache.surface(for: drawing.bitmap, covering: deviceSize(of: rect), drawing.interpolation)
    else { return }
    cairo_save(context)
    defer { cairo_restore(context) }
    cairo_translate(context, rect.minX, rect.minY)
    cairo_rectangle(context, 0, 0, rect.width, rect.height)
    cairo_scale(context, rect.width / Double(scaled.size.width), rect.height / Double(scaled.size.height))
    if let tint = drawing.tint {
      cairo_clip(context)
      cairo_set_source_rgba(context, tint.red, tint.green, tint.blue, tint.alpha * drawing.opacity)
      cairo_mask_surface(context, scaled.surface, 0, 0)
      return
    }
    cairo_set_source_surface(context, scaled.surface, 0, 0)
    let source = cairo_get_source(context)
    cairo_pattern_set_filter(source, drawing.interpolation == .none ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_BILINEAR)
    // Without padding the outermost pixels would fade into nothing.
    cairo_pattern_set_extend(source, CAIRO_EXTEND_PAD)
    if drawing.opacity < 1 {
      cairo_clip(context)
      cairo_paint_with_alpha(context, drawing.opacity)
    } else {
      cairo_fill(context)
    }
  }

  private func isVisible(_ rect: CGRect) -> Bool {
    var (x1, y1, x2, y2) = (0.0, 0.0, 0.0, 0.0)
    cairo_clip_extents(context, &x1, &y1, &x2, &y2)
    return rect.width > 0 && rect.height > 0
      && rect.overlaps(CGRect(x: x1, y: y1, width: x2 - x1, height: y2 - y1))
  }

  /// The size in device pixels, which decides which scaled copy of a picture is drawn.
  private func deviceSize(of rect: CGRect) -> PixelSize {
    func length(_ dx: Double, _ dy: Double) -> Int {
      var (dx, dy) = (dx, dy)
      cairo_user_to_device_distance(context, &dx, &dy)
      // A hair below a whole number of pixels is that number.
      return Int((hypot(dx, dy) - 0.001).bounded.rounded(.up))
    }
    return PixelSize(width: length(rect.width, 0), height: length(0, rect.height))
  }

  // MARK: Shadows

  private func beginShadow(_ shadow: DisplayList.Shadow) {
    shadows.append((shadow, true))
    cairo_push_group(context)
  }

  private func endShadow() {
    guard let (shadow, _) = shadows.popLast(), let group = cairo_pop_group(context) else { return }
    defer { cairo_pattern_destroy(group) }
    ShadowPainter.paint(shadow, under: group, in: context)
    cairo_set_source(context, group)
    cairo_paint(context)
  }

  // MARK: Result

  /// Everything drawn so far is in memory.
  func flush() { cairo_surface_flush(surface) }

  /// The pixels drawn so far.
  func finish() -> Bitmap {
    flush()
    let stride = Int(cairo_image_surface_get_stride(surface))
    let data = cairo_image_surface_get_data(surface)
    return Bitmap(size: pixelSize) { bytes in
      guard let data else { return }
      for row in 0..<pixelSize.height {
        let target = UnsafeMutableRawBufferPointer(rebasing: bytes[(row * pixelSize.width * 4)...])
        PixelOrder.copyRow(from: data + row * stride, to: target, count: pixelSize.width)
      }
    }
  }
}

/// Cairo's ARGB32 is a native-endian word: blue, green, red, alpha in memory on the machines Linux runs on here.
enum PixelOrder {
  /// Exchanges red and blue of `count` pixels, in either direction.
  static func copyRow(
    from source: UnsafePointer<UInt8>, to target: UnsafeMutableRawBufferPointer, count: Int
  ) {
    guard let base = target.baseAddress, target.count >= count * 4 else { return }
    let input = UnsafeRawPointer(source)
    for index in 0..<count {
      let pixel = input.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
      let swapped = (pixel & 0xFF00_FF00) | ((pixel & 0x00FF_0000) >> 16) | ((pixel & 0x0000_00FF) << 16)
      base.storeBytes(of: swapped, toByteOffset: index * 4, as: UInt32.self)
    }
  }
}

extension StrokeStyle.LineCap {
  fileprivate var cairo: cairo_line_cap_t {
    switch self {
    case .butt: CAIRO_LINE_CAP_BUTT
    case .round: CAIRO_LINE_CAP_ROUND
    case .square: CAIRO_LINE_CAP_SQUARE
    }
  }
}

extension StrokeStyle.LineJoin {
  fileprivate var cairo: cairo_line_join_t {
    switch self {
    case .miter: CAIRO_LINE_JOIN_MITER
    case .round: CAIRO_LINE_JOIN_ROUND
    case .bevel: CAIRO_LINE_JOIN_BEVEL
    }
  }
}
