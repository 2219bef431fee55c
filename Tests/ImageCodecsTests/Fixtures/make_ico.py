"""Icons and cursors of every kind of picture that they hold, and the pixels of the largest."""
import struct

import numpy as np
from PIL import Image

from fixture_kit import EXACT, alpha_mask, entry, expect, picture, saved, write
from make_bmp import colors, info_header, quads, rows_of


def mask_rows(transparent):
    """A bit a pixel, from the bottom, rows padded to four bytes."""
    return rows_of(transparent.astype(int), 1)


def bitmap(values, bits, transparent=None, palette=None, mask=True):
    """A BMP without a file's header; the height in its own is that of picture and mask together."""
    height, width = values.shape[:2]
    if transparent is None:
        transparent = np.zeros((height, width), bool)
    data = info_header(width, height * 2, bits) + (b"" if palette is None else quads(palette)) + rows_of(values, bits)
    return data + (mask_rows(transparent) if mask else b"")


def png(rgba):
    return saved(Image.fromarray(rgba), "PNG")


def icon(*pictures, kind=1, numbers=(1, 32)):
    """`pictures` are (width, height, data); `numbers` planes and depth, or the hot spot of a cursor."""
    directory, data = struct.pack("<HHH", 0, kind, len(pictures)), b""
    for width, height, content in pictures:
        place = 6 + 16 * len(pictures) + len(data)
        directory += struct.pack("<BBBBHHII", width % 256, height % 256, 0, 0, *numbers, len(content), place)
        data += content
    return directory + data


def argb(rgba):
    values = rgba.astype(np.uint32)
    return values[..., 3] << 24 | values[..., 0] << 16 | values[..., 1] << 8 | values[..., 2]


def with_mask(rgb, transparent):
    return np.dstack([rgb, np.where(transparent, 0, 255).astype(np.uint8)])


def still(name, data, expected):
    write(name + ".ico", data)
    expect(name + "-ico", expected)
    entry(name + ".ico", name + "-ico", EXACT, alpha=True)


def make():
    width, height = 21, 17
    rgb, alpha = picture(width, height), alpha_mask(width, height)
    rgba = np.dstack([rgb, alpha])
    round_hole = np.hypot(*np.mgrid[-8:9, -10:11]) < 6
    grey = np.asarray(Image.fromarray(rgb).convert("L"))

    still("alpha32", icon((width, height, bitmap(argb(rgba), 32, alpha < 128))), rgba)
    no_alpha = np.dstack([rgb, np.zeros_like(alpha)])
    still("mask32", icon((width, height, bitmap(argb(no_alpha), 32, round_hole))), with_mask(rgb, round_hole))
    still("mask24", icon((width, height, bitmap(rgb, 24, round_hole))), with_mask(rgb, round_hole))
    still("no-mask", icon((width, height, bitmap(rgb, 24, mask=False))), with_mask(rgb, round_hole & False))
    short = (rgb.astype(np.uint32) >> 3 << [10, 5, 0]).sum(axis=2)
    fives = ((rgb.astype(int) >> 3) * 255 + 15) // 31
    still("mask16", icon((width, height, bitmap(short, 16, round_hole))), with_mask(fives.astype(np.uint8), round_hole))
    for bits in (1, 4, 8):
        some, levels = colors(1 << bits, 70 + bits), grey >> (8 - bits)
        still(f"mask{bits}", icon((width, height, bitmap(levels, bits, round_hole, some))),
              with_mask(some[levels], round_hole))
    still("png-inside", icon((width, height, png(rgba))), rgba)
    still("png-rgb-inside", icon((width, height, png(rgb))), with_mask(rgb, round_hole & False))
    still("cursor", icon((width, height, bitmap(rgb, 24, round_hole)), kind=2, numbers=(40000, 3)),
          with_mask(rgb, round_hole))
    # The header of the PNG counts: the directory has no number above 256.
    tall = picture(2, 300)
    still("png-tall", icon((2, 0, png(tall))), with_mask(tall, np.zeros((300, 2), bool)))

    small, large = picture(8, 8), picture(40, 40)
    four = grey[:16, :16] >> 4
    many = [(8, 8, bitmap(small, 24)), (16, 16, bitmap(four, 4, palette=colors(16, 7))),
            (40, 40, bitmap(large, 24)), (16, 16, png(picture(16, 16)))]
    still("many-sizes", icon(*many), with_mask(large, np.zeros((40, 40), bool)))
