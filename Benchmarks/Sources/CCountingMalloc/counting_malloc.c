// The executable's own malloc takes the place of the C library's, in shared libraries too: it counts and passes on.
// Nothing else changes, so timings stay those of the C library's allocator (an atomic addition dearer).
#include "CCountingMalloc.h"
#include <stdatomic.h>
#include <stddef.h>

#if defined(__GLIBC__)
#include <errno.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic uint64_t calls;
static void count(void) { atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed); }

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count();
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *pointer = memalign(alignment, size);
  if (pointer == NULL) return ENOMEM;
  *result = pointer;
  return 0;
}

uint64_t counting_malloc_calls(void) { return atomic_load_explicit(&calls, memory_order_relaxed); }
int counting_malloc_works(void) { return 1; }
#else
uint64_t counting_malloc_calls(void) { return 0; }
int counting_malloc_works(void) { return 0; }
#endif
