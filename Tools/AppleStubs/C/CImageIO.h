// developer.apple.com/documentation/imageio: reading and writing picture files.
#pragma once
#include "CCoreGraphics.h"

#pragma clang assume_nonnull begin
#pragma clang arc_cf_code_audited begin

typedef struct CF_BRIDGED(id) CGImageSource *CGImageSourceRef;
typedef struct CF_BRIDGED(id) CGImageDestination *CGImageDestinationRef;

CF_ENUM(int, CGImageSourceStatus) {
  kCGImageStatusUnexpectedEOF = -5, kCGImageStatusInvalidData = -4, kCGImageStatusUnknownType = -3,
  kCGImageStatusReadingHeader = -2, kCGImageStatusIncomplete = -1, kCGImageStatusComplete = 0
};

SINCE(4.0, 10.4) CGImageSourceRef CGImageSourceCreateIncremental(CFDictionaryRef _Nullable options);
SINCE(4.0, 10.4) void CGImageSourceUpdateData(CGImageSourceRef isrc, CFDataRef data, bool final);
SINCE(4.0, 10.4) CGImageRef _Nullable CGImageSourceCreateImageAtIndex(
    CGImageSourceRef isrc, size_t index, CFDictionaryRef _Nullable options);
SINCE(4.0, 10.4)
CGImageSourceRef _Nullable CGImageSourceCreateWithData(CFDataRef data, CFDictionaryRef _Nullable options);
SINCE(4.0, 10.4) CGImageSourceStatus CGImageSourceGetStatusAtIndex(CGImageSourceRef isrc, size_t index);
SINCE(4.0, 10.4) CGImageRef _Nullable CGImageSourceCreateThumbnailAtIndex(
    CGImageSourceRef isrc, size_t index, CFDictionaryRef _Nullable options);

SINCE(4.0, 10.4) size_t CGImageSourceGetCount(CGImageSourceRef isrc);
SINCE(12.0, 10.14) size_t CGImageSourceGetPrimaryImageIndex(CGImageSourceRef isrc);
SINCE(4.0, 10.4) CFDictionaryRef _Nullable CGImageSourceCopyPropertiesAtIndex(
    CGImageSourceRef isrc, size_t index, CFDictionaryRef _Nullable options);
SINCE(16.0, 13.0) extern const CFStringRef kCGImagePropertyAVISDictionary;
SINCE(13.0, 10.15) extern const CFStringRef kCGImagePropertyHEICSUnclampedDelayTime;
SINCE(4.0, 10.4) extern const CFStringRef kCGImageSourceCreateThumbnailFromImageAlways;
SINCE(4.0, 10.4) extern const CFStringRef kCGImageSourceCreateThumbnailWithTransform;
SINCE(4.0, 10.4) extern const CFStringRef kCGImageSourceThumbnailMaxPixelSize;
SINCE(7.0, 10.9) extern const CFStringRef kCGImageSourceShouldCacheImmediately;

SINCE(4.0, 10.4) CGImageDestinationRef _Nullable CGImageDestinationCreateWithData(
    CFMutableDataRef data, CFStringRef type, size_t count, CFDictionaryRef _Nullable options);
SINCE(4.0, 10.4) void CGImageDestinationAddImage(
    CGImageDestinationRef idst, CGImageRef image, CFDictionaryRef _Nullable properties);
SINCE(4.0, 10.4) bool CGImageDestinationFinalize(CGImageDestinationRef idst);
SINCE(4.0, 10.4) extern const CFStringRef kCGImageDestinationLossyCompressionQuality;
SINCE(4.0, 10.4) extern const CFStringRef kCGImageDestinationBackgroundColor;

#pragma clang arc_cf_code_audited end
#pragma clang assume_nonnull end
