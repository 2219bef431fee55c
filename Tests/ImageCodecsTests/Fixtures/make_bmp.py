"""BMP variants and their pixels, which come from the source values and no decoder."""
import struct

import numpy as np

from fixture_kit import ALPHA, EXACT, GREY, H, OPAQUE, RGB, W, entry, expect, write

NOISE = np.random.default_rng(41).integers(0, 1 << 32, (H, W), dtype=np.uint64)


# --- Writing

def rows_of(values, bits, top_down=False, last_padding=True):
    """Rows of numbers of so many bits, padded to four bytes each, from the bottom."""
    result = b""
    order = values if top_down else values[::-1]
    for index, row in enumerate(order):
        if bits == 24:
            line = np.ascontiguousarray(row[:, ::-1]).tobytes()
        elif bits >= 8:
            line = row.astype({8: "<u1", 16: "<u2", 32: "<u4"}[bits]).tobytes()
        else:
            each = (row.astype(int)[:, None] >> np.arange(bits - 1, -1, -1)) & 1
            line = np.packbits(each.astype(np.uint8).reshape(-1)).tobytes()
        is_last = index == len(order) - 1
        result += line + (b"" if is_last and not last_padding else bytes(-len(line) % 4))
    return result


def info_header(width, height, bits, compression=0, used=0, length=40, extra=b"", image=0):
    header = struct.pack("<IiiHHIIiiII", length, width, height, 1, bits, compression, image, 2835, 2835, used, 0)
    return (header + extra).ljust(length, b"\0") if length > 16 else header[:16]


def color_space(kind=0, gamma=0):
    """What version 4 has behind the masks."""
    return struct.pack("<I", kind) + bytes(36) + struct.pack("<III", gamma, gamma, gamma)


def quads(colors):
    return b"".join(bytes([b, g, r, 0]) for r, g, b in colors.tolist())


def triples(colors):
    return b"".join(bytes([b, g, r]) for r, g, b in colors.tolist())


def bmp(header, pixels, palette=b"", gap=b"", offset=None):
    start = 14 + len(header) + len(palette) + len(gap)
    return (b"BM" + struct.pack("<IHHI", start + len(pixels), 0, 0, start if offset is None else offset)
            + header + palette + gap + pixels)


def still(name, data, expected, alpha=False, optional=0):
    """`optional`: bytes at the end that may be missing, one by one."""
    write(name + ".bmp", data)
    expect(name + "-bmp", expected)
    entry(name + ".bmp", name + "-bmp", EXACT, alpha=alpha, whole_at=range(len(data) - optional, len(data)))


# --- Pixels

def colors(count, seed):
    return np.random.default_rng(seed).integers(0, 256, (count, 3)).astype(np.uint8)


def opaque(rgb):
    return np.dstack([rgb, np.full(rgb.shape[:2], 255, np.uint8)]).astype(np.uint8)


