// Row-by-row readers and writers over libjpeg and libpng.
//
// Both libraries report errors with longjmp, which must never unwind a Swift frame. Every call that can longjmp is
// therefore made inside one of the functions below, under a setjmp of its own; what comes out is a status.
// No function keeps a pointer to anything of the caller's but the input bytes, which must outlive the reader.
// A reader or writer is used by one thread at a time and is released by its destroy function on every path,
// after success and after failure alike. After a failure only destroy and message may be called.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define VG_CLOSED_ENUM __attribute__((enum_extensibility(closed)))
#define VG_SWIFT_NAME(name) __attribute__((swift_name(#name)))
#define VG_NULLABLE _Nullable
#define VG_NONNULL _Nonnull
#else
#define VG_CLOSED_ENUM
#define VG_SWIFT_NAME(name)
#define VG_NULLABLE
#define VG_NONNULL
#endif

typedef enum VG_CLOSED_ENUM vg_status {
  VG_OK VG_SWIFT_NAME(ok),
  /// The bytes end before the picture does.
  VG_TRUNCATED VG_SWIFT_NAME(truncated),
  /// The bytes are not what the format's specification allows.
  VG_CORRUPT VG_SWIFT_NAME(corrupt),
  /// Legal, but a variant the library does not decode.
  VG_UNSUPPORTED VG_SWIFT_NAME(unsupported),
  /// malloc answered NULL.
  VG_OUT_OF_MEMORY VG_SWIFT_NAME(outOfMemory),
  /// More scans than the caller allows.
  VG_TOO_MANY_SCANS VG_SWIFT_NAME(tooManyScans),
} vg_status;

// MARK: Processes

/// A converter at work in a process of its own.
typedef struct vg_converter {
  int process;
  /// What it writes; the caller's to close.
  int output;
  /// A file with what it says of errors; the caller's to close.
  int errors;
} vg_converter;

/// What a converter may use of the machine.
typedef struct vg_converter_limits {
  /// Of its address space, in bytes.
  uint64_t memory;
  /// Of a processor, in seconds.
  uint64_t seconds;
} vg_converter_limits;

/// Starts a program with `input` as its standard input, in the caller's environment, with no other descriptors of the
/// caller's. Arguments end with NULL; the first is the program, looked for in PATH.
/// Returns 0, or the errno of what failed, when nothing is left behind.
int vg_converter_start(const char *VG_NULLABLE const *VG_NONNULL arguments, const void *input, size_t length,
                       vg_converter_limits limits, vg_converter *converter);

// MARK: zlib

typedef enum VG_CLOSED_ENUM vg_inflation {
  VG_INFLATED VG_SWIFT_NAME(complete),
  /// There is more than there is room for.
  VG_INFLATION_FULL VG_SWIFT_NAME(full),
  VG_INFLATION_FAILED VG_SWIFT_NAME(failed),
} vg_inflation;

/// Inflates a whole stream in zlib's format. `*target_count` is the room before and the length after.
vg_inflation vg_inflate(const uint8_t *bytes, size_t count, uint8_t *target, size_t *target_count);

// MARK: JPEG, reading

typedef struct vg_jpeg_reader vg_jpeg_reader;

typedef struct {
  uint32_t width;
  uint32_t height;
  /// Rows are C, M, Y, K as stored instead of R, G, B, A.
  bool is_cmyk;
  /// The coefficients of the whole picture must be held: progressive, or one scan per component.
  bool is_multi_scan;
  /// How many bytes those coefficients take.
  uint64_t coefficient_bytes;
} vg_jpeg_header;

/// Reads up to the first scan. `*reader` is NULL only when the status is VG_OUT_OF_MEMORY.
vg_status vg_jpeg_reader_create(
    const uint8_t *bytes, size_t count, vg_jpeg_reader *VG_NULLABLE *_Nonnull reader, vg_jpeg_header *header);

/// Chooses the scale, `eighths` / 8 with `eighths` one of 1, 2, 4, 8, and tells the size of the rows to come.
vg_status vg_jpeg_reader_start(
    vg_jpeg_reader *reader, int eighths, uint32_t *row_width, uint32_t *row_count);

/// Multi-scan pictures only: takes in a part of the file (one row of blocks at most), to be called until `*finished`.
vg_status vg_jpeg_reader_absorb(vg_jpeg_reader *reader, int maximum_scans, bool *finished);

/// Writes the next row, four bytes a pixel.
vg_status vg_jpeg_reader_read_row(vg_jpeg_reader *reader, uint8_t *row);

/// What libjpeg said last; empty when it said nothing.
const char *vg_jpeg_reader_message(const vg_jpeg_reader *reader);

void vg_jpeg_reader_destroy(vg_jpeg_reader *VG_NULLABLE reader);

// MARK: PNG, reading

typedef struct vg_png_reader vg_png_reader;

typedef struct {
  uint32_t width;
  uint32_t height;
  /// 1, or 7 for an interlaced picture.
  int passes;
} vg_png_header;

/// Reads up to the image data. Rows are R, G, B, A with 8 bits and straight alpha, whatever the file stores.
/// Ancillary chunks other than tRNS are skipped unread, so that none of them can claim memory.
/// `*reader` is NULL only when the status is VG_OUT_OF_MEMORY.
vg_status vg_png_reader_create(
    const uint8_t *bytes, size_t count, vg_png_reader *VG_NULLABLE *_Nonnull reader, vg_png_header *header);

