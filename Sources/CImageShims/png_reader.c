#include "CImageShims.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "png_settings.h"

// No chunk that is read at all (IHDR, PLTE, tRNS, IDAT in pieces) needs more memory than this.
static const png_alloc_size_t maximum_chunk_memory = 1 << 20;
static const png_uint_32 maximum_side = 1000000;
// Behind the last row libpng unpacks what is left of the data, to their end, in one call. What is read ahead of the last
// row, and what careless encoders leave, is less than this; a bomb is not.
static const size_t maximum_surplus = 12 << 10;

struct vg_png_reader {
  png_structp png;
  png_infop info;
  jmp_buf escape;
  const uint8_t *next;
  size_t remaining;
  bool source_ended;
  bool transparency_lost;
  bool out_of_memory;
  bool is_interlaced;
  // While a row is read, and the bytes taken in behind the last one by then.
  bool is_in_row;
  size_t surplus;
  char message[128];
};

// MARK: libpng's callbacks

static void exit_with_error(png_structp png, png_const_charp text) {
  vg_png_reader *reader = png_get_error_ptr(png);
  snprintf(reader->message, sizeof reader->message, "%s", text);
  longjmp(reader->escape, 1);
}

// libpng goes on without a damaged tRNS chunk; the picture would then be shown opaque.
static void note_warning(png_structp png, png_const_charp text) {
  vg_png_reader *reader = png_get_error_ptr(png);
  if (strcmp(text, "tRNS: CRC error") != 0) return;
  reader->transparency_lost = true;
  snprintf(reader->message, sizeof reader->message, "%s", text);
}

static bool has_all_rows(png_structp png, const vg_png_reader *reader) {
  if (reader->is_interlaced) return png_get_current_pass_number(png) >= 7;
  return png_get_current_row_number(png) >= png_get_image_height(png, reader->info);
}

static void read_bytes(png_structp png, png_bytep target, size_t count) {
  vg_png_reader *reader = png_get_io_ptr(png);
  if (reader->is_in_row && has_all_rows(png, reader)) {
    reader->surplus += count;
    if (reader->surplus > maximum_surplus) png_error(png, "far more data than pixels");
  }
  if (count > reader->remaining) {
    reader->source_ended = true;
    png_error(png, "the file ends too early");
  }
  memcpy(target, reader->next, count);
  reader->next += count;
  reader->remaining -= count;
}

static png_voidp allocate(png_structp png, png_alloc_size_t count) {
  vg_png_reader *reader = png_get_mem_ptr(png);
  void *memory = malloc(count);
  if (!memory) reader->out_of_memory = true;
  return memory;
}

static void release(png_structp png, png_voidp memory) {
  (void)png;
  free(memory);
}

// MARK: Reading

static vg_status failure_of(const vg_png_reader *reader) {
  if (reader->out_of_memory) return VG_OUT_OF_MEMORY;
  return reader->source_ended ? VG_TRUNCATED : VG_CORRUPT;
}

void vg_png_set_limits(png_structp png) {
  png_set_user_limits(png, maximum_side, maximum_side);
  png_set_chunk_malloc_max(png, maximum_chunk_memory);
  // -1: every ancillary chunk libpng knows but tRNS (gAMA, iCCP, zTXt, ...), and all it does not know.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
}

void vg_png_set_transforms(png_structp png) {
  png_set_expand(png);      // palette and tRNS to channels, 1, 2 and 4 bits to 8
  png_set_scale_16(png);    // 16 bits to the nearest 8
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
}

vg_status vg_png_reader_create(
    const uint8_t *bytes, size_t count, vg_png_reader **result, vg_png_header *header) {
  vg_png_reader *reader = *result = calloc(1, sizeof *reader);
  if (!reader) return VG_OUT_OF_MEMORY;
  reader->next = bytes;
  reader->remaining = count;
  if (setjmp(reader->escape)) return failure_of(reader);
  reader->png = png_create_read_struct_2(
      PNG_LIBPNG_VER_STRING, reader, exit_with_error, note_warning, reader, allocate, release);
  if (!reader->png) return VG_OUT_OF_MEMORY;
  reader->info = png_create_info_struct(reader->png);
  if (!reader->info) return VG_OUT_OF_MEMORY;

  png_set_read_fn(reader->png, reader, read_bytes);
  vg_png_set_limits(reader->png);
  png_read_info(reader->png, reader->info);
  header->width = png_get_image_width(reader->png, reader->info);
  header->height = png_get_image_height(reader->png, reader->info);
  vg_png_set_transforms(reader->png);
  header->passes = png_set_interlace_handling(reader->png);
  reader->is_interlaced = header->passes > 1;
  png_read_update_info(reader->png, reader->info);
  if (png_get_rowbytes(reader->png, reader->info) != (size_t)header->width * 4)
    png_error(reader->png, "rows of an unexpected length");
  return reader->transparency_lost ? VG_CORRUPT : VG_OK;
}

void vg_png_reader_read_finely(vg_png_reader *reader) {
  // libpng asks for compressed data in pieces of this many bytes, and has nothing of a piece that is not all there.
  png_set_compression_buffer_size(reader->png, 16);
}

vg_status vg_png_reader_read_row(vg_png_reader *reader, uint8_t *row) {
  if (setjmp(reader->escape)) return failure_of(reader);
  reader->is_in_row = true;
  png_read_row(reader->png, row, NULL);
  reader->is_in_row = false;
  return VG_OK;
}

vg_status vg_png_reader_finish(vg_png_reader *reader) {
  if (setjmp(reader->escape)) return failure_of(reader);
  png_read_end(reader->png, NULL);
  return VG_OK;
}

const char *vg_png_reader_message(const vg_png_reader *reader) { return reader->message; }

void vg_png_reader_destroy(vg_png_reader *reader) {
  if (!reader) return;
  // Does nothing when `png` is NULL; an error in here would be an error in free().
  png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader);
}
