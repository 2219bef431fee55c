#pragma once
#include <stdint.h>

/// Allocations of the whole process since it started; always 0 where they cannot be counted (not glibc).
uint64_t counting_malloc_calls(void);
/// Whether allocations are counted here.
int counting_malloc_works(void);