/// Before the first row: has rows come as far as the bytes go, where otherwise the last few thousand bytes before the end
/// of a truncated file bring none. Takes more time.
void vg_png_reader_read_finely(vg_png_reader *reader);

/// Writes the next row of the current pass, four bytes a pixel. In passes after the first, `row` must hold what the
/// earlier passes wrote to the same row.
vg_status vg_png_reader_read_row(vg_png_reader *reader, uint8_t *row);

/// Reads to the end chunk, which tells a whole file from a truncated one.
vg_status vg_png_reader_finish(vg_png_reader *reader);

/// What libpng said last; empty when it said nothing.
const char *vg_png_reader_message(const vg_png_reader *reader);

void vg_png_reader_destroy(vg_png_reader *VG_NULLABLE reader);

// MARK: Previews
//
// Of files that are still arriving. Every call is given the whole of what has arrived, which may lie elsewhere each time.

typedef struct vg_jpeg_preview vg_jpeg_preview;
typedef struct vg_png_preview vg_png_preview;

/// `*preview` is NULL only when the status is VG_OUT_OF_MEMORY; the same holds for PNG.
vg_status vg_jpeg_preview_create(vg_jpeg_preview *VG_NULLABLE *_Nonnull preview);

/// `*is_known` says whether enough has arrived for the header; it is filled in once.
vg_status vg_jpeg_preview_read_header(
    vg_jpeg_preview *preview, const uint8_t *bytes, size_t count, vg_jpeg_header *header, bool *is_known);

/// After the header, and only of multi-scan pictures: takes in a part of the file, to be called until `*is_waiting`.
/// `*scans` counts those that are all here.
vg_status vg_jpeg_preview_absorb(
    vg_jpeg_preview *preview, const uint8_t *bytes, size_t count, int eighths, int maximum_scans, int *scans,
    bool *is_waiting);

/// Begins to draw the scans that are all here, of which there must be one; then come all rows, then the end.
vg_status vg_jpeg_preview_begin(vg_jpeg_preview *preview, uint32_t *row_width, uint32_t *row_count);
vg_status vg_jpeg_preview_read_row(vg_jpeg_preview *preview, uint8_t *row);
vg_status vg_jpeg_preview_end(vg_jpeg_preview *preview);
void vg_jpeg_preview_destroy(vg_jpeg_preview *VG_NULLABLE preview);

/// Allocates `width * height * 4` bytes.
vg_status vg_png_preview_create(uint32_t width, uint32_t height, vg_png_preview *VG_NULLABLE *_Nonnull preview);

/// Takes in at most `maximum` bytes, to be called until `*is_waiting`.
vg_status vg_png_preview_absorb(
    vg_png_preview *preview, const uint8_t *bytes, size_t count, size_t maximum, bool *is_waiting);

/// The passes that are all here, 0...7; 0 unless the picture is interlaced.
int vg_png_preview_passes(const vg_png_preview *preview);

/// R, G, B, A with straight alpha, where passes have brought them.
const uint8_t *vg_png_preview_pixels(const vg_png_preview *preview);
void vg_png_preview_destroy(vg_png_preview *VG_NULLABLE preview);

// MARK: Writing

typedef struct vg_jpeg_writer vg_jpeg_writer;
typedef struct vg_png_writer vg_png_writer;

/// A colour profile to be written with a picture; only read during the call. No bytes: none.
typedef struct {
  const uint8_t *VG_NULLABLE bytes;
  size_t count;
} vg_profile;

/// A baseline JPEG; rows are R, G, B and an ignored byte. `quality` is 1...100. With `halves_chroma` colours are kept at
/// half the resolution each way (4:2:0), without at all of it (4:4:4). A JPEG has room for 255 * 65519 bytes of profile.
vg_status vg_jpeg_writer_create(
    uint32_t width, uint32_t height, int quality, bool halves_chroma, vg_profile profile,
    vg_jpeg_writer *VG_NULLABLE *_Nonnull writer);
vg_status vg_jpeg_writer_write_row(vg_jpeg_writer *writer, uint8_t *row);

/// Ends the file. `*bytes` belongs to the caller from then on, who releases it with free().
vg_status vg_jpeg_writer_finish(vg_jpeg_writer *writer, uint8_t *VG_NULLABLE *_Nonnull bytes, size_t *count);
void vg_jpeg_writer_destroy(vg_jpeg_writer *VG_NULLABLE writer);

/// An 8-bit PNG; rows are R, G, B, A with straight alpha, the A being ignored without `has_alpha`. `is_fast` trades bytes
/// for time.
vg_status vg_png_writer_create(
    uint32_t width, uint32_t height, bool has_alpha, bool is_fast, vg_profile profile,
    vg_png_writer *VG_NULLABLE *_Nonnull writer);
vg_status vg_png_writer_write_row(vg_png_writer *writer, const uint8_t *row);

/// Ends the file. `*bytes` belongs to the caller from then on, who releases it with free().
vg_status vg_png_writer_finish(vg_png_writer *writer, uint8_t *VG_NULLABLE *_Nonnull bytes, size_t *count);
void vg_png_writer_destroy(vg_png_writer *VG_NULLABLE writer);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
