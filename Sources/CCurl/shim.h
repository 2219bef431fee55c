#pragma once
#include <curl/curl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <zlib.h>

// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic, which Swift cannot call: one typed inline
// function for each kind of argument. The caller pairs option and type as curl's manual says.

typedef size_t (*ccurl_bytes_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, const void *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_callback(CURL *handle, CURLoption option, ccurl_bytes_callback value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_prerequest(CURL *handle, curl_prereq_callback value) {
  return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, value);
}
static inline CURLcode ccurl_set_open_socket(CURL *handle, curl_opensocket_callback value) {
  return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}
static inline CURLMcode ccurl_multi_set_socket_function(
    CURLM *multi, curl_socket_callback function, void *context) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}
static inline CURLMcode ccurl_multi_set_timer_function(
    CURLM *multi, curl_multi_timer_callback function, void *context) {
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}
static inline CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode ccurl_get_size(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// Macros with casts, which Swift does not import.
static const size_t ccurl_pause = CURL_WRITEFUNC_PAUSE;
static const long ccurl_http_2_over_tls = CURL_HTTP_VERSION_2TLS;
static const long ccurl_multiplex = CURLPIPE_MULTIPLEX;
static const curl_socket_t ccurl_socket_timeout = CURL_SOCKET_TIMEOUT;

/// inflateInit2 with detection of a gzip or zlib header (window bits 15 + 32), or raw deflate (-15).
static inline int ccurl_inflate_init(z_stream *stream, int raw) { return inflateInit2(stream, raw ? -15 : 15 + 32); }
