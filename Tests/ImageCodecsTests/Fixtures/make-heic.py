#!/usr/bin/env python3
"""Makes heic-*.heic, and heic.json with what each must decode to.

    python3 make-heic.py

Needs numpy, and ffmpeg with libx265. The files are written here (heif_file.py). Planes are known because they were coded
without loss, or come from ffmpeg's own decoder of HEVC; what colours they are is computed here.
"""
import base64
import json
import pathlib
import struct

import numpy as np

import heif_file
from heif_file import ALPHA, File, Picture

HERE = pathlib.Path(__file__).parent
manifest = []
WIDTH, HEIGHT = 46, 38
# Of luminance, by the codes of ITU-T H.273, table 4.
WEIGHTS = {1: (0.2126, 0.0722), 6: (0.299, 0.114), 9: (0.2627, 0.0593)}
# Of the stream itself where nothing else is said: full range, BT.601.
FULL = "range=full:colormatrix=smpte170m"
OPAQUE = 255


def colours(width, height):
    y, x = np.mgrid[0:height, 0:width]
    rgb = [x / (width - 1), y / (height - 1), 0.5 + 0.24 * np.sin((x + y) / 9)]
    return np.dstack(rgb)


def transparency(width, height):
    y, x = np.mgrid[0:height, 0:width]
    return np.where((x - 20) ** 2 + (y - 18) ** 2 < 200, 1, x / width)


# --- Planes and colours

def levels(depth, is_full):
    """The least and the greatest of luminance, the middle of chroma, and its range."""
    if is_full:
        return 0, 2 ** depth - 1, 2 ** (depth - 1), 2 ** depth - 1
    return tuple(value << depth - 8 for value in (16, 235, 128, 224))


def steps(layout):
    return {"420": (2, 2), "422": (1, 2)}.get(layout, (1, 1))


