internal import CPangoCairo

/// Paints the blurred silhouette of what was drawn.
///
/// Three box blurs in a row come close to a Gaussian of the standard deviation SwiftUI's radius means (half of it).
@MainActor enum ShadowPainter {
  static func paint(_ shadow: DisplayList.Shadow, under group: OpaquePointer, in context: OpaquePointer) {
    var (x1, y1, x2, y2) = (0.0, 0.0, 0.0, 0.0)
    cairo_clip_extents(context, &x1, &y1, &x2, &y2)
    var matrix = cairo_matrix_t()
    cairo_get_matrix(context, &matrix)
    let scale = hypot(matrix.xx, matrix.yx)
    let radius = min(64, max(0, shadow.radius * scale / 2))
    let margin = radius * 3
    let width = Int((abs(x2 - x1) * scale + 2 * margin).rounded(.up).bounded)
    let height = Int((abs(y2 - y1) * scale + 2 * margin).rounded(.up).bounded)
    guard width > 0, height > 0, width <= 16_384, height <= 16_384,
      let mask = cairo_image_surface_create(CAIRO_FORMAT_A8, Int32(width), Int32(height))
    else { return }
    defer { cairo_surface_destroy(mask) }
    draw(group, on: mask, scale: scale, origin: CGPoint(x: x1 - margin / scale, y: y1 - margin / scale))
    blur(mask, width: width, height: height, radius: Int(radius.rounded()))

    cairo_save(context)
    cairo_translate(
      context, x1 - margin / scale + shadow.offset.width, y1 - margin / scale + shadow.offset.height)
    cairo_scale(context, 1 / scale, 1 / scale)
    let color = shadow.color
    cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
    cairo_mask_surface(context, mask, 0, 0)
    cairo_restore(context)
  }

  private static func draw(_ group: OpaquePointer, on mask: OpaquePointer, scale: Double, origin: CGPoint) {
    guard let context = cairo_create(mask) else { return }
    cairo_scale(context, scale, scale)
    cairo_translate(context, -origin.x, -origin.y)
    cairo_set_source(context, group)
    cairo_paint(context)
    cairo_destroy(context)
  }

  private static func blur(_ mask: OpaquePointer, width: Int, height: Int, radius: Int) {
    guard radius > 0 else { return }
    cairo_surface_flush(mask)
    guard let data = cairo_image_surface_get_data(mask) else { return }
    let stride = Int(cairo_image_surface_get_stride(mask))
    let bytes = UnsafeMutableBufferPointer(start: data, count: stride * height)
    var line = [UInt8](repeating: 0, count: max(width, height))
    for _ in 0..<3 {
      for y in 0..<height { boxBlur(bytes, &line, start: y * stride, step: 1, count: width, radius: radius) }
      for x in 0..<width { boxBlur(bytes, &line, start: x, step: stride, count: height, radius: radius) }
    }
    cairo_surface_mark_dirty(mask)
  }

  /// Replaces each byte of one line by the mean of its neighbourhood; zeros lie beyond the ends.
  private static func boxBlur(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, _ line: inout [UInt8], start: Int, step: Int, count: Int, radius: Int
  ) {
    for index in 0..<count { line[index] = bytes[start + index * step] }
    let window = 2 * radius + 1
    var sum = 0
    for index in 0..<min(radius, count) { sum += Int(line[index]) }
    for index in 0..<count {
      if index + radius < count { sum += Int(line[index + radius]) }
      if index - radius - 1 >= 0 { sum -= Int(line[index - radius - 1]) }
      bytes[start + index * step] = UInt8((sum + window / 2) / window)
    }
  }
}
