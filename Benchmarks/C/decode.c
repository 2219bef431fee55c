// What ImageCodecs is measured against: the same libraries and the same algorithm, in C.
//
//     decode FILE WxH|full [REPETITIONS]
//
// JPEG: libjpeg's scaling while twice the target is left, of up to 2 megapixels three times. WebP: the library's while
// three times is left. AVIF: planes to RGBA in strips. Then, row by row, whole-number box averages while four times is
// left, and Lanczos3. Takes the arguments and prints the line of Sources/decode: median CPU milliseconds, and kilobytes of
// peak memory above what was in use before. Upright, opaque or straight-alpha pictures only; AVIF only with WITH_AVIF
// defined; errors end the program.
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jpeglib.h>
#include <png.h>
#include <webp/decode.h>
#ifdef WITH_AVIF
#include <avif/avif.h>
#endif

typedef float pixel __attribute__((vector_size(16)));
typedef struct { int width, height; } size2;

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }

// MARK: Lanczos

typedef struct { int stride, *starts, *counts; float *weights; } taps;

static double lanczos3(double x) {
  x = fabs(x) * M_PI;
  if (x < 1e-9) return 1;
  if (x >= 3 * M_PI) return 0;
  return 3 * sin(x) * sin(x / 3) / (x * x);
}

static taps make_taps(int inputs, double extent, int outputs) {
  const double scale = extent / outputs, widening = fmax(1, scale), support = 3 * widening;
  taps t = {.stride = ((int)ceil(2 * support) + 2) & ~1};
  t.starts = malloc(sizeof(int) * (size_t)outputs);
  t.counts = malloc(sizeof(int) * (size_t)outputs);
  t.weights = calloc((size_t)outputs * (size_t)t.stride, sizeof(float));
  for (int o = 0; o < outputs; o++) {
    const double center = (o + 0.5) * scale;
    const int first = smaller(inputs - 1, larger(0, (int)(center - support + 0.5)));
    const int end = smaller(inputs, larger(first + 1, (int)(center + support + 0.5)));
    double sum = 0;
    for (int i = first; i < end; i++) sum += lanczos3((i + 0.5 - center) / widening);
    for (int i = first; i < end; i++)
      t.weights[o * t.stride + i - first] = (float)(lanczos3((i + 0.5 - center) / widening) / sum);
    t.starts[o] = first;
    t.counts[o] = end - first;
  }
  return t;
}

static void free_taps(taps t) {
  free(t.starts);
  free(t.counts);
  free(t.weights);
}

// MARK: The resampler

enum { ring_rows = 32 };

typedef struct {
  size2 in, out, factor, reduced;
  taps across, down;
  uint16_t *sums;
  pixel *line, *narrowed, *ring;
  uint8_t *row, *target;
  int rows_seen, rows_in_block, lines_seen, rows_finished;
} resampler;

static int is_full_size(const resampler *r) { return r->in.width == r->out.width && r->in.height == r->out.height; }

static resampler make_resampler(size2 in, double extent_x, double extent_y, size2 out, uint8_t *target) {
  resampler r = {.in = in, .out = out, .target = target};
  if (is_full_size(&r)) return r;
  r.factor = (size2){larger(1, in.width / (out.width * 4)), larger(1, in.height / (out.height * 4))};
  r.reduced = (size2){
      (in.width + r.factor.width - 1) / r.factor.width, (in.height + r.factor.height - 1) / r.factor.height};
  r.across = make_taps(r.reduced.width, extent_x / r.factor.width, out.width);
  r.down = make_taps(r.reduced.height, extent_y / r.factor.height, out.height);
  r.sums = calloc((size_t)in.width * 4, sizeof(uint16_t));
  // Behind the line lie zeros for the taps without weight.
  r.line = calloc((size_t)(r.reduced.width + r.across.stride), sizeof(pixel));
  r.row = malloc((size_t)in.width * 4);
  r.narrowed = malloc(sizeof(pixel) * (size_t)out.width);
  r.ring = malloc(sizeof(pixel) * (size_t)out.width * ring_rows);
  return r;
}

static void free_resampler(resampler *r) {
  free_taps(r->across);
  free_taps(r->down);
  free(r->sums);
  free(r->row);
  free(r->line);
  free(r->narrowed);
  free(r->ring);
}