def padding(width, bits):
    return -((width * bits + 7) // 8) % 4


def channel(values, mask):
    """The channel at a mask, as a part of 255 to the nearest."""
    shift = (mask & -mask).bit_length() - 1
    most = mask >> shift
    return (((values.astype(object) & mask) >> shift) * 255 + most // 2) // most


def masked(values, red, green, blue, alpha=0):
    planes = [channel(values, mask) for mask in (red, green, blue)]
    planes.append(channel(values, alpha) if alpha else np.full(values.shape, 255))
    return np.dstack(planes).astype(np.uint8)


def make_indexed():
    for bits in (1, 2, 4, 8):
        some, levels = colors(1 << bits, bits), GREY >> (8 - bits)
        expected = opaque(some[levels])
        pixels, pad = rows_of(levels, bits), padding(W, bits)
        still(f"palette{bits}", bmp(info_header(W, H, bits), pixels, quads(some)), expected, optional=pad)
        still(f"core{bits}", bmp(struct.pack("<IHHHH", 12, W, H, 1, bits), pixels, triples(some)), expected, optional=pad)
    some, levels = colors(256, 8), GREY
    pixels, pad = rows_of(levels, 8), padding(W, 8)
    still("top-down8", bmp(info_header(W, -H, 8), rows_of(levels, 8, top_down=True), quads(some)), opaque(some[levels]),
          optional=pad)
    still("os2-16", bmp(info_header(W, H, 8, length=16), pixels, quads(some)), opaque(some[levels]), optional=pad)
    still("os2-64", bmp(info_header(W, H, 8, length=64), pixels, quads(some)), opaque(some[levels]), optional=pad)
    still("gap", bmp(info_header(W, H, 8), pixels, quads(some), gap=b"\x55" * 77), opaque(some[levels]), optional=pad)
    still("no-offset", bmp(info_header(W, H, 8), pixels, quads(some), offset=0), opaque(some[levels]), optional=pad)
    still("last-padding", bmp(info_header(W, H, 8), rows_of(levels, 8, last_padding=False), quads(some)),
          opaque(some[levels]))
    # Palettes that are shorter than they might be, or than they claim: the rest is black.
    few = np.concatenate([colors(50, 50), np.zeros((206, 3), np.uint8)])
    for name, used in [("few-colors", 50), ("palette-cut", 256), ("palette-cut-silently", 0), ("colors-claimed", 5000)]:
        still(name, bmp(info_header(W, H, 8, used=used), pixels, quads(few[:50])), opaque(few[levels]), optional=pad)
    one = np.array([[1]])
    still("one-pixel", bmp(info_header(1, 1, 1), rows_of(one, 1), quads(colors(2, 3))), opaque(colors(2, 3)[one]),
          optional=3)


def make_direct():
    pad = padding(W, 24)
    still("rgb24", bmp(info_header(W, H, 24), rows_of(RGB, 24)), OPAQUE, optional=pad)
    still("core24", bmp(struct.pack("<IHHHH", 12, W, H, 1, 24), rows_of(RGB, 24)), OPAQUE, optional=pad)
    still("rgb24-palette", bmp(info_header(W, H, 24, used=10), rows_of(RGB, 24), quads(colors(10, 1))), OPAQUE, optional=pad)
    still("top-down24", bmp(info_header(W, -H, 24), rows_of(RGB, 24, top_down=True)), OPAQUE, optional=pad)
    still("rgb32", bmp(info_header(W, H, 32), rows_of(NOISE, 32)), masked(NOISE, 0xFF0000, 0xFF00, 0xFF))
    short = NOISE & 0xFFFF
    pad = padding(W, 16)
    still("rgb555", bmp(info_header(W, H, 16), rows_of(short, 16)), masked(short, 0x7C00, 0x3E0, 0x1F), optional=pad)

    def with_masks(name, bits, masks, length=40, code=3, space=b"", top_down=False):
        values = NOISE & ((1 << bits) - 1)
        behind = struct.pack(f"<{len(masks)}I", *masks)
        header = info_header(W, -H if top_down else H, bits, code, length=length, extra=behind + space)
        alpha = len(masks) == 4 and masks[3] != 0
        still(name, bmp(header, rows_of(values, bits, top_down)), masked(values, *masks), alpha, padding(W, bits))

    with_masks("rgb565", 16, (0xF800, 0x7E0, 0x1F))
    with_masks("bgr565", 16, (0x1F, 0x7E0, 0xF800), top_down=True)
    with_masks("rgb565-v2", 16, (0xF800, 0x7E0, 0x1F), length=52)
    with_masks("argb4444-v3", 16, (0xF00, 0xF0, 0xF, 0xF000), length=56)
    with_masks("argb1555-v4", 16, (0x7C00, 0x3E0, 0x1F, 0x8000), length=108, space=color_space())
    with_masks("rgb332", 16, (0xE0, 0x1C, 0x03))
    with_masks("masks32", 32, (0xFF0000, 0xFF00, 0xFF))
    with_masks("rgbx32", 32, (0xFF000000, 0xFF0000, 0xFF00))
    with_masks("rgb101010", 32, (0x3FF00000, 0xFFC00, 0x3FF))
    with_masks("rgb161115", 32, (0xFFFF0000, 0xFFE0, 0x1F))
    with_masks("alpha-mask-code6", 32, (0xFF0000, 0xFF00, 0xFF, 0xFF000000), code=6)
    with_masks("argb32-v3", 32, (0xFF0000, 0xFF00, 0xFF, 0xFF000000), length=56)
    with_masks("argb32-v4", 32, (0xFF0000, 0xFF00, 0xFF, 0xFF000000), length=108, space=color_space(0, 0x1_0000))
    with_masks("rgba32-v5", 32, (0xFF000000, 0xFF0000, 0xFF00, 0xFF), length=124, space=color_space(0x73524742))
    with_masks("argb2101010-v5", 32, (0x3FF00000, 0xFFC00, 0x3FF, 0xC0000000), length=124, space=color_space(0x57696E20))
    with_masks("no-alpha-v5", 32, (0xFF0000, 0xFF00, 0xFF, 0), length=124, space=color_space(0x4D424544))
    # An alpha channel that is nothing but zeros was written by a program that knew of none.
    empty = NOISE & 0xFFFFFF
    header = info_header(W, H, 32, 3, length=108, extra=struct.pack("<4I", 0xFF0000, 0xFF00, 0xFF, 0xFF000000))
    still("alpha-unused-v4", bmp(header, rows_of(empty, 32)), masked(empty, 0xFF0000, 0xFF00, 0xFF), alpha=True)
    soft = ALPHA.astype(np.uint64) << 24 | NOISE & 0xFFFFFF
    still("soft-alpha-v4", bmp(header, rows_of(soft, 32)), masked(soft, 0xFF0000, 0xFF00, 0xFF, 0xFF000000), alpha=True)


# --- Run lengths

def runs(row):
    """(count, value) of equal neighbours, at most 255."""
    result = []
    for value in row.tolist():
        if result and result[-1][1] == value and result[-1][0] < 255:
            result[-1][0] += 1
        else:
            result.append([1, value])
    return result


def rle8(indices, absolute=False):
    rows = []
    for row in indices[::-1]:
        if absolute:
            parts = [row[at:at + 251] for at in range(0, len(row), 251)]
            rows.append(b"".join(
                bytes([0, len(part)]) + part.astype(np.uint8).tobytes() + bytes(len(part) & 1) for part in parts))
        else:
            rows.append(b"".join(bytes(run) for run in runs(row)))
    return rows


def rle4(indices, absolute=False):
    rows = []
    for row in indices[::-1].tolist():
        row = row + [0] * (len(row) & 1)
        if absolute:
            packed = bytes(row[at] << 4 | row[at + 1] for at in range(0, len(row), 2))
            rows.append(bytes([0, indices.shape[1]]) + packed + bytes(len(packed) & 1))
        else:
            # Pairs of two colours in turn.
            rows.append(b"".join(bytes([2, row[at] << 4 | row[at + 1]]) for at in range(0, len(row), 2)))
    return rows


def joined(rows):
    return b"\0\0".join(rows) + b"\0\1"


def make_runs():
    some, few = colors(256, 60), colors(16, 61)
    levels, low = GREY // 32 * 32, GREY >> 4

    def rle(name, bits, data, expected, optional=2, height=H, width=W):
        header = info_header(width, height, bits, {8: 1, 4: 2}[bits], image=len(data))
        still(name, bmp(header, data, quads(some if bits == 8 else few)), expected, optional=optional)

    rle("rle8", 8, joined(rle8(levels)), opaque(some[levels]))
    rle("rle8-absolute", 8, joined(rle8(levels, True)), opaque(some[levels]), optional=3)
    rle("rle8-top-down", 8, joined(rle8(levels[::-1])), opaque(some[levels]), height=-H)
    rle("rle8-line-ends", 8, joined(rle8(levels) + [b""]), opaque(some[levels]), optional=4)
    rle("rle8-no-end", 8, b"\0\0".join(rle8(levels)), opaque(some[levels]), optional=0)
    rle("rle8-long-runs", 8, joined([bytes([255, 9])] * H), opaque(np.broadcast_to(some[9], (H, W, 3))))
    rle("rle4", 4, joined(rle4(low)), opaque(few[low]))
    rle("rle4-absolute", 4, joined(rle4(low, True)), opaque(few[low]), optional=3)
    even = low[:, :36]
    rle("rle4-even", 4, joined(rle4(even)), opaque(few[even]), width=36)

    # What is passed over has colour 0: the ends of short rows, jumps, and what is above an early end.
    sparse, data = np.zeros((H, W), int), b""
    for step in range(5):
        sparse[H - 1 - 4 * step, 8 * step:8 * step + 6] = 10 + step
        data += bytes([6, 10 + step]) + (b"\0\1" if step == 4 else b"\0\2\2\4")
    rle("rle8-jumps", 8, data, opaque(some[sparse]), optional=0)
    short = np.zeros((H, W), int)
    short[H - 1, :4] = 7
    short[H - 2, :] = 8
    rle("rle8-early-end", 8, bytes([4, 7, 0, 0, W, 8, 0, 1]), opaque(some[short]), optional=0)
    short = np.zeros((H, W), int)
    short[H - 1, :5] = [3, 12, 3, 12, 3]
    short[H - 3, 2:7] = [1, 2, 3, 4, 5]
    data = bytes([5, 0x3C, 0, 0, 0, 2, 2, 1, 0, 5, 0x12, 0x34, 0x50, 0, 0, 1])
    rle("rle4-jumps", 4, data, opaque(few[short]), optional=0)


def make():
    make_indexed()
    make_direct()
    make_runs()
