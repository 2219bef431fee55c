import CPangoCairo
import Foundation
import Testing

@testable import EaselCore

/// The rest needs a system without fonts: `Scripts/window-check`.
@MainActor @Suite("Text without fonts")
struct FontlessTests {
  private func layout(_ text: String) -> OpaquePointer {
    let layout: OpaquePointer = pango_layout_new(PangoContext.shared)
    pango_layout_set_text(layout, text, -1)
    return layout
  }

  @Test("lines have a height of their own, and no more are set than there is room for")
  func lines() {
    let layout = layout("one\ntwo\nthree\nfour")
    defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
    let all = FontlessText(layout, width: nil, height: nil, lineLimit: nil)
    #expect(all.lines == 4 && all.size.height == 72 && !all.isTruncated)
    let low = FontlessText(layout, width: nil, height: 40, lineLimit: nil)
    #expect(low.lines == 2 && low.size.height == 36 && low.isTruncated)
    #expect(FontlessText(layout, width: nil, height: nil, lineLimit: 3).lines == 3)
    #expect(FontlessText(layout, width: nil, height: -1, lineLimit: 0).lines == 1)
    #expect(FontlessText(layout, width: nil, height: .nan, lineLimit: nil).lines == 4)
    #expect(FontlessText(layout, width: nil, height: .infinity, lineLimit: nil).lines == 4)
  }

  @Test("a box stands for each character that is no space, on its own line")
  func boxes() throws {
    let layout = layout("ab c\nd")
    defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
    let surface = try #require(cairo_image_surface_create(CAIRO_FORMAT_A8, 60, 40))
    defer { cairo_surface_destroy(surface) }
    let context = try #require(cairo_create(surface))
    cairo_move_to(context, 4, 2)
    FontlessText.show(layout, lines: 2, in: context)
    cairo_destroy(context)
    cairo_surface_flush(surface)
    let data = try #require(cairo_image_surface_get_data(surface))
    let stride = Int(cairo_image_surface_get_stride(surface))
    // The left edge of a box is a pixel wide, one and a half from where its character begins, half of it on each side.
    func isInked(_ character: Int, _ line: Int) -> Bool {
      data[(2 + 18 * line + 9) * stride + 4 + 10 * character + 1] > 100
    }
    #expect((0..<5).map { isInked($0, 0) } == [true, true, false, true, false])
    #expect((0..<2).map { isInked($0, 1) } == [true, false])
  }
}
