#!/usr/bin/env python3
"""Makes tiff-*.tiff, and tiff.json with what each must decode to.

    python3 make-tiff.py

Needs Pillow, tifffile and imagecodecs, and tiffcp (Debian: libtiff-tools) for what they do not write. Pixels are those that
were written, brought to 8 bits here; those of JPEG are what imagecodecs' own libjpeg makes of the strips.
"""
import base64
import io
import json
import pathlib
import struct
import subprocess
import tempfile

import imagecodecs
import numpy as np
import tifffile
from PIL import Image

HERE = pathlib.Path(__file__).parent
manifest = []
pictures = []
WIDTH, HEIGHT = 37, 23
y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
FULL = np.dstack([65535 * x // (WIDTH - 1), 65535 * y // (HEIGHT - 1), 32768 + 15000 * np.sin((x + y) / 9)]).astype(np.uint16)
ALPHA16 = np.where((x - 18) ** 2 + (y - 11) ** 2 < 90, 65535, 65535 * x // WIDTH).astype(np.uint16)


def rounded(values, most):
    """To 8 bits, to nearest."""
    return ((values.astype(np.uint64) * 510 + most) // (2 * most)).astype(np.uint8)


RGB, ALPHA = rounded(FULL, 65535), rounded(ALPHA16, 65535)
RGBA = np.dstack([RGB, ALPHA])
GREY16 = FULL[..., 0] // 2 + FULL[..., 1] // 3
GREY = rounded(GREY16, 65535)
BITS = ((x // 3 + y // 2) % 2).astype(np.uint8)
INKS = np.dstack([RGB, RGB[..., 0] // 4 + RGB[..., 1] // 6])


def premultiplied(rgb, alpha):
    product = rgb.astype(np.uint32) * alpha[..., None] + 128
    return ((product + (product >> 8)) >> 8).astype(np.uint8)


def add(name, data, colors, alpha=None, turned=lambda pixels: pixels, tolerance=0, **facts):
    """`colors` are premultiplied already where there is alpha, grey or RGB."""
    file = f"tiff-{name}.tiff"
    (HERE / file).write_bytes(data)
    rgb = np.dstack([colors] * 3) if colors.ndim == 2 else colors
    rgba = turned(np.dstack([rgb, np.full(rgb.shape[:2], 255, np.uint8) if alpha is None else alpha]))
    pixels = base64.b64encode(rgba.tobytes()).decode()
    if pixels not in pictures:
        pictures.append(pixels)
    manifest.append(dict(
        file=file, width=rgba.shape[1], height=rgba.shape[0], picture=pictures.index(pixels), tolerance=tolerance, bitDepth=8, hasAlpha=alpha is not None, orientation=1) | facts)


def written(pixels, photometric="rgb", **options):
    buffer = io.BytesIO()
    options.setdefault("software", False)
    options.setdefault("metadata", None)
    tifffile.imwrite(buffer, pixels, photometric=photometric, **options)
    return buffer.getvalue()


def copied(data, *options):
    """By tiffcp, which writes what others do not."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder) / "source.tiff", pathlib.Path(folder) / "target.tiff"
        source.write_bytes(data)
        subprocess.run(["tiffcp", *options, source, target], check=True)
        return target.read_bytes()


def file(fields, pixels):
    """A file of one strip, or of tiles or planes given as a list, field by field: values are shorts, fractions, or bytes."""
    pieces = pixels if isinstance(pixels, list) else [pixels]
    offsets = [8 + sum(map(len, pieces[:index])) for index in range(len(pieces))]
    tiled = 322 in fields
    fields = fields | {324 if tiled else 273: offsets, 325 if tiled else 279: list(map(len, pieces))}
    start = 8 + sum(map(len, pieces))
    start += start % 2
    body = b"".join(pieces).ljust(start - 8, b"\0")
    entries, values = b"", b""
    for tag, value in sorted(fields.items()):
        if isinstance(value, bytes):
            kind, count, content = 7, len(value), value
        elif isinstance(value[0], tuple):
            kind, count, content = 5, len(value), b"".join(struct.pack("<II", *each) for each in value)
        else:
            kind, count, content = 4, len(value), struct.pack(f"<{len(value)}I", *value)
        if kind == 4 and tag not in (273, 279, 324, 325):
            kind, content = 3, struct.pack(f"<{len(value)}H", *value)
        if len(content) > 4:
            place = start + 6 + 12 * len(fields) + len(values)
            values += content + bytes(len(content) % 2)
            content = struct.pack("<I", place)
        entries += struct.pack("<HHI", tag, kind, count) + content.ljust(4, b"\0")
    return struct.pack("<2sHI", b"II", 42, start) + body + struct.pack("<H", len(fields)) + entries + bytes(4) + values


def fields(samples, bits, photometric, compression=1, **more):
    return {256: [WIDTH], 257: [HEIGHT], 258: [bits] * samples, 259: [compression], 262: [photometric], 277: [samples],
            278: [HEIGHT]} | {int(tag[1:]): value for tag, value in more.items()}


def packed(samples, bits):
    """Rows of numbers of any length, the first in the highest bits, each row beginning with a byte."""
    rows = samples.reshape(samples.shape[0], -1)
    spread = (rows[..., None].astype(np.uint32) >> np.arange(bits - 1, -1, -1)) & 1
    return np.packbits(spread.reshape(rows.shape[0], -1).astype(np.uint8), axis=1).tobytes()


# Samples of every kind and depth.
add("rgb8", written(RGB), RGB)
add("rgb16", written(FULL), RGB, bitDepth=16)
add("rgb16-big-endian", written(FULL, byteorder=">"), RGB, bitDepth=16)
add("rgb8-bigtiff", written(RGB, bigtiff=True), RGB)
add("grey8", written(GREY, "minisblack"), GREY)
add("grey16", written(GREY16, "minisblack", byteorder=">"), GREY, bitDepth=16)
add("grey8-inverse", written(255 - GREY, "miniswhite"), GREY)
add("grey16-inverse", written(65535 - GREY16, "miniswhite"), GREY, bitDepth=16)
for bits in [1, 2, 4, 6, 10, 12, 14]:
    most = 2 ** bits - 1
    samples = (GREY16.astype(np.uint32) * most // 65535).astype(np.uint16)
    add(f"grey{bits}", file(fields(1, bits, 1), packed(samples, bits)), rounded(samples, most), bitDepth=bits)
    samples = (FULL.astype(np.uint32) * most // 65535).astype(np.uint16)
    if bits in (4, 12):
        add(f"rgb{bits}", file(fields(3, bits, 2), packed(samples, bits)), rounded(samples, most), bitDepth=bits)
for bits in [1, 2, 4, 8]:
    count = 2 ** bits
    indices = (GREY.astype(np.uint16) * (count - 1) // 255).astype(np.uint8)
    colors = np.stack([(np.arange(count) * 77 + 1000 * channel * 9) % 256 for channel in range(3)]).astype(np.uint32)
    for name, scale in [("", 257), ("-short", 1)]:
        if name and bits != 4:
            continue
        data = file(fields(1, bits, 3, _320=(colors * scale).reshape(-1).tolist()), packed(indices, bits))
        add(f"palette{bits}{name}", data, colors.T[indices].astype(np.uint8), bitDepth=16)
straight = premultiplied(RGB, ALPHA)
add("rgba8", written(RGBA, extrasamples=["unassalpha"]), straight, ALPHA)
add("rgba8-premultiplied", written(np.dstack([straight, ALPHA]), extrasamples=["assocalpha"]), straight, ALPHA)
add("rgba16", written(np.dstack([FULL, ALPHA16]), extrasamples=["unassalpha"]), straight, ALPHA, bitDepth=16)
half = (FULL.astype(np.uint64) * ALPHA16[..., None] // 65535).astype(np.uint16)
add("rgba16-premultiplied", written(np.dstack([half, ALPHA16]), extrasamples=["assocalpha"]),
    np.minimum(rounded(half, 65535), ALPHA[..., None]), ALPHA, bitDepth=16)
add("rgb8-more-samples", written(np.dstack([RGB, ALPHA, GREY]), extrasamples=["unspecified", "unspecified"]), RGB)
add("rgba8-behind", written(np.dstack([RGB, GREY, ALPHA]), extrasamples=["unspecified", "unassalpha"]), straight, ALPHA)
grey = premultiplied(np.dstack([GREY] * 3), ALPHA)
add("grey-alpha8", written(np.dstack([GREY, ALPHA]), "minisblack", extrasamples=["unassalpha"], planarconfig="contig"), grey, ALPHA)
inverse = np.dstack([255 - GREY, ALPHA])
add("grey-alpha8-inverse", written(inverse, "miniswhite", extrasamples=["unassalpha"], planarconfig="contig"), grey, ALPHA)


def mixed(inks):
    """What an ink lets through black lets through in part."""
    light = 255 - inks.astype(np.uint32)
    product = light[..., :3] * light[..., 3:] + 128
    return ((product + (product >> 8)) >> 8).astype(np.uint8)


add("inks8", written(INKS, "separated"), mixed(INKS))
add("inks16", written(INKS.astype(np.uint16) * 257, "separated"), mixed(INKS), bitDepth=16)
add("inks8-planar", written(np.moveaxis(INKS, 2, 0), "separated", planarconfig="separate"), mixed(INKS))
add("inks8-alpha", written(np.dstack([INKS, ALPHA]), "separated", extrasamples=["unassalpha"]),
    premultiplied(mixed(INKS), ALPHA), ALPHA)

# Compressions, in strips and tiles.
COMPRESSIONS = [("lzw", "lzw"), ("deflate", "zlib"), ("packbits", "packbits"), ("zstd", "zstd"), ("lzma", "lzma")]
for name, compression in COMPRESSIONS:
    add(f"{name}", written(RGB, compression=compression, rowsperstrip=7), RGB)
for name, compression in [("lzw", "lzw"), ("deflate", "zlib"), ("zstd", "zstd"), ("lzma", "lzma")]:
    add(f"{name}-predictor", written(RGB, compression=compression, rowsperstrip=16, predictor=2), RGB)
    add(f"{name}-predictor16", written(FULL, compression=compression, predictor=2, byteorder=">"), RGB, bitDepth=16)
add("old-deflate", file(fields(3, 8, 2, 32946), imagecodecs.zlib_encode(RGB.tobytes())), RGB)
add("lzw-alpha", written(RGBA, compression="lzw", predictor=2, extrasamples=["unassalpha"]), straight, ALPHA)
add("tiles", written(RGB, tile=(16, 16)), RGB)
add("tiles-wide", written(RGB, tile=(32, 48)), RGB)
add("tiles-deflate16", written(FULL, tile=(16, 32), compression="zlib", predictor=2), RGB, bitDepth=16)
add("tiles-packbits", written(RGB, tile=(32, 16), compression="packbits"), RGB)
add("tiles-planar", written(np.moveaxis(RGB, 2, 0), tile=(16, 16), planarconfig="separate", compression="lzw"), RGB)
add("tiles-bits", file(fields(1, 1, 1, _322=[16], _323=[48]),
                       [packed(np.pad(BITS, ((0, 25), (0, 11)))[:, left:left + 16], 1) for left in (0, 16, 32)]),
    BITS * 255, bitDepth=1)
add("planar", written(np.moveaxis(RGB, 2, 0), planarconfig="separate", rowsperstrip=5), RGB)
add("planar-alpha16", written(np.moveaxis(np.dstack([FULL, ALPHA16]), 2, 0), planarconfig="separate", compression="zlib",
                              predictor=2, extrasamples=["unassalpha"]), straight, ALPHA, bitDepth=16)
add("webp-lossless", written(RGB, compression="webp", compressionargs=dict(lossless=True), rowsperstrip=16), RGB)
add("webp-lossless-alpha", written(RGBA, compression="webp", compressionargs=dict(lossless=True),
                                   extrasamples=["unassalpha"]), straight, ALPHA)
for bits, pixels in [(8, GREY), (16, GREY16)]:
    add(f"lerc{bits}", written(pixels, "minisblack", compression="lerc", rowsperstrip=16), GREY, bitDepth=bits)

# Black and white, as faxes have it.
white = file(fields(1, 1, 0), packed(BITS, 1))
for name, options in [("fax3", ["-c", "g3"]), ("fax3-2d", ["-c", "g3:2d"]), ("fax3-fill", ["-c", "g3:fill"]),
                      ("fax4", ["-c", "g4"]), ("fax4-strips", ["-c", "g4", "-r", "9"]), ("fax4-reversed", ["-c", "g4", "-f", "lsb2msb"])]:
    add(name, copied(white, *options), 255 - BITS * 255, bitDepth=1)
buffer = io.BytesIO()
Image.fromarray(255 - BITS * 255).convert("1").save(buffer, "TIFF", compression="tiff_ccitt")
add("fax-runs", buffer.getvalue(), 255 - BITS * 255, bitDepth=1)
reversed_bits = np.packbits(np.unpackbits(np.frombuffer(packed(BITS, 1), np.uint8)).reshape(-1, 8)[:, ::-1], axis=1)
add("bits-reversed", file(fields(1, 1, 1, _266=[2]), reversed_bits.tobytes()), BITS * 255, bitDepth=1)

# JPEG.
for name, subsampling in [("444", (1, 1)), ("422", (2, 1)), ("420", (2, 2))]:
    data = written(RGB, compression="jpeg", compressionargs=dict(level=92), subsampling=subsampling, rowsperstrip=16)
    with tifffile.TiffFile(io.BytesIO(data)) as tiff:
        page = tiff.pages[0]
        assert page.photometric == 6
        strips = [data[at:at + count] for at, count in zip(page.dataoffsets, page.databytecounts)]
        shown = np.concatenate([imagecodecs.jpeg8_decode(strip, tables=page.jpegtables, colorspace=3, outcolorspace=2)
                                for strip in strips])
    add(f"jpeg-{name}", data, shown[:HEIGHT], tolerance=2)
data = written(GREY, "minisblack", compression="jpeg", compressionargs=dict(level=92), tile=(32, 32))
add("jpeg-grey-tiles", data, tifffile.imread(io.BytesIO(data)), tolerance=2)
data = copied(written(RGB, rowsperstrip=16), "-c", "jpeg:r:92")
add("jpeg-rgb", data, tifffile.imread(io.BytesIO(data)), tolerance=2)
data = written(INKS, "separated", compression="jpeg", compressionargs=dict(level=92))
add("jpeg-inks", data, mixed(tifffile.imread(io.BytesIO(data))), tolerance=2)

# The last strip as high as the others, as some programs write it.
whole = np.pad(RGB, ((0, 32 - HEIGHT), (0, 0), (0, 0)), "edge")
strips = [imagecodecs.jpeg8_encode(np.ascontiguousarray(part), level=92, colorspace="RGB", outcolorspace="YCBCR",
                                   subsampling="444") for part in (whole[:16], whole[16:])]
shown = np.concatenate([imagecodecs.jpeg8_decode(strip) for strip in strips])[:HEIGHT]
add("jpeg-high", file(fields(3, 8, 6, 7, _530=[1, 1]) | {278: [16]}, strips), shown, tolerance=2)


# Luma and chroma without JPEG.
def clustered(across, down, tile=None):
    """Clusters of luma and chroma, and what is to be seen of them by ITU-R BT.601."""
    float_rgb = RGB.astype(float)
    luma = float_rgb @ [0.299, 0.587, 0.114]
    blue, red = (float_rgb[..., 2] - luma) / 1.772, (float_rgb[..., 0] - luma) / 1.402
    rows, columns = -(-HEIGHT // down) * down, -(-WIDTH // across) * across
    pad = ((0, rows - HEIGHT), (0, columns - WIDTH))
    luma = np.clip(np.rint(np.pad(luma, pad, "edge")), 0, 255).astype(np.uint8)
    chroma = [np.clip(np.rint(128 + np.pad(each, pad, "edge")), 0, 255)[::down, ::across].astype(np.uint8) for each in (blue, red)]
    blocks = luma.reshape(rows // down, down, columns // across, across).transpose(0, 2, 1, 3).reshape(rows // down, columns // across, -1)
    data = np.dstack([blocks, *chroma])
    # Chroma's range is 128...255: 127 steps.
    wide = [np.kron(each.astype(float) - 128, np.ones((down, across))) for each in chroma]
    r, b = luma + 1.402 * wide[1], luma + 1.772 * wide[0]
    g = luma - (0.114 * 1.772 * wide[0] + 0.299 * 1.402 * wide[1]) / 0.587
    shown = np.clip(np.floor(np.dstack([r, g, b]) + 0.5), 0, 255).astype(np.uint8)
    return data, shown[:HEIGHT, :WIDTH]


for across, down in [(1, 1), (2, 2), (2, 1), (4, 2)]:
    data, shown = clustered(across, down)
    add(f"chroma-{across}{down}", file(fields(3, 8, 6, _530=[across, down]), data.tobytes()), shown, tolerance=1)
data, shown = clustered(2, 2)
cut = [data[:8].tobytes(), data[8:16].tobytes(), data[16:].tobytes()]
add("chroma-lzw-strips", file(fields(3, 8, 6, 5, _530=[2, 2]) | {278: [16]}, [imagecodecs.lzw_encode(each) for each in cut]), shown, tolerance=1)
# Studio range, by BT.709.
weights, bounds = [(2126, 10000), (7152, 10000), (722, 10000)], [(16, 1), (235, 1), (128, 1), (240, 1), (128, 1), (240, 1)]
data, _ = clustered(1, 1)
levels = data.astype(float)
luma = (levels[..., 0] - 16) * 255 / 219
blue, red = [(levels[..., channel] - 128) * 127 / 112 for channel in (1, 2)]
r, b = luma + 2 * (1 - 0.2126) * red, luma + 2 * (1 - 0.0722) * blue
g = (luma - 0.2126 * r - 0.0722 * b) / 0.7152
shown = np.clip(np.floor(np.dstack([r, g, b]) + 0.5), 0, 255).astype(np.uint8)
add("chroma-studio", file(fields(3, 8, 6, _530=[1, 1], _529=weights, _532=bounds), data.tobytes()), shown, tolerance=1)

# Turned.
TURNS = [lambda p: p, lambda p: p[:, ::-1], lambda p: p[::-1, ::-1], lambda p: p[::-1], lambda p: p.transpose(1, 0, 2),
         lambda p: p[::-1].transpose(1, 0, 2), lambda p: p[::-1, ::-1].transpose(1, 0, 2), lambda p: p[:, ::-1].transpose(1, 0, 2)]
for number, turn in enumerate(TURNS, 1):
    add(f"orientation{number}", written(RGB, extratags=[(274, 3, 1, number, True)]), RGB, turned=turn, orientation=number)

# Several pictures, of which the first is shown; what an ordinary program writes.
buffer = io.BytesIO()
Image.fromarray(RGB).save(buffer, "TIFF", save_all=True, append_images=[Image.fromarray(GREY)], compression="tiff_lzw")
add("pages", buffer.getvalue(), RGB)
buffer = io.BytesIO()
Image.fromarray(RGB).save(buffer, "TIFF", dpi=(72, 72), description="A picture", software="a program")
add("described", buffer.getvalue(), RGB)

# Colours by a profile: the pixels, and what they are in sRGB, are those of make-colors.py.
shown = {entry["file"]: entry for entry in json.loads((HERE / "colors.json").read_text())}
for name, source, photometric, more in [
    ("profile", "color-profile-adobe.png", "rgb", {}), ("profile-grey", "color-grey-profile.png", "minisblack", {}),
    ("profile-alpha", "color-glass-p3.png", "rgb", dict(extrasamples=["unassalpha"])),
    ("profile-inks", "color-inks.jpg", "separated", {}),
]:
    image, entry = Image.open(HERE / source), shown[source]
    rgba = np.frombuffer(base64.b64decode(entry["pixels"]), np.uint8).reshape(entry["height"], entry["width"], 4)
    pixels = np.asarray(image)
    if photometric == "rgb" and not more:
        pixels, rgba = pixels[..., :3], np.dstack([rgba[..., :3], np.full(rgba.shape[:2], 255, np.uint8)])
    data = written(pixels, photometric, iccprofile=image.info["icc_profile"], **more)
    add(name, data, rgba[..., :3], rgba[..., 3] if more else None, tolerance=2)
(HERE / "tiff.json").write_text(json.dumps(dict(pictures=pictures, files=manifest), indent=1) + "\n")
