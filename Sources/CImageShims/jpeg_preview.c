#include "CImageShims.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include <jerror.h>

#include "jpeg_header.h"

// What libjpeg takes from a second frame header before it finds that there may be none, though it goes on to draw with
// what it made for the first one.
typedef struct frame {
  JDIMENSION width, height;
  int components, precision;
  boolean is_progressive, is_arithmetic;
} frame;

struct vg_jpeg_preview {
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  jmp_buf escape;
  // Where in the file libjpeg goes on; it may lie behind the bytes that are here.
  size_t position;
  bool has_header;
  bool has_started;
  bool is_done;
  // What is arriving is damaged; of what has arrived at most one row of blocks is.
  bool data_lost;
  // Of the frame that is drawn.
  frame frame;
};

// MARK: libjpeg's callbacks

static void exit_with_error(j_common_ptr info) {
  longjmp(((vg_jpeg_preview *)info->client_data)->escape, 1);
}

// The warnings that mean that coefficients are invented; see jpeg_reader.c.
static void note_message(j_common_ptr info, int level) {
  if (level >= 0) return;
  switch (info->err->msg_code) {
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
      ((vg_jpeg_preview *)info->client_data)->data_lost = true;
      break;
    default:
      break;
  }
}

static void ignore_output(j_common_ptr info) { (void)info; }
static void ignore_source(j_decompress_ptr info) { (void)info; }

// FALSE suspends libjpeg, which goes back to where it can begin again.
static boolean suspend(j_decompress_ptr info) {
  (void)info;
  return FALSE;
}

static void skip_input(j_decompress_ptr info, long count) {
  if (count <= 0) return;
  vg_jpeg_preview *preview = info->client_data;
  const size_t here = info->src->bytes_in_buffer;
  const size_t skipped = (size_t)count < here ? (size_t)count : here;
  info->src->next_input_byte += skipped;
  info->src->bytes_in_buffer -= skipped;
  // What is skipped beyond the bytes at hand is remembered until they come.
  preview->position += (size_t)count - skipped;
}

// MARK: Reading

vg_status vg_jpeg_preview_create(vg_jpeg_preview **result) {
  vg_jpeg_preview *preview = *result = calloc(1, sizeof *preview);
  if (!preview) return VG_OUT_OF_MEMORY;
  preview->info.err = jpeg_std_error(&preview->errors);
  preview->errors.error_exit = exit_with_error;
  preview->errors.emit_message = note_message;
  preview->errors.output_message = ignore_output;
  preview->info.client_data = preview;
  if (setjmp(preview->escape)) return VG_OUT_OF_MEMORY;
  jpeg_create_decompress(&preview->info);
  preview->source = (struct jpeg_source_mgr){
      .init_source = ignore_source,
      .fill_input_buffer = suspend,
      .skip_input_data = skip_input,
      .resync_to_restart = jpeg_resync_to_restart,
      .term_source = ignore_source,
  };
  preview->info.src = &preview->source;
  return VG_OK;
}

// The bytes may have moved since the last call; what has been read of them has not changed.
static bool supply(vg_jpeg_preview *preview, const uint8_t *bytes, size_t count) {
  if (preview->position > count) return false;
  preview->source.next_input_byte = bytes + preview->position;
  preview->source.bytes_in_buffer = count - preview->position;
  preview->position = 0;  // from here on only what is skipped beyond the end
  return true;
}

static void settle(vg_jpeg_preview *preview, size_t count) {
  preview->position += count - preview->source.bytes_in_buffer;
  preview->source.next_input_byte = NULL;
  preview->source.bytes_in_buffer = 0;
}

vg_status vg_jpeg_preview_read_header(
    vg_jpeg_preview *preview, const uint8_t *bytes, size_t count, vg_jpeg_header *header, bool *is_known) {
  struct jpeg_decompress_struct *info = &preview->info;
  *is_known = preview->has_header;
  if (preview->has_header || !supply(preview, bytes, count)) return VG_OK;
  if (setjmp(preview->escape)) return VG_CORRUPT;
  if (jpeg_read_header(info, TRUE) == JPEG_HEADER_OK) {
    preview->has_header = *is_known = true;
    vg_jpeg_describe(info, header);
  }
  settle(preview, count);
  return VG_OK;
}

static frame current_frame(const struct jpeg_decompress_struct *info) {
  return (frame){info->image_width,    info->image_height,     info->num_components,
                 info->data_precision, info->progressive_mode, info->arith_code};
}

static void restore_frame(struct jpeg_decompress_struct *info, frame frame) {
  info->image_width = frame.width;
  info->image_height = frame.height;
  info->num_components = frame.components;
  info->data_precision = frame.precision;
  info->progressive_mode = frame.is_progressive;
  info->arith_code = frame.is_arithmetic;
}

vg_status vg_jpeg_preview_absorb(
    vg_jpeg_preview *preview, const uint8_t *bytes, size_t count, int eighths, int maximum_scans, int *scans,
    bool *is_waiting) {
  struct jpeg_decompress_struct *info = &preview->info;
  *is_waiting = true;
  *scans = preview->has_started ? info->input_scan_number - 1 : 0;
  if (preview->is_done || !supply(preview, bytes, count)) return VG_OK;
  if (setjmp(preview->escape)) {
    // What came before can still be drawn.
    if (preview->has_started) restore_frame(info, preview->frame);
    return VG_CORRUPT;
  }
  if (!preview->has_started) {
    info->scale_num = (unsigned)eighths;
    info->scale_denom = 8;
    info->out_color_space = info->num_components == 4 ? JCS_CMYK : JCS_EXT_RGBA;
    info->buffered_image = TRUE;
    preview->frame = current_frame(info);
    preview->has_started = jpeg_start_decompress(info);
  }
  // One row of blocks at most, so that the caller can be asked whether to go on.
  if (preview->has_started) {
    const int outcome = jpeg_consume_input(info);
    *is_waiting = outcome == JPEG_SUSPENDED || outcome == JPEG_REACHED_EOI;
    preview->is_done = outcome == JPEG_REACHED_EOI;
  }
  settle(preview, count);
  *scans = info->input_scan_number - 1;
  if (preview->data_lost) return VG_CORRUPT;
  return info->input_scan_number > maximum_scans ? VG_TOO_MANY_SCANS : VG_OK;
}

vg_status vg_jpeg_preview_begin(vg_jpeg_preview *preview, uint32_t *row_width, uint32_t *row_count) {
  struct jpeg_decompress_struct *info = &preview->info;
  if (setjmp(preview->escape)) return VG_CORRUPT;
  // The scan before the one that is arriving: all of it is here, so that its rows wait for nothing.
  if (!jpeg_start_output(info, info->input_scan_number - 1)) return VG_CORRUPT;
  *row_width = info->output_width;
  *row_count = info->output_height;
  return VG_OK;
}

vg_status vg_jpeg_preview_read_row(vg_jpeg_preview *preview, uint8_t *row) {
  if (setjmp(preview->escape)) return VG_CORRUPT;
  JSAMPROW rows[1] = {row};
  return jpeg_read_scanlines(&preview->info, rows, 1) == 1 ? VG_OK : VG_CORRUPT;
}

vg_status vg_jpeg_preview_end(vg_jpeg_preview *preview) {
  if (setjmp(preview->escape)) return VG_CORRUPT;
  return jpeg_finish_output(&preview->info) ? VG_OK : VG_CORRUPT;
}

void vg_jpeg_preview_destroy(vg_jpeg_preview *preview) {
  if (!preview) return;
  jpeg_destroy_decompress(&preview->info);
  free(preview);
}
