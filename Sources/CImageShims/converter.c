#define _GNU_SOURCE
#include "CImageShims.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

extern char **environ;

// More than a sentence or two of what went wrong is not kept.
static const uint64_t longest_file = 64 << 10;

static int write_all(int file, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(file, bytes, length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    bytes += count;
    length -= (size_t)count;
  }
  return lseek(file, 0, SEEK_SET) < 0 ? errno : 0;
}

// A file in memory that other programs started meanwhile do not inherit.
static int memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

static void limit(pid_t process, int resource, uint64_t value) {
  struct rlimit limits = {value, value};
  prlimit(process, resource, &limits, NULL);
}

static int spawn(const char *const *arguments, int input, int output, int errors, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int failure = posix_spawn_file_actions_init(&actions);
  if (failure != 0) return failure;
  failure = posix_spawnattr_init(&attributes);
  if (failure == 0) {
    // What the caller ignores or blocks is nothing to the program.
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, input, 0);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, output, 1);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, errors, 2);
#if __GLIBC_PREREQ(2, 34)
    if (failure == 0) failure = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
#endif
    if (failure == 0)
      failure = posix_spawnp(process, arguments[0], &actions, &attributes, (char *const *)arguments, environ);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

int vg_converter_start(const char *const *arguments, const void *input, size_t length, vg_converter_limits limits,
                       vg_converter *converter) {
  int ends[2] = {-1, -1}, source = memory_file("picture"), errors = memory_file("errors");
  int failure = source < 0 || errors < 0 || pipe2(ends, O_CLOEXEC) != 0 ? errno : 0;
  pid_t process = 0;
  if (failure == 0) failure = write_all(source, input, length);
  if (failure == 0) failure = spawn(arguments, source, ends[1], errors, &process);
  if (source >= 0) close(source);
  if (ends[1] >= 0) close(ends[1]);
  if (failure != 0) {
    if (errors >= 0) close(errors);
    if (ends[0] >= 0) close(ends[0]);
    return failure;
  }
  // It has hardly begun.
  limit(process, RLIMIT_AS, limits.memory);
  limit(process, RLIMIT_CPU, limits.seconds);
  limit(process, RLIMIT_FSIZE, longest_file);
  limit(process, RLIMIT_CORE, 0);
  *converter = (vg_converter){process, ends[0], errors};
  return 0;
}