static void average_blocks(resampler *r) {
  for (int x = 0; x < r->reduced.width; x++) {
    const int first = x * r->factor.width, end = smaller(r->in.width, first + r->factor.width);
    uint32_t sum[4] = {0};
    for (int i = first; i < end; i++)
      for (int c = 0; c < 4; c++) sum[c] += r->sums[i * 4 + c];
    const float scale = 1.0f / (float)((end - first) * r->rows_in_block);
    r->line[x] = (pixel){(float)sum[0], (float)sum[1], (float)sum[2], (float)sum[3]} * scale;
  }
}

static void finish_row(resampler *r, const pixel *sums, int y) {
  uint8_t *row = r->target + (size_t)y * (size_t)r->out.width * 4;
  for (int x = 0; x < r->out.width; x++)
    for (int c = 0; c < 4; c++) row[x * 4 + c] = (uint8_t)(fminf(fmaxf(sums[x][c], 0), 255) + 0.5f);
  r->rows_finished = y + 1;
}

static void resample_line(resampler *r) {
  const int line = r->lines_seen++;
  for (int x = 0; x < r->out.width; x++) {
    const float *weights = r->across.weights + x * r->across.stride;
    const pixel *pixels = r->line + r->across.starts[x];
    // Two sums that do not wait for each other.
    pixel even = {0}, odd = {0};
    for (int tap = 0; tap < r->across.stride; tap += 2) {
      even += pixels[tap] * weights[tap];
      odd += pixels[tap + 1] * weights[tap + 1];
    }
    r->narrowed[x] = even + odd;
  }
  for (int y = r->rows_finished; y < r->out.height && r->down.starts[y] <= line; y++) {
    const int tap = line - r->down.starts[y];
    if (tap >= r->down.counts[y]) continue;
    const float weight = r->down.weights[y * r->down.stride + tap];
    pixel *sums = r->ring + (size_t)(y % ring_rows) * (size_t)r->out.width;
    if (tap == 0) memset(sums, 0, sizeof(pixel) * (size_t)r->out.width);
    for (int x = 0; x < r->out.width; x++) sums[x] += r->narrowed[x] * weight;
    if (tap == r->down.counts[y] - 1) finish_row(r, sums, y);
  }
}

// Where the next row is to be written: in a picture at full size its place there.
static uint8_t *next_row(const resampler *r) {
  return is_full_size(r) ? r->target + (size_t)r->rows_seen * (size_t)r->in.width * 4 : r->row;
}

static void push_row(resampler *r, const uint8_t *row) {
  if (is_full_size(r)) {
    r->rows_seen++;
    return;
  }
  if (r->factor.width == 1 && r->factor.height == 1) {
    for (int x = 0; x < r->in.width; x++, row += 4) r->line[x] = (pixel){row[0], row[1], row[2], row[3]};
    resample_line(r);
    return;
  }
  const int count = r->in.width * 4;
  uint16_t *restrict sums = r->sums;
  if (r->rows_in_block == 0)
    for (int i = 0; i < count; i++) sums[i] = row[i];
  else
    for (int i = 0; i < count; i++) sums[i] = (uint16_t)(sums[i] + row[i]);
  r->rows_in_block++;
  r->rows_seen++;
  if (r->rows_in_block < r->factor.height && r->rows_seen < r->in.height) return;
  average_blocks(r);
  r->rows_in_block = 0;
  resample_line(r);
}

static void premultiply(uint8_t *row, int width) {
  for (; width > 0; width--, row += 4) {
    if (row[3] == 255) continue;
    for (int c = 0; c < 3; c++) {
      const unsigned product = row[c] * row[3] + 128u;
      row[c] = (uint8_t)((product + (product >> 8)) >> 8);
    }
  }
}

// MARK: The formats

static size2 fit(size2 in, size2 box) {
  if (in.width <= box.width && in.height <= box.height) return in;
  const double factor = fmin((double)box.width / in.width, (double)box.height / in.height);
  return (size2){larger(1, (int)(in.width * factor + 0.5)), larger(1, (int)(in.height * factor + 0.5))};
}

