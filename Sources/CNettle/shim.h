#pragma once
#include <nettle/hmac.h>
#include <nettle/version.h>

// nettle renames its functions by macros, which Swift does not see through, and its versions differ in how many
// arguments `digest` takes: one inline function for each that is used.

/// HMAC (RFC 2104) with SHA-256; `digest` has room for 32 bytes.
static inline void cnettle_hmac_sha256(const uint8_t *key, size_t key_length, const uint8_t *message,
                                       size_t message_length, uint8_t *digest) {
  struct hmac_sha256_ctx context;
  hmac_sha256_set_key(&context, key_length, key);
  hmac_sha256_update(&context, message_length, message);
#if NETTLE_VERSION_MAJOR >= 4
  hmac_sha256_digest(&context, digest);
#else
  hmac_sha256_digest(&context, SHA256_DIGEST_SIZE, digest);
#endif
}

/// HMAC (RFC 2104) with SHA-1; `digest` has room for 20 bytes.
static inline void cnettle_hmac_sha1(const uint8_t *key, size_t key_length, const uint8_t *message,
                                     size_t message_length, uint8_t *digest) {
  struct hmac_sha1_ctx context;
  hmac_sha1_set_key(&context, key_length, key);
  hmac_sha1_update(&context, message_length, message);
#if NETTLE_VERSION_MAJOR >= 4
  hmac_sha1_digest(&context, digest);
#else
  hmac_sha1_digest(&context, SHA1_DIGEST_SIZE, digest);
#endif
}
