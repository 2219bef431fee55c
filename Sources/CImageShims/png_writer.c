#include "CImageShims.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>
#include <zlib.h>

struct vg_png_writer {
  png_structp png;
  png_infop info;
  jmp_buf escape;
  uint8_t *bytes;
  size_t count;
  size_t capacity;
  // Of a profile, while it is written.
  uint8_t *chunk;
};

static void exit_with_error(png_structp png, png_const_charp text) {
  (void)text;
  longjmp(((vg_png_writer *)png_get_error_ptr(png))->escape, 1);
}

static void ignore_warning(png_structp png, png_const_charp text) { (void)png, (void)text; }
static void ignore_flush(png_structp png) { (void)png; }

static void append_bytes(png_structp png, png_bytep source, size_t count) {
  vg_png_writer *writer = png_get_io_ptr(png);
  if (writer->capacity - writer->count < count) {
    const size_t capacity = (writer->count + count) * 2;
    uint8_t *bytes = realloc(writer->bytes, capacity);
    if (!bytes) png_error(png, "out of memory");
    writer->bytes = bytes;
    writer->capacity = capacity;
  }
  memcpy(writer->bytes + writer->count, source, count);
  writer->count += count;
}

// iCCP: a name, the method 0, and the profile in zlib's format. Written here, because libpng drops profiles in which it
// finds a fault, and the colours with them.
static void write_profile(vg_png_writer *writer, vg_profile profile) {
  static const uint8_t head[] = "ICC profile\0";
  uLongf count = compressBound(profile.count);
  writer->chunk = malloc(sizeof head + count);
  if (!writer->chunk) png_error(writer->png, "out of memory");
  memcpy(writer->chunk, head, sizeof head);
  if (compress(writer->chunk + sizeof head, &count, profile.bytes, profile.count) != Z_OK)
    png_error(writer->png, "out of memory");
  png_write_chunk(writer->png, (png_const_bytep) "iCCP", writer->chunk, sizeof head + count);
  free(writer->chunk);
  writer->chunk = NULL;
}

vg_status vg_png_writer_create(
    uint32_t width, uint32_t height, bool has_alpha, bool is_fast, vg_profile profile, vg_png_writer **result) {
  vg_png_writer *writer = *result = calloc(1, sizeof *writer);
  if (!writer) return VG_OUT_OF_MEMORY;
  if (setjmp(writer->escape)) return VG_OUT_OF_MEMORY;
  writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, exit_with_error, ignore_warning);
  if (!writer->png) return VG_OUT_OF_MEMORY;
  writer->info = png_create_info_struct(writer->png);
  if (!writer->info) return VG_OUT_OF_MEMORY;
  png_set_write_fn(writer->png, writer, append_bytes, ignore_flush);
  png_set_user_limits(writer->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  const int color_type = has_alpha ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB;
  png_set_IHDR(
      writer->png, writer->info, width, height, 8, color_type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
      PNG_FILTER_TYPE_DEFAULT);
  if (is_fast) {
    // Choosing among five filters for each row costs more than compressing at this level does.
    png_set_compression_level(writer->png, 1);
    png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  }
  png_write_info(writer->png, writer->info);
  if (profile.bytes && profile.count) write_profile(writer, profile);
  if (!has_alpha) png_set_filler(writer->png, 0, PNG_FILLER_AFTER);
  return VG_OK;
}

vg_status vg_png_writer_write_row(vg_png_writer *writer, const uint8_t *row) {
  if (setjmp(writer->escape)) return VG_OUT_OF_MEMORY;
  png_write_row(writer->png, row);
  return VG_OK;
}

vg_status vg_png_writer_finish(vg_png_writer *writer, uint8_t **bytes, size_t *count) {
  if (setjmp(writer->escape)) return VG_OUT_OF_MEMORY;
  png_write_end(writer->png, NULL);
  *bytes = writer->bytes;
  *count = writer->count;
  writer->bytes = NULL;
  return VG_OK;
}

void vg_png_writer_destroy(vg_png_writer *writer) {
  if (!writer) return;
  png_destroy_write_struct(&writer->png, &writer->info);
  free(writer->chunk);
  free(writer->bytes);
  free(writer);
}
