#include "CImageShims.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

#include "jpeg_header.h"

struct vg_jpeg_reader {
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  jmp_buf escape;
  // Bytes behind the last one were asked for; an end-of-image marker was handed out in their place.
  bool source_ended;
  // Coefficients were needed that the data does not hold, or holds damaged.
  bool data_lost;
  // The components that a scan has covered, one bit each.
  uint32_t components_seen;
  char message[JMSG_LENGTH_MAX];
};

static vg_jpeg_reader *reader_of(j_common_ptr info) { return (vg_jpeg_reader *)info->client_data; }

// MARK: libjpeg's callbacks

static void exit_with_error(j_common_ptr info) {
  vg_jpeg_reader *reader = reader_of(info);
  info->err->format_message(info, reader->message);
  longjmp(reader->escape, 1);
}

// Most warnings are about files that every browser shows (extraneous bytes, odd version numbers). The ones below mean
// that part of the picture is missing or invented.
static void note_message(j_common_ptr info, int level) {
  if (level >= 0) return;
  vg_jpeg_reader *reader = reader_of(info);
  switch (info->err->msg_code) {
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
      if (!reader->data_lost) info->err->format_message(info, reader->message);
      reader->data_lost = true;
      break;
    default:
      break;
  }
}

static void ignore_output(j_common_ptr info) { (void)info; }
static void ignore_source(j_decompress_ptr info) { (void)info; }

static boolean fill_input(j_decompress_ptr info) {
  static const JOCTET end_of_image[2] = {0xFF, JPEG_EOI};
  reader_of((j_common_ptr)info)->source_ended = true;
  info->src->next_input_byte = end_of_image;
  info->src->bytes_in_buffer = sizeof end_of_image;
  return TRUE;
}

static void skip_input(j_decompress_ptr info, long count) {
  if (count <= 0) return;
  if ((size_t)count > info->src->bytes_in_buffer) {
    fill_input(info);
    return;
  }
  info->src->next_input_byte += count;
  info->src->bytes_in_buffer -= (size_t)count;
}

// MARK: Statuses

static vg_status failure_of(const vg_jpeg_reader *reader) {
  switch (reader->errors.msg_code) {
    case JERR_OUT_OF_MEMORY:
      return VG_OUT_OF_MEMORY;
    case JERR_SOF_UNSUPPORTED:
    case JERR_BAD_PRECISION:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_BAD_J_COLORSPACE:
    case JERR_ARITH_NOTIMPL:
      return VG_UNSUPPORTED;
    default:
      return reader->source_ended ? VG_TRUNCATED : VG_CORRUPT;
  }
}

static vg_status loss_of(const vg_jpeg_reader *reader) {
  // Arithmetic coding goes on with zero bytes where the data end, and finds nothing wrong with them.
  if (reader->info.arith_code && reader->source_ended) return VG_TRUNCATED;
  if (!reader->data_lost) return VG_OK;
  return reader->source_ended ? VG_TRUNCATED : VG_CORRUPT;
}

static void note_components(vg_jpeg_reader *reader) {
  for (int i = 0; i < reader->info.comps_in_scan; i++)
    reader->components_seen |= 1u << reader->info.cur_comp_info[i]->component_index;
}

// Whether every coefficient has arrived at full precision. (coef_bits: the lowest bit known so far, -1 for nothing.)
static bool is_fully_refined(const struct jpeg_decompress_struct *info) {
  if (!info->coef_bits) return true;
  for (int component = 0; component < info->num_components; component++)
    for (int k = 0; k < DCTSIZE2; k++)
      if (info->coef_bits[component][k] != 0) return false;
  return true;
}

// A file without its end marker is whole when nothing is left that a further scan could bring. Arithmetic coding leaves
// out trailing zero bytes, so that without the marker nothing distinguishes the whole file from a part.
static vg_status check_whole(vg_jpeg_reader *reader) {
  const struct jpeg_decompress_struct *info = &reader->info;
  const vg_status incomplete = reader->source_ended ? VG_TRUNCATED : VG_CORRUPT;
  const uint32_t all = (1u << info->num_components) - 1;
  if (reader->components_seen != all) return incomplete;
  if (reader->source_ended && (info->arith_code || !is_fully_refined(info))) return VG_TRUNCATED;
  return loss_of(reader);
}

