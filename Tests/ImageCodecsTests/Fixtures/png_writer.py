"""A PNG encoder for every colour type and depth, all filters, and interlacing."""
import struct
import zlib

import numpy as np


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def pack_rows(samples, depth):
    """Rows of samples (height, width, channels) to bytes."""
    height = samples.shape[0]
    if depth == 16:
        return [row.astype(">u2").tobytes() for row in samples]
    if depth == 8:
        return [row.astype(np.uint8).tobytes() for row in samples]
    bits = ((samples.reshape(height, -1, 1) >> np.arange(depth - 1, -1, -1)) & 1).reshape(height, -1)
    return [np.packbits(row.astype(np.uint8)).tobytes() for row in bits]


def paeth(a, b, c):
    p = a + b - c
    distances = abs(p - a), abs(p - b), abs(p - c)
    return (a, b, c)[distances.index(min(distances))]


def filtered(rows, pixel_bytes):
    """Applies the five filter types in turn."""
    result = b""
    previous = bytes(len(rows[0])) if rows else b""
    for index, row in enumerate(rows):
        kind = index % 5
        line = bytearray()
        for at, value in enumerate(row):
            a = row[at - pixel_bytes] if at >= pixel_bytes else 0
            b = previous[at]
            c = previous[at - pixel_bytes] if at >= pixel_bytes else 0
            line.append((value - (0, a, b, (a + b) // 2, paeth(a, b, c))[kind]) & 255)
        result += bytes([kind]) + bytes(line)
        previous = row
    return result


ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def png(samples, color_type, depth, interlaced=False, before=b"", pieces=3):
    """`before` is put between header and image data; the data is split in `pieces` chunks."""
    height, width, channels = samples.shape
    pixel_bytes = max(1, channels * depth // 8)
    if interlaced:
        data = b""
        for x, y, dx, dy in ADAM7:
            part = samples[y::dy, x::dx]
            if part.size:
                data += filtered(pack_rows(part, depth), pixel_bytes)
    else:
        data = filtered(pack_rows(samples, depth), pixel_bytes)
    data = zlib.compress(data, 9)
    size = -(-len(data) // pieces)
    header = struct.pack(">IIBBBBB", width, height, depth, color_type, 0, 0, interlaced)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + before
            + b"".join(chunk(b"IDAT", data[i:i + size]) for i in range(0, len(data), size)) + chunk(b"IEND", b""))