static uint8_t *decode_jpeg(const uint8_t *bytes, size_t count, size2 box) {
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  info.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, bytes, count);
  jpeg_read_header(&info, TRUE);
  const size2 in = {(int)info.image_width, (int)info.image_height}, out = fit(in, box);
  const int margin = (size_t)in.width * (size_t)in.height <= 2000000 ? 3 : 2;
  int eighths = 1;
  if (out.width == in.width && out.height == in.height) eighths = 8;
  while (eighths < 8 && (in.width * eighths / 8 < out.width * margin || in.height * eighths / 8 < out.height * margin))
    eighths *= 2;
  info.scale_num = (unsigned)eighths;
  info.scale_denom = 8;
  info.out_color_space = JCS_EXT_RGBA;
  jpeg_start_decompress(&info);
  uint8_t *target = malloc((size_t)out.width * (size_t)out.height * 4);
  const size2 rows = {(int)info.output_width, (int)info.output_height};
  resampler r = make_resampler(rows, in.width * eighths / 8.0, in.height * eighths / 8.0, out, target);
  while (info.output_scanline < info.output_height) {
    uint8_t *row = next_row(&r);
    jpeg_read_scanlines(&info, &row, 1);
    push_row(&r, row);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  free_resampler(&r);
  return target;
}

typedef struct { const uint8_t *next; size_t remaining; } span;

static void read_span(png_structp png, png_bytep target, size_t count) {
  span *s = png_get_io_ptr(png);
  if (count > s->remaining) png_error(png, "too short");
  memcpy(target, s->next, count);
  s->next += count;
  s->remaining -= count;
}

static uint8_t *decode_png(const uint8_t *bytes, size_t count, size2 box) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  span source = {bytes, count};
  if (setjmp(png_jmpbuf(png))) fail("bad PNG");
  png_set_read_fn(png, &source, read_span);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_read_info(png, info);
  const int has_alpha =
      png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA || png_get_valid(png, info, PNG_INFO_tRNS);
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
  png_read_update_info(png, info);
  const size2 in = {(int)png_get_image_width(png, info), (int)png_get_image_height(png, info)}, out = fit(in, box);
  uint8_t *target = malloc((size_t)out.width * (size_t)out.height * 4);
  resampler r = make_resampler(in, in.width, in.height, out, target);
  for (int y = 0; y < in.height; y++) {
    uint8_t *row = next_row(&r);
    png_read_row(png, row, NULL);
    if (has_alpha) premultiply(row, in.width);
    push_row(&r, row);
  }
  png_read_end(png, NULL);
  png_destroy_read_struct(&png, &info, NULL);
  free_resampler(&r);
  return target;
}

static uint8_t *decode_webp(const uint8_t *bytes, size_t count, size2 box) {
  WebPDecoderConfig config;
  WebPInitDecoderConfig(&config);
  if (WebPGetFeatures(bytes, count, &config.input) != VP8_STATUS_OK) fail("bad WebP");
  size2 in = {config.input.width, config.input.height};
  const size2 out = fit(in, box);
  const int factor = smaller(in.width / (out.width * 3), in.height / (out.height * 3));
  if (factor > 1 && !config.input.has_alpha && config.input.format != 2) {
    in = (size2){(in.width + factor / 2) / factor, (in.height + factor / 2) / factor};
    config.options.use_scaling = 1;
    config.options.scaled_width = in.width;
    config.options.scaled_height = in.height;
  }
  config.output.colorspace = MODE_RGBA;
  uint8_t *target = malloc((size_t)out.width * (size_t)out.height * 4);
  const int is_full_size = in.width == out.width && in.height == out.height;
  if (is_full_size) {
    config.output.is_external_memory = 1;
    config.output.u.RGBA =
        (WebPRGBABuffer){.rgba = target, .stride = in.width * 4, .size = (size_t)in.width * (size_t)in.height * 4};
  }
  if (WebPDecode(bytes, count, &config) != VP8_STATUS_OK) fail("bad WebP");
  resampler r = make_resampler(in, in.width, in.height, out, target);
  for (int y = 0; y < in.height; y++) {
    uint8_t *row = config.output.u.RGBA.rgba + (size_t)y * (size_t)config.output.u.RGBA.stride;
    if (config.input.has_alpha) premultiply(row, in.width);
    push_row(&r, row);
  }
  WebPFreeDecBuffer(&config.output);
  free_resampler(&r);
  return target;
}

#ifdef WITH_AVIF
static void check(avifResult result) {
  if (result != AVIF_RESULT_OK) fail(avifResultToString(result));
}