def planes_of(rgb, layout, depth, matrix=6, is_full=True):
    low, high, middle, span = levels(depth, is_full)
    if layout == "gbr":
        return [np.rint(rgb[..., channel] * (high - low) + low) for channel in (1, 2, 0)]
    red, blue = WEIGHTS[matrix]
    luma = rgb @ (red, 1 - red - blue, blue)
    planes = [np.rint(luma * (high - low) + low)]
    if layout == "400":
        return planes
    rows, columns = steps(layout)
    for channel, weight in ((2, blue), (0, red)):
        chroma = (rgb[..., channel] - luma) / (2 - 2 * weight)
        height, width = chroma.shape
        chroma = chroma.reshape(height // rows, rows, width // columns, columns).mean((1, 3))
        planes.append(np.rint(chroma * span + middle))
    return planes


def doubled(plane, axis, length):
    """Twice as many samples, each three quarters of the nearest and a quarter of the next, as chroma lies between luma."""
    plane = np.moveaxis(plane, axis, 0)
    padded = np.concatenate([plane[:1], plane, plane[-1:]])
    before, after = plane * 0.75 + padded[:-2] * 0.25, plane * 0.75 + padded[2:] * 0.25
    return np.moveaxis(np.stack([before, after], 1).reshape(-1, *plane.shape[1:])[:length], 0, axis)


def rgb_of(planes, layout, depth, matrix=6, is_full=True):
    """0...1, not clipped."""
    low, high, middle, span = levels(depth, is_full)
    luma = (planes[0].astype(float) - low) / (high - low)
    if layout == "400":
        return np.dstack([luma] * 3)
    if layout == "gbr":
        return np.dstack([(planes[at].astype(float) - low) / (high - low) for at in (2, 0, 1)])
    rows, columns = steps(layout)
    chroma = [(plane.astype(float) - middle) / span for plane in planes[1:]]
    for axis, step in enumerate((rows, columns)):
        if step == 2:
            chroma = [doubled(plane, axis, luma.shape[axis]) for plane in chroma]
    red, blue = WEIGHTS[matrix]
    r, b = luma + (2 - 2 * red) * chroma[1], luma + (2 - 2 * blue) * chroma[0]
    return np.dstack([r, (luma - red * r - blue * b) / (1 - red - blue), b])


# CIE 1931 xy of white and the primaries.
SRGB = ((0.3127, 0.3290), (0.64, 0.33), (0.30, 0.60), (0.15, 0.06))
P3 = ((0.3127, 0.3290), (0.680, 0.320), (0.265, 0.690), (0.150, 0.060))


def to_xyz(space):
    white, *columns = [np.array([x / y, 1, (1 - x - y) / y]) for x, y in space]
    columns = np.column_stack(columns)
    return columns * np.linalg.solve(columns, white)


def bytes_of(values):
    return np.clip(np.rint(values * 255), 0, 255).astype(np.uint8)


def shown(rgb, alpha=None):
    alpha = np.full(rgb.shape[:2], OPAQUE, np.uint8) if alpha is None else alpha
    return np.dstack([bytes_of(rgb), alpha])


def upright(rgba, orientation):
    """What is stored as Exif names the sides."""
    turns = {1: 0, 2: 0, 3: 2, 4: 2, 5: 1, 6: 3, 7: 3, 8: 1}[orientation]
    is_mirrored = orientation in (2, 4, 5, 7)
    return np.rot90(rgba[:, ::-1] if is_mirrored else rgba, turns)


# --- Files

def premultiplied(rgba):
    rgba = rgba.astype(np.uint32)
    product = rgba[..., :3] * rgba[..., 3:] + 128
    return np.dstack([(product + (product >> 8)) >> 8, rgba[..., 3:]]).astype(np.uint8)


def add(name, file, rgba, is_premultiplied=False, **facts):
    (HERE / f"heic-{name}.heic").write_bytes(file.bytes() if isinstance(file, File) else file)
    pixels = rgba if is_premultiplied else premultiplied(rgba)
    manifest.append(dict(
        file=f"heic-{name}.heic", width=rgba.shape[1], height=rgba.shape[0],
        pixels=base64.b64encode(np.ascontiguousarray(pixels).tobytes()).decode(), tolerance=1, bitDepth=8, isGrey=False,
        hasAlpha=bool((rgba[..., 3] < OPAQUE).any()), orientation=1, colors="untagged", isCommon=False) | facts)


def coded(planes, layout, depth=8, colors=FULL, **options):
    return Picture(heif_file.encode(planes, layout, depth, colors=colors, **options), layout, depth)


def alpha_of(width, height, depth=8, **options):
    """A picture of it, and its bytes."""
    values = np.rint(transparency(width, height) * (2 ** depth - 1))
    return coded([values], "400", depth, **options), bytes_of(values / (2 ** depth - 1))


def add_alpha(file, picture, width, height, depth=8):
    item = file.picture(picture, heif_file.size(width, height), heif_file.channels(depth), ALPHA)
    file.refer("auxl", item, 1)
    return item


def still(picture, width, height, depth=8, *properties, channels=3, **options):
    file = File(**options)
    file.picture(picture, heif_file.size(width, height), heif_file.channels(*[depth] * channels), *properties)
    return file


SIZE = (WIDTH, HEIGHT)
RGB = colours(*SIZE)
for layout in ["400", "420", "422", "444"]:
    for depth in [8, 10, 12]:
        planes = planes_of(RGB, layout, depth)
        stream = heif_file.encode(planes, layout, depth, "crf=6", FULL)
        planes = heif_file.decode(stream, depth, [plane.shape for plane in planes])
        rgb = rgb_of(planes, layout, depth)
        picture = Picture(stream, layout, depth)
        channels = 1 if layout == "400" else 3
        facts = dict(bitDepth=depth, isGrey=layout == "400", isCommon=layout == "420" and depth < 12)
        ending = "" if depth == 8 else f"-depth{depth}"
        add(layout + ending, still(picture, *SIZE, depth, channels=channels), shown(rgb), **facts)
        if depth == 12:
            continue
        file = still(picture, *SIZE, depth, channels=channels)
        alpha, values = alpha_of(*SIZE, depth)
        add_alpha(file, alpha, *SIZE, depth)
        add(f"{layout}-alpha{ending}", file, shown(rgb, values), **facts)

# Without loss.
planes = planes_of(RGB, "gbr", 8)
rgb = rgb_of(planes, "gbr", 8)
gbr = coded(planes, "gbr", colors="range=full:colormatrix=gbr")
add("gbr", still(gbr, *SIZE), shown(rgb), tolerance=0)
file = still(gbr, *SIZE)
alpha, values = alpha_of(*SIZE)
add_alpha(file, alpha, *SIZE)
add("gbr-alpha", file, shown(rgb, values), tolerance=0)
product = np.rint(rgb * values[..., None])
file = still(coded([product[..., channel] for channel in (1, 2, 0)], "gbr", colors="range=full:colormatrix=gbr"), *SIZE)
file.refer("prem", 1, add_alpha(file, alpha, *SIZE))
add("gbr-premultiplied", file, np.dstack([product.astype(np.uint8), values]), is_premultiplied=True, tolerance=0)
planes = planes_of(RGB, "420", 8)
rgb = rgb_of(planes, "420", 8)
lossless = coded(planes, "420")
add("lossless", still(lossless, *SIZE), shown(rgb), isCommon=True)

# What the numbers mean: by the file, which goes before the stream; by the stream; and by nothing.
for matrix, name in [(1, "709"), (9, "2020")]:
    for is_full in [False, True]:
        planes = planes_of(RGB, "444", 8, matrix, is_full)
        numbers = heif_file.numbers(1, 13, matrix, is_full)
        ending = "" if is_full else "-limited"
        add(f"numbers-{name}{ending}", still(coded(planes, "444"), *SIZE, 8, numbers),
            shown(rgb_of(planes, "444", 8, matrix, is_full)), colors="sRGB")
planes = planes_of(RGB, "444", 10, 1, False)
add("stream-709-limited", still(coded(planes, "444", 10, "range=limited:colormatrix=bt709"), *SIZE, 10),
    shown(rgb_of(planes, "444", 10, 1, False)), bitDepth=10)
planes = planes_of(RGB, "444", 8, 6, False)
add("unsaid", still(coded(planes, "444", colors=""), *SIZE), shown(rgb_of(planes, "444", 8, 6, False)))

# In colours of Display P3, by numbers, and by the ICC profile of another fixture, whose curve is that of sRGB.
rounded = bytes_of(rgb) / 255
linear = np.where(rounded <= 0.04045, rounded / 12.92, ((rounded + 0.055) / 1.055) ** 2.4)
linear = np.clip(linear @ (np.linalg.inv(to_xyz(SRGB)) @ to_xyz(P3)).T, 0, 1)
converted = shown(np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055))
facts = dict(tolerance=2, isCommon=True)
add("numbers-p3", still(lossless, *SIZE, 8, heif_file.numbers(12, 13, 6, True)), converted, colors="parameters", **facts)
webp = (HERE / "color-p3.webp").read_bytes()
at = webp.index(b"ICCP") + 8
icc = webp[at:at + struct.unpack("<I", webp[at - 4:at])[0]]
file = still(lossless, *SIZE, 8, heif_file.profile(icc), heif_file.numbers(1, 13, 6, True))
add("profile-p3", file, converted, colors="profile", **facts)

