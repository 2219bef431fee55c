// What the pipeline is measured against: fetch and decode by hand, with the same libraries and the decoder of decode.c.
//
//     fetch BASE THREADS
//
// Each thread has a libcurl handle and a buffer that it uses again and again, and nothing else happens. Reads numbers
// from standard input and loads so many pictures for each, at 200 pixels; prints processor and wall seconds as JSON.
// BASE/N must give a JPEG for every N; errors end the program.
#define main decode_main
#include "decode.c"
#undef main

#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct { uint8_t *bytes; size_t count, capacity; } buffer;
typedef struct { const char *base; CURL *curl; buffer body; } worker;

static atomic_int next_picture, end_picture;

static size_t append(char *bytes, size_t size, size_t count, void *context) {
  buffer *b = context;
  count *= size;
  if (b->count + count > b->capacity) {
    b->capacity = (b->count + count) * 2;
    b->bytes = realloc(b->bytes, b->capacity);
    if (!b->bytes) fail("no memory");
  }
  memcpy(b->bytes + b->count, bytes, count);
  b->count += count;
  return count;
}

static void load(worker *w, int picture) {
  char url[300];
  snprintf(url, sizeof url, "%s/%d", w->base, picture);
  w->body.count = 0;
  curl_easy_setopt(w->curl, CURLOPT_URL, url);
  long status = 0;
  if (curl_easy_perform(w->curl) != CURLE_OK) fail("the transfer failed");
  curl_easy_getinfo(w->curl, CURLINFO_RESPONSE_CODE, &status);
  if (status != 200) fail("the server has no picture");
  free(decode_jpeg(w->body.bytes, w->body.count, (size2){200, 200}));
}

static void *work(void *context) {
  int picture;
  while ((picture = atomic_fetch_add(&next_picture, 1)) < atomic_load(&end_picture)) load(context, picture);
  return NULL;
}

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  enum { most_threads = 16 };
  if (argc != 3) fail("usage: fetch BASE THREADS");
  const int count = smaller(most_threads, larger(1, atoi(argv[2])));
  worker workers[most_threads] = {0};
  curl_global_init(CURL_GLOBAL_DEFAULT);
  for (int i = 0; i < count; i++) {
    workers[i] = (worker){.base = argv[1], .curl = curl_easy_init()};
    curl_easy_setopt(workers[i].curl, CURLOPT_WRITEFUNCTION, append);
    curl_easy_setopt(workers[i].curl, CURLOPT_WRITEDATA, &workers[i].body);
    curl_easy_setopt(workers[i].curl, CURLOPT_BUFFERSIZE, 128L << 10);
    curl_easy_setopt(workers[i].curl, CURLOPT_NOSIGNAL, 1L);
  }
  for (int pictures, first = 0; scanf("%d", &pictures) == 1; first += pictures) {
    const double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
    atomic_store(&next_picture, first);
    atomic_store(&end_picture, first + pictures);
    pthread_t threads[most_threads];
    for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, work, &workers[i]);
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
    printf("{\"pictures\": %d, \"cpu\": %f, \"wall\": %f}\n", pictures, now(CLOCK_PROCESS_CPUTIME_ID) - cpu,
           now(CLOCK_MONOTONIC) - wall);
    fflush(stdout);
  }
  return 0;
}
