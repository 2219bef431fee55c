internal import CPangoCairo
import Pixels

/// A picture converted to Cairo's pixel order at the size it is drawn, kept from frame to frame.
///
/// One cache per drawing place; holds at most one surface. Contract of the unsafe part: the surface owns its memory
/// and is destroyed when replaced, dropped or with the cache; callers use it only until the next call.
@MainActor final class ImageSurfaceCache {
  struct Scaled {
    let surface: OpaquePointer
    let size: PixelSize
  }

  private var scaled: Scaled?
  private var source: Bitmap?

  /// The picture at `target` device pixels, or at its own size where that is smaller (the renderer then enlarges it).
  func surface(for bitmap: Bitmap, covering target: PixelSize, _ quality: Image.Interpolation) -> Scaled? {
    guard !bitmap.size.isEmpty, !target.isEmpty else { return nil }
    let isReduced = target.width < bitmap.size.width && target.height < bitmap.size.height && quality != .none
    let size = isReduced ? target : bitmap.size
    if let scaled, scaled.size == size, source?.isIdentical(to: bitmap) == true { return scaled }
    drop()
    guard let full = Self.converted(bitmap) else { return nil }
    source = bitmap
    scaled = isReduced ? Self.reduced(full, to: size) : full
    if isReduced { cairo_surface_destroy(full.surface) }
    return scaled
  }

  func drop() {
    if let scaled { cairo_surface_destroy(scaled.surface) }
    scaled = nil
    source = nil
  }

  isolated deinit { drop() }

  private static func converted(_ bitmap: Bitmap) -> Scaled? {
    let size = bitmap.size
    guard size.width <= 32_767, size.height <= 32_767 else { return nil }
    let format = bitmap.isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32
    guard let surface = cairo_image_surface_create(format, Int32(size.width), Int32(size.height)),
      let data = cairo_image_surface_get_data(surface)
    else { return nil }
    let stride = Int(cairo_image_surface_get_stride(surface))
    cairo_surface_flush(surface)
    bitmap.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      for row in 0..<size.height {
        let line = UnsafeMutableRawBufferPointer(start: data + row * stride, count: size.width * 4)
        PixelOrder.copyRow(
          from: (base + row * bitmap.bytesPerRow).assumingMemoryBound(to: UInt8.self), to: line, count: size.width)
      }
    }
    cairo_surface_mark_dirty(surface)
    return Scaled(surface: surface, size: size)
  }

  private static func reduced(_ full: Scaled, to size: PixelSize) -> Scaled? {
    guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height)),
      let context = cairo_create(surface)
    else { return nil }
    defer { cairo_destroy(context) }
    cairo_scale(
      context, Double(size.width) / Double(full.size.width), Double(size.height) / Double(full.size.height))
    cairo_set_source_surface(context, full.surface, 0, 0)
    let source = cairo_get_source(context)
    cairo_pattern_set_filter(source, CAIRO_FILTER_GOOD)
    cairo_pattern_set_extend(source, CAIRO_EXTEND_PAD)
    cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
    cairo_paint(context)
    return Scaled(surface: surface, size: size)
  }
}