# How it is shown.
for orientation in range(1, 9):
    add(f"orientation{orientation}", still(lossless, *SIZE, 8, *heif_file.turned(orientation)),
        upright(shown(rgb), orientation), orientation=orientation, isCommon=True)
aperture = heif_file.aperture(33, 27, -1, 3)
# The centre of 33 of 46 columns that begin half a pixel left of the middle: at column 6; of 27 of 38 rows: at row 7.
cut = shown(rgb)[7:34, 6:39]
add("aperture", still(lossless, *SIZE, 8, aperture), cut)
add("aperture-turned", still(lossless, *SIZE, 8, aperture, *heif_file.turned(6)), upright(cut, 6), orientation=6)
add("aperture-beyond", still(lossless, *SIZE, 8, heif_file.aperture(33, 27, 40, 0)), shown(rgb))

# Filled up to whole blocks that nothing crops, as libheif writes small pictures.
planes = planes_of(colours(64, 64), "420", 8)
add("filled", still(coded(planes, "420"), 37, 23), shown(rgb_of(planes, "420", 8))[:23, :37], isCommon=True)

# How it is put together.
SIDE, COLUMNS, ROWS = 64, 3, 2
CANVAS = (SIDE * COLUMNS, SIDE * ROWS)
SHOWN = (150, 101)