// Converts `rows` of the planes from row `y` on, with `margin` rows around them where there are so many, so that chroma
// is interpolated across the edges of strips as within; returns the first of `rows`.
static uint8_t *convert_strip(const avifImage *image, int y, int rows, int margin, uint8_t *pixels) {
  const int first = larger(0, y - margin), end = smaller((int)image->height, y + rows + margin);
  avifImage *view = avifImageCreateEmpty();
  const avifCropRect rectangle = {0, (uint32_t)first, image->width, (uint32_t)(end - first)};
  check(avifImageSetViewRect(view, image, &rectangle));
  avifRGBImage rgb;
  avifRGBImageSetDefaults(&rgb, view);
  rgb.depth = 8;
  rgb.avoidLibYUV = view->depth > 8;
  rgb.format = AVIF_RGB_FORMAT_RGBA;
  rgb.pixels = pixels;
  rgb.rowBytes = image->width * 4;
  check(avifImageYUVToRGB(view, &rgb));
  avifImageDestroy(view);
  return pixels + (size_t)(y - first) * image->width * 4;
}

static uint8_t *decode_avif(const uint8_t *bytes, size_t count, size2 box) {
  enum { strip_rows = 32, margin = 2 };
  avifDecoder *decoder = avifDecoderCreate();
  decoder->ignoreExif = decoder->ignoreXMP = AVIF_TRUE;
  check(avifDecoderSetIOMemory(decoder, bytes, count));
  check(avifDecoderParse(decoder));
  check(avifDecoderNextImage(decoder));
  const avifImage *image = decoder->image;
  const size2 in = {(int)image->width, (int)image->height}, out = fit(in, box);
  uint8_t *target = malloc((size_t)out.width * (size_t)out.height * 4);
  resampler r = make_resampler(in, in.width, in.height, out, target);
  if (is_full_size(&r)) {
    convert_strip(image, 0, in.height, 0, target);
    if (decoder->alphaPresent) premultiply(target, in.width * in.height);
  } else {
    uint8_t *strip = malloc((size_t)(strip_rows + 2 * margin) * (size_t)in.width * 4);
    for (int y = 0; y < in.height; y += strip_rows) {
      const int rows = smaller(strip_rows, in.height - y);
      uint8_t *row = convert_strip(image, y, rows, margin, strip);
      for (int i = 0; i < rows; i++, row += (size_t)in.width * 4) {
        if (decoder->alphaPresent) premultiply(row, in.width);
        push_row(&r, row);
      }
    }
    free(strip);
  }
  avifDecoderDestroy(decoder);
  free_resampler(&r);
  return target;
}
#else
static uint8_t *decode_avif(const uint8_t *bytes, size_t count, size2 box) {
  (void)bytes, (void)count, (void)box;
  fail("built without AVIF");
  return NULL;
}
#endif

// MARK: Measuring

static double cpu_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static long memory(const char *name) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[200];
  long result = 0;
  while (file && fgets(line, sizeof line, file))
    if (!strncmp(line, name, strlen(name))) sscanf(line + strlen(name), ": %ld", &result);
  if (file) fclose(file);
  return result;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
  size2 box = {INT_MAX, INT_MAX};
  if (argc < 3 || (strcmp(argv[2], "full") && sscanf(argv[2], "%dx%d", &box.width, &box.height) != 2))
    fail("usage: decode FILE WxH|full [REPETITIONS]");
  FILE *file = fopen(argv[1], "rb");
  if (!file) fail("cannot open the file");
  fseek(file, 0, SEEK_END);
  const size_t count = (size_t)ftell(file);
  rewind(file);
  uint8_t *bytes = malloc(count);
  if (count < 12 || fread(bytes, 1, count, file) != count) fail("cannot read the file");
  fclose(file);

  const int repetitions = argc > 3 ? larger(1, atoi(argv[3])) : 1;
  double *times = malloc(sizeof(double) * (size_t)repetitions);
  const long before = memory("VmRSS");
  for (int i = 0; i < repetitions; i++) {
    const double start = cpu_time();
    uint8_t *pixels = bytes[0] == 0xFF   ? decode_jpeg(bytes, count, box)
                      : bytes[0] == 0x89 ? decode_png(bytes, count, box)
                      : bytes[0] == 'R'  ? decode_webp(bytes, count, box)
                                         : decode_avif(bytes, count, box);
    times[i] = cpu_time() - start;
    free(pixels);
  }
  const long peak = memory("VmHWM") - before;
  qsort(times, (size_t)repetitions, sizeof(double), ascending);
  printf("%.3f %ld\n", times[repetitions / 2], peak);
  return 0;
}
