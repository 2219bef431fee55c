#include "CImageShims.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "png_settings.h"

struct vg_png_preview {
  png_structp png;
  png_infop info;
  jmp_buf escape;
  // Bytes of the file that libpng has been given.
  size_t position;
  // Of `width * height * 4` bytes.
  uint8_t *pixels;
  uint32_t width;
  uint32_t height;
  int passes;
  // The pass that rows arrive of, 0...6, or 7 behind the last.
  int pass;
};

static void exit_with_error(png_structp png, png_const_charp text) {
  (void)text;
  longjmp(((vg_png_preview *)png_get_error_ptr(png))->escape, 1);
}

static void ignore_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void note_header(png_structp png, png_infop info) {
  vg_png_preview *preview = png_get_progressive_ptr(png);
  if (png_get_image_width(png, info) != preview->width || png_get_image_height(png, info) != preview->height)
    png_error(png, "another size than was announced");
  vg_png_set_transforms(png);
  preview->passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  if (png_get_rowbytes(png, info) != (size_t)preview->width * 4) png_error(png, "rows of an unexpected length");
}

static void note_row(png_structp png, png_bytep row, png_uint_32 number, int pass) {
  vg_png_preview *preview = png_get_progressive_ptr(png);
  preview->pass = pass;
  if (row && number < preview->height)
    png_progressive_combine_row(png, preview->pixels + (size_t)number * preview->width * 4, row);
}

static void note_end(png_structp png, png_infop info) {
  (void)info;
  ((vg_png_preview *)png_get_progressive_ptr(png))->pass = 7;
}

vg_status vg_png_preview_create(uint32_t width, uint32_t height, vg_png_preview **result) {
  vg_png_preview *preview = *result = calloc(1, sizeof *preview);
  if (!preview) return VG_OUT_OF_MEMORY;
  preview->width = width;
  preview->height = height;
  preview->pixels = calloc((size_t)width * height, 4);
  if (!preview->pixels) return VG_OUT_OF_MEMORY;
  if (setjmp(preview->escape)) return VG_OUT_OF_MEMORY;
  preview->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, preview, exit_with_error, ignore_warning);
  if (!preview->png) return VG_OUT_OF_MEMORY;
  preview->info = png_create_info_struct(preview->png);
  if (!preview->info) return VG_OUT_OF_MEMORY;
  vg_png_set_limits(preview->png);
  png_set_progressive_read_fn(preview->png, preview, note_header, note_row, note_end);
  return VG_OK;
}

vg_status vg_png_preview_absorb(
    vg_png_preview *preview, const uint8_t *bytes, size_t count, size_t maximum, bool *is_waiting) {
  if (setjmp(preview->escape)) return VG_CORRUPT;
  const size_t left = count - preview->position;
  const size_t given = left < maximum ? left : maximum;
  if (given > 0 && preview->pass < 7)
    png_process_data(preview->png, preview->info, (png_bytep)bytes + preview->position, given);
  preview->position += given;
  *is_waiting = preview->position == count || preview->pass == 7;
  return VG_OK;
}

int vg_png_preview_passes(const vg_png_preview *preview) { return preview->passes == 7 ? preview->pass : 0; }
const uint8_t *vg_png_preview_pixels(const vg_png_preview *preview) { return preview->pixels; }

void vg_png_preview_destroy(vg_png_preview *preview) {
  if (!preview) return;
  png_destroy_read_struct(&preview->png, &preview->info, NULL);
  free(preview->pixels);
  free(preview);
}