def add_grid(file, planes, layout, shown_size, *properties):
    """Adds a grid of the planes' cells, which become what a decoder makes of them."""
    item = file.add("grid", struct.pack(">BBBBHH", 0, 0, ROWS - 1, COLUMNS - 1, *shown_size),
                    heif_file.size(*shown_size), *properties, inline=True)
    cells = []
    for at in range(ROWS * COLUMNS):
        parts = []
        for plane, step in zip(planes, (1, 2, 2)):
            side = SIDE // step
            y, x = at // COLUMNS * side, at % COLUMNS * side
            parts.append(plane[y:y + side, x:x + side])
        stream = heif_file.encode(parts, layout, 8, "crf=10", FULL)
        for part, decoded in zip(parts, heif_file.decode(stream, 8, [part.shape for part in parts])):
            part[:] = decoded
        cells.append(file.picture(
            Picture(stream, layout, 8), heif_file.size(SIDE, SIDE), heif_file.channels(*[8] * len(planes))))
    file.refer("dimg", item, *cells)
    return item


planes = planes_of(colours(*CANVAS), "420", 8)
file = File()
add_grid(file, planes, "420", SHOWN)
whole = shown(rgb_of(planes, "420", 8))[:SHOWN[1], :SHOWN[0]]
add("grid", file, whole, isCommon=True)
alpha = [np.rint(transparency(*CANVAS) * 255)]
file = File()
add_grid(file, planes, "420", SHOWN, *heif_file.turned(6))
file.refer("auxl", add_grid(file, alpha, "400", SHOWN, ALPHA, *heif_file.turned(6)), 1)
whole = shown(rgb_of(planes, "420", 8))[:SHOWN[1], :SHOWN[0]]
whole[..., 3] = alpha[0][:SHOWN[1], :SHOWN[0]]
add("grid-alpha", file, upright(whole, 6), orientation=6)

