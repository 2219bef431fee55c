// What both readers of JPEG say of a file whose header has been read.
#pragma once
#include <stdio.h>

#include <jpeglib.h>

#include "CImageShims.h"

void vg_jpeg_describe(struct jpeg_decompress_struct *info, vg_jpeg_header *header);
