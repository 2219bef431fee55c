// The part of Darwin that this package calls, by its manual pages. Sizes and layouts are of no concern here: nothing
// is ever linked or run.
#pragma once
#include <stddef.h>
#include <stdbool.h>

#define IOS_MAC(ios_, mac_, tv_, watch_) \
  __attribute__((availability(ios, introduced = ios_))) __attribute__((availability(macos, introduced = mac_))) \
  __attribute__((availability(tvos, introduced = tv_))) __attribute__((availability(watchos, introduced = watch_)))

typedef unsigned short mode_t;
typedef int dev_t;
typedef unsigned short nlink_t;
typedef unsigned long long ino_t;
typedef long long off_t;
typedef long time_t;
typedef long ssize_t;

#pragma clang assume_nonnull begin

// <os/lock.h>
typedef struct os_unfair_lock_s { unsigned int _os_unfair_lock_opaque; } os_unfair_lock, *os_unfair_lock_t;
IOS_MAC(10.0, 10.12, 10.0, 3.0) void os_unfair_lock_lock(os_unfair_lock_t lock);
IOS_MAC(10.0, 10.12, 10.0, 3.0) void os_unfair_lock_unlock(os_unfair_lock_t lock);

// <pthread.h>
struct _opaque_pthread_t;
typedef struct _opaque_pthread_t *pthread_t;
typedef struct _opaque_pthread_attr_t { long __sig; char __opaque[56]; } pthread_attr_t;
int pthread_create(pthread_t _Nullable *_Nonnull thread, const pthread_attr_t *_Nullable attributes,
                   void *_Nullable (*_Nonnull start)(void *_Nonnull), void *_Nullable argument);
int pthread_join(pthread_t thread, void *_Nullable *_Nullable result);
int pthread_detach(pthread_t thread);

// <sys/mman.h>
void *_Null_unspecified mmap(void *_Null_unspecified address, size_t length, int protection, int flags, int descriptor,
                             off_t offset);
int munmap(void *_Null_unspecified address, size_t length);
#define PROT_READ 0x01
#define PROT_WRITE 0x02
#define MAP_PRIVATE 0x0002
#define MAP_ANON 0x1000

// <sys/stat.h>, <fcntl.h>, <unistd.h>
struct timespec { time_t tv_sec; long tv_nsec; };
struct stat {
  dev_t st_dev; mode_t st_mode; nlink_t st_nlink; ino_t st_ino;
  struct timespec st_atimespec; struct timespec st_mtimespec; struct timespec st_ctimespec; off_t st_size;
};
int stat(const char *path, struct stat *status);
int fstat(int descriptor, struct stat *status);
ssize_t read(int descriptor, void *_Nullable buffer, size_t count);
ssize_t write(int descriptor, const void *_Nullable buffer, size_t count);
int close(int descriptor);

#define O_RDONLY 0x0000
#define O_NONBLOCK 0x00000004
#define O_CLOEXEC 0x01000000

// <sys/errno.h>
#define ENOENT 2
#define EINTR 4
#define ENOTDIR 20
#define ENAMETOOLONG 63

// <stdlib.h>, <string.h>
void *_Nullable malloc(size_t size);
void *_Nullable calloc(size_t count, size_t size);
void *_Nullable realloc(void *_Nullable pointer, size_t size);
void free(void *_Nullable pointer);
void *_Null_unspecified memcpy(void *_Null_unspecified to, const void *_Null_unspecified from, size_t count);
int memcmp(const void *_Null_unspecified one, const void *_Null_unspecified other, size_t count);

// <math.h>
double sin(double value);

#pragma clang assume_nonnull end
