// <CommonCrypto/CommonDigest.h>, <CommonCrypto/CommonHMAC.h>, by the manual pages CC_SHA(3cc) and CCHmac(3cc).
#pragma once
#include <stddef.h>

#pragma clang assume_nonnull begin

typedef unsigned int CC_LONG;
typedef unsigned int CCHmacAlgorithm;
enum { kCCHmacAlgSHA1, kCCHmacAlgMD5, kCCHmacAlgSHA256 };
#define CC_SHA256_DIGEST_LENGTH 32
unsigned char *_Null_unspecified CC_SHA256(
    const void *_Null_unspecified data, CC_LONG length, unsigned char *_Null_unspecified digest);
void CCHmac(
    CCHmacAlgorithm algorithm, const void *_Null_unspecified key, size_t keyLength, const void *_Null_unspecified data,
    size_t dataLength, void *_Null_unspecified mac);

#pragma clang assume_nonnull end
