#include "CImageShims.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include <jerror.h>

struct vg_jpeg_writer {
  struct jpeg_compress_struct info;
  struct jpeg_error_mgr errors;
  jmp_buf escape;
  unsigned char *bytes;
  unsigned long count;
  // The memory destination exists and the output has not been handed to the caller.
  bool owns_output;
};

static void exit_with_error(j_common_ptr info) { longjmp(((vg_jpeg_writer *)info->client_data)->escape, 1); }
static void ignore_message(j_common_ptr info, int level) { (void)info, (void)level; }
static void ignore_output(j_common_ptr info) { (void)info; }

static vg_status failure_of(const vg_jpeg_writer *writer) {
  return writer->errors.msg_code == JERR_OUT_OF_MEMORY ? VG_OUT_OF_MEMORY : VG_UNSUPPORTED;
}

vg_status vg_jpeg_writer_create(
    uint32_t width, uint32_t height, int quality, bool halves_chroma, vg_profile profile, vg_jpeg_writer **result) {
  vg_jpeg_writer *writer = *result = calloc(1, sizeof *writer);
  if (!writer) return VG_OUT_OF_MEMORY;
  struct jpeg_compress_struct *info = &writer->info;
  info->err = jpeg_std_error(&writer->errors);
  writer->errors.error_exit = exit_with_error;
  writer->errors.emit_message = ignore_message;
  writer->errors.output_message = ignore_output;
  info->client_data = writer;
  if (setjmp(writer->escape)) return failure_of(writer);
  jpeg_create_compress(info);
  jpeg_mem_dest(info, &writer->bytes, &writer->count);
  writer->owns_output = true;
  info->image_width = width;
  info->image_height = height;
  info->input_components = 4;
  info->in_color_space = JCS_EXT_RGBX;
  jpeg_set_defaults(info);
  jpeg_set_quality(info, quality, TRUE);
  // Component 0 is brightness; its factors are relative to those of the colours, which stay 1.
  info->comp_info[0].h_samp_factor = info->comp_info[0].v_samp_factor = halves_chroma ? 2 : 1;
  jpeg_start_compress(info, TRUE);
  if (profile.bytes && profile.count) jpeg_write_icc_profile(info, profile.bytes, (unsigned int)profile.count);
  return VG_OK;
}

vg_status vg_jpeg_writer_write_row(vg_jpeg_writer *writer, uint8_t *row) {
  if (setjmp(writer->escape)) return failure_of(writer);
  JSAMPROW rows[1] = {row};
  jpeg_write_scanlines(&writer->info, rows, 1);
  return VG_OK;
}

vg_status vg_jpeg_writer_finish(vg_jpeg_writer *writer, uint8_t **bytes, size_t *count) {
  if (setjmp(writer->escape)) return failure_of(writer);
  // The destination stores `bytes` and `count` here and not before.
  jpeg_finish_compress(&writer->info);
  *bytes = writer->bytes;
  *count = writer->count;
  writer->owns_output = false;
  return VG_OK;
}

void vg_jpeg_writer_destroy(vg_jpeg_writer *writer) {
  if (!writer) return;
  if (writer->owns_output) {
    // Until the file is ended the destination keeps the buffer it grew to itself; have it store that in `bytes`.
    writer->info.dest->term_destination(&writer->info);
    free(writer->bytes);
  }
  jpeg_destroy_compress(&writer->info);
  free(writer);
}
