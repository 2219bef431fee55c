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
typedef unsigned int uid_t;

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
  dev_t st_dev; mode_t st_mode; nlink_t st_nlink; ino_t st_ino; uid_t st_uid;
  struct timespec st_atimespec; struct timespec st_mtimespec; struct timespec st_ctimespec; off_t st_size;
};
int stat(const char *path, struct stat *status);
int fstat(int descriptor, struct stat *status);
ssize_t read(int descriptor, void *_Nullable buffer, size_t count);
ssize_t write(int descriptor, const void *_Nullable buffer, size_t count);
int close(int descriptor);

int lstat(const char *path, struct stat *status);
ssize_t pread(int descriptor, void *_Nullable buffer, size_t count, off_t offset);
ssize_t pwrite(int descriptor, const void *_Nullable buffer, size_t count, off_t offset);
off_t lseek(int descriptor, off_t offset, int whence);
int ftruncate(int descriptor, off_t length);
int fsync(int descriptor);
int mkdir(const char *path, mode_t mode);
int rmdir(const char *path);
int unlink(const char *path);
int unlinkat(int directory, const char *path, int flags);
int rename(const char *from, const char *to);
int link(const char *path, const char *other);
int access(const char *path, int mode);
int chmod(const char *path, mode_t mode);
int fchmodat(int descriptor, const char *path, mode_t mode, int flag);
int flock(int descriptor, int operation);
int getpid(void);
int isatty(int descriptor);
void _exit(int status) __attribute__((noreturn));
void exit(int status) __attribute__((noreturn));
void (*_Nullable signal(int signal, void (*_Nullable handler)(int)))(int);
int kill(int process, int signal);

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define SIGINT 2
#define SIGKILL 9
#define SIGPIPE 13
#define SIGTERM 15
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_APPEND 0x00000008
#define O_NOFOLLOW 0x00000100
#define O_CREAT 0x00000200
#define O_TRUNC 0x00000400
#define O_EXCL 0x00000800
#define O_DIRECTORY 0x00100000
#define F_GETFD 1
#define F_SETFD 2
#define F_FULLFSYNC 51
#define FD_CLOEXEC 1
#define LOCK_SH 0x01
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define AT_FDCWD -2
#define AT_SYMLINK_NOFOLLOW 0x0020
#define F_OK 0
#define R_OK 4
#define W_OK 2

// <sys/mount.h>, <dirent.h>, <time.h>, <sys/resource.h>
typedef struct _fsid { int val[2]; } fsid_t;
struct statfs {
  unsigned int f_bsize; int f_iosize; unsigned long long f_blocks; unsigned long long f_bfree;
  unsigned long long f_bavail; unsigned long long f_files; unsigned long long f_ffree; fsid_t f_fsid;
  unsigned int f_type; unsigned int f_flags; char f_fstypename[16];
};
int statfs(const char *path, struct statfs *status);
int fstatfs(int descriptor, struct statfs *status);
#define MNT_LOCAL 0x00001000
typedef struct DIR DIR;
struct dirent { ino_t d_ino; unsigned short d_namlen; unsigned char d_type; char d_name[1024]; };
DIR *_Nullable fdopendir(int descriptor);
struct dirent *_Nullable readdir(DIR *directory);
int closedir(DIR *directory);
typedef unsigned int clockid_t;
#define CLOCK_REALTIME ((clockid_t)0)
#define CLOCK_MONOTONIC ((clockid_t)6)
int clock_gettime(clockid_t clock, struct timespec *time);
time_t time(time_t *_Nullable time);
struct rlimit { unsigned long long rlim_cur; unsigned long long rlim_max; };
int getrlimit(int resource, struct rlimit *limit);
#define RLIMIT_NOFILE 8
#define O_NONBLOCK 0x00000004
#define O_CLOEXEC 0x01000000

// <sys/errno.h>
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EBADF 9
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define EXDEV 18
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define ENOSPC 28
#define EROFS 30
#define EMLINK 31
#define EPIPE 32
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define ENOTSUP 45
#define ELOOP 62
#define ENAMETOOLONG 63
#define ENOTEMPTY 66
#define EDQUOT 69
#define ESTALE 70

// <stdlib.h>, <string.h>
void *_Nullable malloc(size_t size);
void *_Nullable calloc(size_t count, size_t size);
void *_Nullable realloc(void *_Nullable pointer, size_t size);
void free(void *_Nullable pointer);
void *_Null_unspecified memcpy(void *_Null_unspecified to, const void *_Null_unspecified from, size_t count);
int memcmp(const void *_Null_unspecified one, const void *_Null_unspecified other, size_t count);

void *_Null_unspecified memmove(void *_Null_unspecified to, const void *_Null_unspecified from, size_t count);
void *_Null_unspecified memset(void *_Null_unspecified to, int value, size_t count);
size_t strlen(const char *text);
char *_Nullable getenv(const char *name);
void arc4random_buf(void *buffer, size_t count);
char *_Null_unspecified strerror(int number);
int strerror_r(int number, char *buffer, size_t count);

// <math.h>, <sched.h>
double sin(double value);
double cos(double value);
double pow(double base, double exponent);
double asin(double value);
double exp(double value);
double log10(double value);
int sched_yield(void);

// <sys/socket.h>, <netinet/in.h>, <netinet/tcp.h>, <poll.h>
typedef unsigned char sa_family_t;
typedef unsigned short in_port_t;
typedef unsigned int in_addr_t;
typedef unsigned int socklen_t;
typedef unsigned int nfds_t;
struct sockaddr { unsigned char sa_len; sa_family_t sa_family; char sa_data[14]; };
struct in_addr { in_addr_t s_addr; };
struct sockaddr_in {
  unsigned char sin_len; sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr; char sin_zero[8];
};
struct linger { int l_onoff; int l_linger; };
struct pollfd { int fd; short events; short revents; };
int socket(int family, int type, int protocol);
int bind(int descriptor, const struct sockaddr *_Null_unspecified address, socklen_t length);
int listen(int descriptor, int backlog);
int accept(int descriptor, struct sockaddr *_Null_unspecified address, socklen_t *_Null_unspecified length);
int getsockname(int descriptor, struct sockaddr *_Null_unspecified address, socklen_t *_Null_unspecified length);
int setsockopt(int descriptor, int level, int name, const void *_Null_unspecified value, socklen_t length);
int shutdown(int descriptor, int how);
ssize_t recv(int descriptor, void *_Null_unspecified buffer, size_t count, int flags);
ssize_t send(int descriptor, const void *_Null_unspecified buffer, size_t count, int flags);
int pipe(int *_Null_unspecified ends);
int poll(struct pollfd *_Null_unspecified watched, nfds_t count, int milliseconds);
#define AF_INET 2
#define SOCK_STREAM 1
#define SOL_SOCKET 0xffff
#define SO_REUSEADDR 0x0004
#define SO_LINGER 0x0080
#define SO_SNDBUF 0x1001
#define SO_NOSIGPIPE 0x1022
#define IPPROTO_TCP 6
#define TCP_NODELAY 0x01
#define SHUT_RDWR 2
#define MSG_PEEK 0x2
#define POLLIN 0x0001
#define POLLOUT 0x0004
#define ECONNABORTED 53

#pragma clang assume_nonnull end