file = File()
item = file.add("iden", b"", heif_file.size(*SIZE), *heif_file.turned(3))
file.refer("dimg", item, file.picture(lossless, heif_file.size(*SIZE), heif_file.channels(8, 8, 8)))
add("identity", file, upright(shown(rgb), 3), orientation=3)
# As libheif 1.15 cuts what fills a picture up: by an identity with an aperture on the picture that it is of.
planes = planes_of(colours(64, 64), "420", 8)
file = File()
item = file.add("iden", b"", heif_file.size(37, 23), heif_file.aperture(37, 23, -27, -41))
file.refer("dimg", item, file.picture(coded(planes, "420"), heif_file.size(64, 64), heif_file.channels(8, 8, 8)))
add("identity-cut", file, shown(rgb_of(planes, "420", 8))[:23, :37])
# As heif-enc 1.15 writes odd sizes: a grid of one cell that goes beyond it.
file = File()
item = file.add("grid", struct.pack(">BBBBHH", 0, 0, 0, 0, 45, 37), heif_file.size(45, 37), inline=True)
file.refer("dimg", item, file.picture(coded(planes, "420"), heif_file.size(64, 64), heif_file.channels(8, 8, 8)))
add("grid-single", file, shown(rgb_of(planes, "420", 8))[:37, :45])
file = File()
file.picture(lossless, heif_file.size(*SIZE), pieces=3)
add("pieces", file, shown(rgb), isCommon=True)
tall = planes_of(colours(64, 64), "420", 8)
stream = heif_file.encode(tall, "420", 8, "crf=6", "ctu=16:" + FULL, slices=2)
tall = heif_file.decode(stream, 8, [plane.shape for plane in tall])
add("slices", still(Picture(stream, "420", 8), 64, 64), shown(rgb_of(tall, "420", 8)), isCommon=True)
file = still(lossless, *SIZE, brand="mif1", brands=("mif1", "miaf", "heic"))
small = planes_of(colours(16, 16), "420", 8)
item = file.picture(coded(small, "420"), heif_file.size(16, 16), heif_file.channels(8, 8, 8))
file.refer("thmb", item, 1)
# An orientation in Exif is not to be applied beside the file's own (ISO/IEC 23008-12, annex A.2.1).
exif = struct.pack(">I", 6) + b"Exif\0\0II" + struct.pack("<HIHHHIHHI", 42, 8, 1, 0x0112, 3, 1, 6, 0, 0)
file.refer("cdsc", file.add("Exif", exif), 1)
add("thumbnail-exif", file, shown(rgb), isCommon=True)

# --- Files that are no pictures

cell = planes_of(colours(SIDE, SIDE), "420", 8)
cell = Picture(heif_file.encode(cell, "420", 8, "crf=20", FULL), "420", 8)
(HERE / "heic-cell.heic").write_bytes(still(cell, SIDE, SIDE).bytes())


def bits(*fields):
    """Numbers of so many bits; of as many as they need (ITU-T H.265, section 9.2) where none is said."""
    text = ""
    for field in fields:
        value, count = field if isinstance(field, tuple) else (field + 1, 2 * (field + 1).bit_length() - 1)
        text += f"{value:0{count}b}"
    text += "1"
    text += "0" * (-len(text) % 8)
    return bytes(int(text[at:at + 8], 2) for at in range(0, len(text), 8))


def escaped(data):
    result = bytearray()
    for byte in data:
        if byte <= 3 and result[-2:] == b"\0\0":
            result.append(3)
        result.append(byte)
    return bytes(result)


for name, window in [("larger", [(0, 1)]), ("cropped", [(1, 1), 0, (16384 - WIDTH) // 2, 0, (16384 - HEIGHT) // 2])]:
    parameters = escaped(b"\x42\1" + bits(
        (0, 4), (0, 3), (1, 1), (0x03, 8), (0x70000000, 32), (0, 48), (30, 8), 0, 1, 16384, 16384, *window, 0, 0, 4, (1, 1),
        0, 0, 0, 0, 3, 0, 3, 0, 0, (0, 1), (0, 1), (0, 1), (0, 1), 0, (0, 1), (0, 1), (0, 1), (0, 1), (0, 1)))
    start = lossless.configuration.index(b"\xA1\0\1")
    length = 5 + struct.unpack(">H", lossless.configuration[start + 3:start + 5])[0]
    sets = lossless.configuration[8:start] + b"\xA1" + struct.pack(">HH", 1, len(parameters)) + parameters
    picture = Picture.__new__(Picture)
    picture.data = lossless.data
    picture.configuration = heif_file.box("hvcC", sets, lossless.configuration[start + length:])
    (HERE / f"bomb-heic-{name}.heic").write_bytes(still(picture, *SIZE).bytes())

(HERE / "heic.json").write_text(json.dumps(manifest, indent=1) + "\n")