void vg_jpeg_describe(struct jpeg_decompress_struct *info, vg_jpeg_header *header) {
  header->width = info->image_width;
  header->height = info->image_height;
  header->is_cmyk = info->num_components == 4;
  header->is_multi_scan = jpeg_has_multiple_scans(info);
  header->coefficient_bytes = 0;
  for (int i = 0; i < info->num_components; i++) {
    const jpeg_component_info *component = &info->comp_info[i];
    const uint64_t blocks = (uint64_t)component->width_in_blocks * component->height_in_blocks;
    header->coefficient_bytes += blocks * sizeof(JBLOCK);
  }
}

// MARK: Reading

vg_status vg_jpeg_reader_create(
    const uint8_t *bytes, size_t count, vg_jpeg_reader **result, vg_jpeg_header *header) {
  vg_jpeg_reader *reader = *result = calloc(1, sizeof *reader);
  if (!reader) return VG_OUT_OF_MEMORY;
  struct jpeg_decompress_struct *info = &reader->info;

  info->err = jpeg_std_error(&reader->errors);
  reader->errors.error_exit = exit_with_error;
  reader->errors.emit_message = note_message;
  reader->errors.output_message = ignore_output;
  info->client_data = reader;
  if (setjmp(reader->escape)) return failure_of(reader);
  jpeg_create_decompress(info);

  reader->source = (struct jpeg_source_mgr){
      .next_input_byte = bytes,
      .bytes_in_buffer = count,
      .init_source = ignore_source,
      .fill_input_buffer = fill_input,
      .skip_input_data = skip_input,
      .resync_to_restart = jpeg_resync_to_restart,
      .term_source = ignore_source,
  };
  info->src = &reader->source;
  jpeg_read_header(info, TRUE);
  note_components(reader);

  vg_jpeg_describe(info, header);
  return VG_OK;
}

vg_status vg_jpeg_reader_start(vg_jpeg_reader *reader, int eighths, uint32_t *row_width, uint32_t *row_count) {
  struct jpeg_decompress_struct *info = &reader->info;
  if (setjmp(reader->escape)) return failure_of(reader);
  info->scale_num = (unsigned)eighths;
  info->scale_denom = 8;
  info->out_color_space = info->num_components == 4 ? JCS_CMYK : JCS_EXT_RGBA;
  // Buffered-image mode leaves it to absorb() to read the scans, in steps that can be counted and cancelled.
  info->buffered_image = jpeg_has_multiple_scans(info);
  jpeg_start_decompress(info);
  *row_width = info->output_width;
  *row_count = info->output_height;
  return VG_OK;
}

vg_status vg_jpeg_reader_absorb(vg_jpeg_reader *reader, int maximum_scans, bool *finished) {
  struct jpeg_decompress_struct *info = &reader->info;
  *finished = false;
  if (setjmp(reader->escape)) return failure_of(reader);
  switch (jpeg_consume_input(info)) {
    case JPEG_REACHED_SOS:
      if (info->input_scan_number > maximum_scans) return VG_TOO_MANY_SCANS;
      note_components(reader);
      return loss_of(reader);
    case JPEG_REACHED_EOI:
      *finished = true;
      jpeg_start_output(info, info->input_scan_number);
      return check_whole(reader);
    default:
      return loss_of(reader);
  }
}

vg_status vg_jpeg_reader_read_row(vg_jpeg_reader *reader, uint8_t *row) {
  struct jpeg_decompress_struct *info = &reader->info;
  if (setjmp(reader->escape)) return failure_of(reader);
  JSAMPROW rows[1] = {row};
  // The source never suspends, so no row means that the caller asked for more than there are.
  if (jpeg_read_scanlines(info, rows, 1) != 1) return VG_CORRUPT;
  if (info->output_scanline == info->output_height) return check_whole(reader);
  return loss_of(reader);
}

const char *vg_jpeg_reader_message(const vg_jpeg_reader *reader) { return reader->message; }

void vg_jpeg_reader_destroy(vg_jpeg_reader *reader) {
  if (!reader) return;
  // Safe after any failure, including one inside jpeg_create_decompress: it frees what `mem` holds, if anything.
  jpeg_destroy_decompress(&reader->info);
  free(reader);
}
