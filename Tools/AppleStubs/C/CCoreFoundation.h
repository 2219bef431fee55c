// developer.apple.com/documentation/corefoundation: the types that ImageIO and Core Graphics are called with.
//
// Foundation's NSString, NSData and NSDictionary are aliases of these in the stubs, where there is no Objective-C;
// toll-free bridging makes no other difference to the code that is checked.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#define CF_BRIDGED(type) __attribute__((objc_bridge(type)))
#define CF_NAME(name) __attribute__((swift_name(#name)))
#define CF_ENUM_CLOSED(type, name) \
  enum __attribute__((enum_extensibility(closed))) name : type; typedef enum name name; \
  enum __attribute__((enum_extensibility(closed))) name : type
#define CF_ENUM(type, name) \
  enum __attribute__((enum_extensibility(open))) name : type; typedef enum name name; \
  enum __attribute__((enum_extensibility(open))) name : type
#define CF_OPTIONS(type, name) \
  enum __attribute__((flag_enum, enum_extensibility(open))) name : type; typedef enum name name; \
  enum __attribute__((flag_enum, enum_extensibility(open))) name : type
#define SINCE(ios_, mac_) \
  __attribute__((availability(ios, introduced = ios_))) __attribute__((availability(macos, introduced = mac_)))

#pragma clang assume_nonnull begin
#pragma clang arc_cf_code_audited begin

typedef double CGFloat;
typedef long CFIndex;
typedef const void CF_BRIDGED(id) *CFTypeRef;
typedef const struct CF_BRIDGED(id) __CFAllocator *CFAllocatorRef;
typedef const struct CF_BRIDGED(NSString) __CFString *CFStringRef;
typedef const struct CF_BRIDGED(NSData) __CFData *CFDataRef;
typedef struct CF_BRIDGED(NSMutableData) __CFData *CFMutableDataRef;
typedef const struct CF_BRIDGED(NSDictionary) __CFDictionary *CFDictionaryRef;

CFMutableDataRef _Null_unspecified CFDataCreateMutable(CFAllocatorRef _Null_unspecified allocator, CFIndex capacity);

bool CFEqual(CFTypeRef _Null_unspecified cf1, CFTypeRef _Null_unspecified cf2);

struct CGPoint { CGFloat x; CGFloat y; };
typedef struct CGPoint CGPoint;
struct CGSize { CGFloat width; CGFloat height; };
typedef struct CGSize CGSize;
struct CGRect { CGPoint origin; CGSize size; };
typedef struct CGRect CGRect;

#pragma clang arc_cf_code_audited end
#pragma clang assume_nonnull end
