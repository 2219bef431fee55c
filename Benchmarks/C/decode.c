// What ImageCodecs is measured against: the same libraries and the same algorithm, in C.
//
//     decode FILE WxH [REPETITIONS]
//
// JPEG: libjpeg's scaling while twice the target is left. WebP: the library's while three times is left. Then, row by
// row, whole-number box averages while twice is left, and Lanczos3. Takes the arguments and prints the line of
// Sources/decode: median CPU milliseconds, and kilobytes of peak memory above what was in use before.
// Upright, opaque or straight-alpha pictures only; errors end the program.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jpeglib.h>
#include <png.h>
#include <webp/decode.h>

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
  taps t = {.stride = (int)ceil(2 * support) + 2};
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
  uint8_t *target;
  int rows_seen, rows_in_block, lines_seen, rows_finished;
} resampler;

static resampler make_resampler(size2 in, double extent_x, double extent_y, size2 out, uint8_t *target) {
  resampler r = {.in = in, .out = out, .target = target};
  r.factor = (size2){larger(1, in.width / (out.width * 2)), larger(1, in.height / (out.height * 2))};
  r.reduced = (size2){
      (in.width + r.factor.width - 1) / r.factor.width, (in.height + r.factor.height - 1) / r.factor.height};
  r.across = make_taps(r.reduced.width, extent_x / r.factor.width, out.width);
  r.down = make_taps(r.reduced.height, extent_y / r.factor.height, out.height);
  r.sums = calloc((size_t)in.width * 4, sizeof(uint16_t));
  r.line = malloc(sizeof(pixel) * (size_t)r.reduced.width);
  r.narrowed = malloc(sizeof(pixel) * (size_t)out.width);
  r.ring = malloc(sizeof(pixel) * (size_t)out.width * ring_rows);
  return r;
}

static void free_resampler(resampler *r) {
  free_taps(r->across);
  free_taps(r->down);
  free(r->sums);
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
    pixel sum = {0};
    for (int tap = 0; tap < r->across.counts[x]; tap++) sum += pixels[tap] * weights[tap];
    r->narrowed[x] = sum;
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

static void push_row(resampler *r, const uint8_t *row) {
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

// MARK: The three formats

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
  int eighths = 1;
  while (eighths < 8 && (in.width * eighths / 8 < out.width * 2 || in.height * eighths / 8 < out.height * 2))
    eighths *= 2;
  info.scale_num = (unsigned)eighths;
  info.scale_denom = 8;
  info.out_color_space = JCS_EXT_RGBA;
  jpeg_start_decompress(&info);
  uint8_t *target = malloc((size_t)out.width * (size_t)out.height * 4);
  const size2 rows = {(int)info.output_width, (int)info.output_height};
  resampler r = make_resampler(rows, in.width * eighths / 8.0, in.height * eighths / 8.0, out, target);
  uint8_t *row = malloc((size_t)rows.width * 4);
  while (info.output_scanline < info.output_height) {
    jpeg_read_scanlines(&info, &row, 1);
    push_row(&r, row);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  free(row);
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
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
  png_read_update_info(png, info);
  const size2 in = {(int)png_get_image_width(png, info), (int)png_get_image_height(png, info)}, out = fit(in, box);
  const int has_alpha = png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA;
  uint8_t *target = malloc((size_t)out.width * (size_t)out.height * 4), *row = malloc((size_t)in.width * 4);
  resampler r = make_resampler(in, in.width, in.height, out, target);
  for (int y = 0; y < in.height; y++) {
    png_read_row(png, row, NULL);
    if (has_alpha) premultiply(row, in.width);
    push_row(&r, row);
  }
  png_read_end(png, NULL);
  png_destroy_read_struct(&png, &info, NULL);
  free(row);
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
  if (WebPDecode(bytes, count, &config) != VP8_STATUS_OK) fail("bad WebP");
  uint8_t *target = malloc((size_t)out.width * (size_t)out.height * 4);
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
  size2 box;
  if (argc < 3 || sscanf(argv[2], "%dx%d", &box.width, &box.height) != 2) fail("usage: decode FILE WxH [REPETITIONS]");
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
                                         : decode_webp(bytes, count, box);
    times[i] = cpu_time() - start;
    free(pixels);
  }
  const long peak = memory("VmHWM") - before;
  qsort(times, (size_t)repetitions, sizeof(double), ascending);
  printf("%.3f %ld\n", times[repetitions / 2], peak);
  return 0;
}
