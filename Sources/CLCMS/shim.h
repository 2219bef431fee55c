#pragma once
#include <lcms2.h>

// Pixel layouts are made by macros, which Swift does not import. All have 8 bits a channel and 4 bytes a pixel.
static const cmsUInt32Number vg_lcms_rgba = TYPE_RGBA_8;
static const cmsUInt32Number vg_lcms_cmyk_reversed = TYPE_CMYK_8_REV;
static const cmsUInt32Number vg_lcms_grey_and_three =
    COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | EXTRA_SH(3) | BYTES_SH(1);
// Three numbers of 0...1.
static const cmsUInt32Number vg_lcms_rgb_double = TYPE_RGB_DBL;
