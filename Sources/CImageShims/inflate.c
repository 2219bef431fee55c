#include "CImageShims.h"

#include <limits.h>
#include <zlib.h>

vg_inflation vg_inflate(const uint8_t *bytes, size_t count, uint8_t *target, size_t *target_count) {
  if (count > UINT_MAX || *target_count > UINT_MAX) return VG_INFLATION_FAILED;
  z_stream stream = {.next_in = (Bytef *)bytes, .avail_in = (uInt)count};
  if (inflateInit(&stream) != Z_OK) return VG_INFLATION_FAILED;
  stream.next_out = target;
  stream.avail_out = (uInt)*target_count;
  const int result = inflate(&stream, Z_FINISH);
  *target_count = stream.total_out;
  const bool is_full = stream.avail_out == 0;
  inflateEnd(&stream);
  if (result == Z_STREAM_END) return VG_INFLATED;
  return result == Z_BUF_ERROR && is_full ? VG_INFLATION_FULL : VG_INFLATION_FAILED;
}
