// What both readers of PNG ask of libpng.
#pragma once
#include <png.h>

void vg_png_set_limits(png_structp png);
void vg_png_set_transforms(png_structp png);
