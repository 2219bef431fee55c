// developer.apple.com/documentation/coregraphics: pictures, and contexts to draw them into.
#pragma once
#include "CCoreFoundation.h"

#pragma clang assume_nonnull begin
#pragma clang arc_cf_code_audited begin

typedef struct CF_BRIDGED(id) CGColorSpace *CGColorSpaceRef;
typedef struct CF_BRIDGED(id) CGColor *CGColorRef;
typedef struct CF_BRIDGED(id) CGContext *CGContextRef;
typedef struct CF_BRIDGED(id) CGDataProvider *CGDataProviderRef;
typedef struct CF_BRIDGED(id) CGImage *CGImageRef;

CF_ENUM(unsigned int, CGImageAlphaInfo) {
  kCGImageAlphaNone, kCGImageAlphaPremultipliedLast, kCGImageAlphaPremultipliedFirst, kCGImageAlphaLast,
  kCGImageAlphaFirst, kCGImageAlphaNoneSkipLast, kCGImageAlphaNoneSkipFirst, kCGImageAlphaOnly CF_NAME(alphaOnly)
};
CF_OPTIONS(unsigned int, CGBitmapInfo) { kCGBitmapAlphaInfoMask = 0x1F };
CF_ENUM(int, CGColorRenderingIntent) { kCGRenderingIntentDefault CF_NAME(defaultIntent) };
CF_ENUM(int, CGColorSpaceModel) {
  kCGColorSpaceModelUnknown = -1, kCGColorSpaceModelMonochrome, kCGColorSpaceModelRGB CF_NAME(rgb),
  kCGColorSpaceModelCMYK CF_NAME(cmyk), kCGColorSpaceModelLab, kCGColorSpaceModelDeviceN, kCGColorSpaceModelIndexed,
  kCGColorSpaceModelPattern
};
CF_ENUM(int, CGInterpolationQuality) {
  kCGInterpolationDefault = 0, kCGInterpolationNone = 1, kCGInterpolationLow = 2, kCGInterpolationMedium = 4,
  kCGInterpolationHigh = 3
};

SINCE(9.0, 10.5) extern const CFStringRef kCGColorSpaceSRGB CF_NAME(CGColorSpace.sRGB);
SINCE(9.3, 10.11.2) extern const CFStringRef kCGColorSpaceDisplayP3 CF_NAME(CGColorSpace.displayP3);
SINCE(2.0, 10.0) CGColorSpaceRef CGColorSpaceCreateDeviceGray(void);
SINCE(2.0, 10.2)
CGColorSpaceRef _Nullable CGColorSpaceCreateWithName(CFStringRef name) CF_NAME(CGColorSpace.init(name:));
SINCE(10.0, 10.12)
CGColorSpaceRef _Nullable CGColorSpaceCreateWithICCData(CFTypeRef data) CF_NAME(CGColorSpace.init(iccData:));
SINCE(10.0, 10.12)
CFDataRef _Nullable CGColorSpaceCopyICCData(CGColorSpaceRef space) CF_NAME(CGColorSpace.copyICCData(self:));
SINCE(10.0, 10.12)
CFStringRef _Nullable CGColorSpaceGetName(CGColorSpaceRef space) CF_NAME(getter:CGColorSpace.name(self:));
SINCE(2.0, 10.5)
CGColorSpaceModel CGColorSpaceGetModel(CGColorSpaceRef space) CF_NAME(getter:CGColorSpace.model(self:));
SINCE(2.0, 10.5) CGColorSpaceRef _Nullable CGColorSpaceGetBaseColorSpace(CGColorSpaceRef space)
    CF_NAME(getter:CGColorSpace.baseColorSpace(self:));
SINCE(10.0, 10.12)
bool CGColorSpaceIsWideGamutRGB(CGColorSpaceRef space) CF_NAME(getter:CGColorSpace.isWideGamutRGB(self:));
SINCE(10.0, 10.12)
bool CGColorSpaceSupportsOutput(CGColorSpaceRef space) CF_NAME(getter:CGColorSpace.supportsOutput(self:));
SINCE(10.0, 10.12) bool CGColorSpaceUsesExtendedRange(CGColorSpaceRef space);
SINCE(14.0, 11.0) bool CGColorSpaceUsesITUR_2100TF(CGColorSpaceRef);
SINCE(2.0, 10.3) CGColorRef _Nullable CGColorCreate(CGColorSpaceRef space, const CGFloat *components)
    CF_NAME(CGColor.init(colorSpace:components:));
SINCE(9.0, 10.11) CGColorRef _Nullable CGColorCreateCopyByMatchingToColorSpace(
    CGColorSpaceRef, CGColorRenderingIntent intent, CGColorRef color, CFDictionaryRef _Nullable options)
    CF_NAME(CGColor.converted(to:intent:self:options:));

typedef void (*CGDataProviderReleaseDataCallback)(void *_Nullable info, const void *data, size_t size);
SINCE(2.0, 10.0) CGDataProviderRef _Nullable CGDataProviderCreateWithData(
    void *_Nullable info, const void *data, size_t size, CGDataProviderReleaseDataCallback releaseData)
    CF_NAME(CGDataProvider.init(dataInfo:data:size:releaseData:));
SINCE(2.0, 10.4) CGDataProviderRef _Nullable CGDataProviderCreateWithCFData(CFDataRef data)
    CF_NAME(CGDataProvider.init(data:));

SINCE(2.0, 10.0) CGImageRef _Nullable CGImageCreate(
    size_t width, size_t height, size_t bitsPerComponent, size_t bitsPerPixel, size_t bytesPerRow,
    CGColorSpaceRef space, CGBitmapInfo bitmapInfo, CGDataProviderRef provider, const CGFloat *_Nullable decode,
    bool shouldInterpolate, CGColorRenderingIntent intent)
    CF_NAME(CGImage.init(width:height:bitsPerComponent:bitsPerPixel:bytesPerRow:space:bitmapInfo:provider:decode:shouldInterpolate:intent:));
SINCE(2.0, 10.0) size_t CGImageGetWidth(CGImageRef image) CF_NAME(getter:CGImage.width(self:));
SINCE(2.0, 10.0) size_t CGImageGetHeight(CGImageRef image) CF_NAME(getter:CGImage.height(self:));
SINCE(2.0, 10.0) CGColorSpaceRef _Nullable CGImageGetColorSpace(CGImageRef image)
    CF_NAME(getter:CGImage.colorSpace(self:));

// As in the SDKs before 27.3. Later ones take a CGBitmapInfo here, and keep this form as deprecated from 27.3 on.
SINCE(2.0, 10.0) CGContextRef _Nullable CGBitmapContextCreate(
    void *_Nullable data, size_t width, size_t height, size_t bitsPerComponent, size_t bytesPerRow,
    CGColorSpaceRef space, unsigned int bitmapInfo)
    CF_NAME(CGContext.init(data:width:height:bitsPerComponent:bytesPerRow:space:bitmapInfo:));
SINCE(2.0, 10.2) CGInterpolationQuality CGContextGetInterpolationQuality(CGContextRef context)
    CF_NAME(getter:CGContext.interpolationQuality(self:));
SINCE(2.0, 10.2) void CGContextSetInterpolationQuality(CGContextRef context, CGInterpolationQuality quality)
    CF_NAME(setter:CGContext.interpolationQuality(self:_:));

#pragma clang arc_cf_code_audited end
#pragma clang assume_nonnull end
