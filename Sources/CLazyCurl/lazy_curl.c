// libcurl's functions for a program that rarely needs the network: the library and the thirty beneath it are loaded when
// the first of them is called, and not before `main`, where that costs as much as a small decode.
//
// Each function here has libcurl's name and type and passes its arguments on. All are hidden, so that they stand in for
// libcurl within the program they are linked into and nowhere else, libcurl itself least of all. They are every function
// that HTTPCaching and FoundationNetworking call; one that is missing here is bound to the library by the linker, which
// is as correct and costs the loading again. Where there is no library each answers as libcurl does to a failed start.

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

static void *library;

static void load(void) { library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL); }

static void *find(const char *name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return library ? dlsym(library, name) : NULL;
}

/// Where the library keeps a function, asked for once; threads that race here find the same.
#define FIND(name)                                                      \
  static void *found;                                                   \
  void *place = __atomic_load_n(&found, __ATOMIC_ACQUIRE);              \
  if (!place) {                                                         \
    place = find(#name);                                                \
    __atomic_store_n(&found, place, __ATOMIC_RELEASE);                  \
  }

#define HIDDEN __attribute__((visibility("hidden")))

/// A function that answers `missing` where there is no library.
#define FUNCTION(result, name, parameters, arguments, missing)          \
  HIDDEN result name parameters {                                       \
    FIND(name)                                                          \
    return place ? ((result(*) parameters)place)arguments : (missing);  \
  }

#define PROCEDURE(name, parameters, arguments)                          \
  HIDDEN void name parameters {                                         \
    FIND(name)                                                          \
    if (place) ((void(*) parameters)place)arguments;                    \
  }

// The variadic ones take exactly one more argument: a long, a pointer or a curl_off_t, which the platforms that Swift
// has on Linux pass in the same register.
_Static_assert(sizeof(long) == sizeof(void *) && sizeof(curl_off_t) == sizeof(void *), "one register for any argument");

#define VARIADIC(result, name, handle_type, option_type, missing)       \
  HIDDEN result name(handle_type *handle, option_type option, ...) {    \
    va_list list;                                                       \
    va_start(list, option);                                             \
    void *argument = va_arg(list, void *);                              \
    va_end(list);                                                       \
    FIND(name)                                                          \
    if (!place) return missing;                                         \
    return ((result(*)(handle_type *, option_type, ...))place)(handle, option, argument); \
  }

FUNCTION(CURLcode, curl_global_init, (long flags), (flags), CURLE_FAILED_INIT)
FUNCTION(char *, curl_version, (void), (), "libcurl (not found)")
FUNCTION(curl_version_info_data *, curl_version_info, (CURLversion age), (age), NULL)
PROCEDURE(curl_free, (void *pointer), (pointer))

FUNCTION(CURL *, curl_easy_init, (void), (), NULL)
PROCEDURE(curl_easy_cleanup, (CURL * handle), (handle))
PROCEDURE(curl_easy_reset, (CURL * handle), (handle))
FUNCTION(CURLcode, curl_easy_pause, (CURL * handle, int mask), (handle, mask), CURLE_FAILED_INIT)
FUNCTION(const char *, curl_easy_strerror, (CURLcode code), (code), "libcurl is not installed")
VARIADIC(CURLcode, curl_easy_setopt, CURL, CURLoption, CURLE_FAILED_INIT)
VARIADIC(CURLcode, curl_easy_getinfo, CURL, CURLINFO, CURLE_FAILED_INIT)

FUNCTION(CURLM *, curl_multi_init, (void), (), NULL)
FUNCTION(CURLMcode, curl_multi_cleanup, (CURLM * multi), (multi), CURLM_BAD_HANDLE)
FUNCTION(CURLMcode, curl_multi_add_handle, (CURLM * multi, CURL *handle), (multi, handle), CURLM_BAD_HANDLE)
FUNCTION(CURLMcode, curl_multi_remove_handle, (CURLM * multi, CURL *handle), (multi, handle), CURLM_BAD_HANDLE)
FUNCTION(CURLMcode, curl_multi_perform, (CURLM * multi, int *running), (multi, running), CURLM_BAD_HANDLE)
FUNCTION(CURLMcode, curl_multi_wakeup, (CURLM * multi), (multi), CURLM_BAD_HANDLE)
FUNCTION(CURLMsg *, curl_multi_info_read, (CURLM * multi, int *left), (multi, left), NULL)
FUNCTION(
  CURLMcode, curl_multi_poll,
  (CURLM * multi, struct curl_waitfd *extra, unsigned int count, int milliseconds, int *ready),
  (multi, extra, count, milliseconds, ready), CURLM_BAD_HANDLE)
FUNCTION(
  CURLMcode, curl_multi_socket_action, (CURLM * multi, curl_socket_t socket, int events, int *running),
  (multi, socket, events, running), CURLM_BAD_HANDLE)
FUNCTION(
  CURLMcode, curl_multi_assign, (CURLM * multi, curl_socket_t socket, void *context), (multi, socket, context),
  CURLM_BAD_HANDLE)
VARIADIC(CURLMcode, curl_multi_setopt, CURLM, CURLMoption, CURLM_BAD_HANDLE)

FUNCTION(
  struct curl_slist *, curl_slist_append, (struct curl_slist * list, const char *line), (list, line), NULL)
PROCEDURE(curl_slist_free_all, (struct curl_slist * list), (list))

FUNCTION(CURLU *, curl_url, (void), (), NULL)
// Its type is taken from the header, where later versions have the handle const; only the name is this file's own.
HIDDEN CURLUcode lazy_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) __asm__("curl_url_get");
CURLUcode lazy_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
  FIND(curl_url_get)
  return place ? ((__typeof__(curl_url_get) *)place)(url, part, text, flags) : CURLUE_OUT_OF_MEMORY;
}
FUNCTION(
  CURLUcode, curl_url_set, (CURLU * url, CURLUPart part, const char *text, unsigned int flags),
  (url, part, text, flags), CURLUE_OUT_OF_MEMORY)
