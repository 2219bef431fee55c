#!/usr/bin/env python3
"""Makes color-*.png, .jpg and .webp, and colors.json with the pixels of each in sRGB.

    python3 make-colors.py

Needs Pillow and numpy. The ICC profiles are written here. What is expected of profiles of primaries and curves is computed
below from their definitions, without a colour library; that of a profile of inks by Little CMS through Pillow.
"""
import base64
import io
import json
import pathlib
import struct
import zlib

import numpy as np
from PIL import Image, ImageCms

HERE = pathlib.Path(__file__).parent
WIDTH, HEIGHT = 24, 16
manifest = []

# --- Colour, by the book

SRGB = ((0.3127, 0.3290), (0.64, 0.33), (0.30, 0.60), (0.15, 0.06))
P3 = ((0.3127, 0.3290), (0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
ADOBE = ((0.3127, 0.3290), (0.64, 0.33), (0.21, 0.71), (0.15, 0.06))
REC2020 = ((0.3127, 0.3290), (0.708, 0.292), (0.170, 0.797), (0.131, 0.046))
SWAPPED = (SRGB[0], SRGB[2], SRGB[1], SRGB[3])
BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
D50 = np.array([0.9642, 1.0, 0.8249])


def xyz(xy):
    return np.array([xy[0] / xy[1], 1, (1 - xy[0] - xy[1]) / xy[1]])


def to_xyz(space):
    columns = np.column_stack([xyz(point) for point in space[1:]])
    return columns * np.linalg.solve(columns, xyz(space[0]))


def to_d50(space):
    cone = BRADFORD @ xyz(space[0])
    return np.linalg.inv(BRADFORD) @ np.diag(BRADFORD @ D50 / cone) @ BRADFORD @ to_xyz(space)


def srgb_light(value):
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def srgb_value(light):
    light = np.clip(light, 0, 1)
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def pq_light(value):
    root = value ** (32 / 2523)
    return (np.maximum(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (16384 / 2610) * 10000 / 203


def hlg_light(value):
    def scene(v):
        return np.where(v <= 0.5, v * v / 3, (np.exp((v - 0.55991073) / 0.17883277) + 0.28466892) / 12)
    return scene(value) / scene(np.array(0.75))


def converted(rgba, space, light):
    linear = np.clip(light(rgba[..., :3] / 255), 0, 1) @ (np.linalg.inv(to_d50(SRGB)) @ to_d50(space)).T
    colours = np.rint(srgb_value(linear) * 255)
    return np.dstack([colours, rgba[..., 3:]]).astype(np.uint8)


def gamma(exponent):
    return lambda value: value ** exponent


# --- ICC profiles (ICC.1:2001-04)

def s15(value):
    return struct.pack(">i", round(value * 65536))


def profile(space_name, tags, name="Vignette test", padding=0):
    description = b"desc\0\0\0\0" + struct.pack(">I", len(name) + 1) + name.encode() + b"\0" + bytes(78)
    elements = [(b"desc", description), (b"cprt", b"text\0\0\0\0CC0\0"), (b"wtpt", xyz_tag(D50))] + tags
    if padding:
        elements.append((b"PADD", b"text\0\0\0\0" + bytes(i * 7 % 251 for i in range(padding))))
    table, data = struct.pack(">I", len(elements)), b""
    start = 128 + 4 + 12 * len(elements)
    for tag, element in elements:
        table += tag + struct.pack(">II", start + len(data), len(element))
        data += element + bytes(-len(element) % 4)
    kind = b"prtr" if space_name == b"CMYK" else b"mntr"
    connection = b"Lab " if space_name == b"CMYK" else b"XYZ "
    header = struct.pack(">I4sI4s4s4s", start + len(data), b"\0\0\0\0", 0x02100000, kind, space_name, connection)
    header += struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp" + bytes(28) + b"".join(map(s15, D50)) + bytes(48)
    return header + table + data


def xyz_tag(values):
    return b"XYZ \0\0\0\0" + b"".join(map(s15, values))


def curve_tag(exponent):
    return b"curv\0\0\0\0" + struct.pack(">IH", 1, round(exponent * 256))


def table_tag(light):
    values = np.rint(light(np.linspace(0, 1, 1024)) * 65535).astype(">u2")
    return b"curv\0\0\0\0" + struct.pack(">I", 1024) + values.tobytes()


def rgb_profile(space, curve, **more):
    matrix = to_d50(space)
    tags = [(b"rXYZ", xyz_tag(matrix[:, 0])), (b"gXYZ", xyz_tag(matrix[:, 1])), (b"bXYZ", xyz_tag(matrix[:, 2]))]
    return profile(b"RGB ", tags + [(b"rTRC", curve), (b"gTRC", curve), (b"bTRC", curve)], **more)


def ink_profile():
    """Three inks and black on a two-point grid: L*a*b* of each corner as 8 bits (lut8Type)."""
    corners = b""
    for c in (0, 1):
        for m in (0, 1):
            for y in (0, 1):
                for k in (0, 1):
                    light = max(8, 100 - 28 * c - 40 * m - 10 * y) * (0.12 if k else 1)
                    a, b = (-35 * c + 70 * m) * (1 - k), (-50 * c - 5 * m + 85 * y) * (1 - k)
                    corners += bytes([round(light * 255 / 100), round(a + 128), round(b + 128)])
    identity = bytes(range(256))
    lut = b"mft1\0\0\0\0" + bytes([4, 3, 2, 0]) + b"".join(map(s15, [1, 0, 0, 0, 1, 0, 0, 0, 1]))
    lut += identity * 4 + corners + identity * 3
    return profile(b"CMYK", [(b"A2B0", lut)])


# --- Files

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(pixels, mode, *chunks):
    """mode: 0 grey, 2 RGB, 6 RGBA."""
    height, width = pixels.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in pixels.reshape(height, -1))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, mode, 0, 0, 0))
            + b"".join(chunk(*each) for each in chunks) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def iccp(icc):
    return (b"iCCP", b"test\0\0" + zlib.compress(icc))


def gama(exponent):
    return (b"gAMA", struct.pack(">I", round(100000 / exponent)))


def chrm(space):
    return (b"cHRM", b"".join(struct.pack(">I", round(value * 100000)) for point in space for value in point))


def cicp(primaries, transfer):
    return (b"cICP", bytes([primaries, transfer, 0, 1]))


STANDARD = (b"sRGB", b"\0")


def add(file, data, rgba, tolerance, frame=None):
    (HERE / file).write_bytes(data)
    rgba = rgba.astype(np.uint32)
    product = rgba[..., :3] * rgba[..., 3:] + 128
    premultiplied = np.dstack([(product + (product >> 8)) >> 8, rgba[..., 3:]]).astype(np.uint8)
    manifest.append(dict(
        file=file, width=rgba.shape[1], height=rgba.shape[0], tolerance=tolerance, frame=frame,
        pixels=base64.b64encode(premultiplied.tobytes()).decode()))


y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
RGB = np.dstack([255 * x // (WIDTH - 1), 255 * y // (HEIGHT - 1), (x * 37 + y * 91) % 256]).astype(np.uint8)
RGBA = np.dstack([RGB, np.full((HEIGHT, WIDTH), 255, np.uint8)])
GLASS = np.dstack([RGB, np.where(x < WIDTH // 2, 255, np.where(x < WIDTH - 3, 128, 0)).astype(np.uint8)])
GREY = RGB[..., 0]
GREY_RGBA = np.dstack([GREY, GREY, GREY, RGBA[..., 3]])

p3 = rgb_profile(P3, table_tag(srgb_light))
adobe = rgb_profile(ADOBE, curve_tag(563 / 256))
swapped = rgb_profile(SWAPPED, table_tag(srgb_light))
plain = rgb_profile(SRGB, table_tag(srgb_light))
long = rgb_profile(P3, table_tag(srgb_light), padding=70_000)
grey = profile(b"GRAY", [(b"kTRC", curve_tag(1.0))])
IN_P3 = converted(RGBA, P3, srgb_light)
IN_SWAPPED = converted(RGBA, SWAPPED, srgb_light)
IN_GREY = converted(GREY_RGBA, SRGB, gamma(1.0))

for name, chunks, expected in [
    ("untagged", [], RGBA),
    ("standard", [STANDARD], RGBA),
    ("profile-srgb", [iccp(plain)], RGBA),
    ("profile-p3", [iccp(p3)], IN_P3),
    ("profile-adobe", [iccp(adobe)], converted(RGBA, ADOBE, gamma(563 / 256))),
    ("profile-swapped", [iccp(swapped)], IN_SWAPPED),
    ("profile-damaged", [iccp(p3[:200])], RGBA),
    ("profile-noise", [(b"iCCP", b"test\0\0" + bytes(range(200)))], RGBA),
    ("profile-of-grey", [iccp(grey)], RGBA),
    ("gamma-1", [gama(1)], converted(RGBA, SRGB, gamma(1))),
    ("gamma-0", [(b"gAMA", bytes(4))], RGBA),
    ("gamma-1.8-primaries-p3", [gama(1.8), chrm(P3)], converted(RGBA, P3, gamma(1.8))),
    ("primaries-p3", [chrm(P3)], IN_P3),
    ("primaries-senseless", [chrm(((0, 0), (0, 0), (0, 0), (0, 0)))], RGBA),
    ("standard-over-gamma", [gama(1), chrm(P3), STANDARD], RGBA),
    ("profile-over-standard", [STANDARD, gama(1), iccp(swapped)], IN_SWAPPED),
    ("points-over-profile", [iccp(swapped), cicp(12, 13)], IN_P3),
    ("points-p3", [cicp(12, 13)], IN_P3),
    ("points-2020-linear", [cicp(9, 8)], converted(RGBA, REC2020, gamma(1))),
    ("points-pq", [cicp(9, 16)], converted(RGBA, REC2020, pq_light)),
    ("points-hlg", [cicp(9, 18)], converted(RGBA, REC2020, hlg_light)),
    ("points-srgb", [cicp(1, 13)], RGBA),
    ("points-unknown", [cicp(2, 2)], RGBA),
]:
    add(f"color-{name}.png", png(RGB, 2, *chunks), expected, 2)
add("color-glass-p3.png", png(GLASS, 6, iccp(p3)), converted(GLASS, P3, srgb_light), 2)
add("color-grey-profile.png", png(GREY, 0, iccp(grey)), IN_GREY, 2)
add("color-grey-gamma.png", png(GREY, 0, gama(1)), IN_GREY, 2)


def decoded(data):
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))


def saved(image, kind, **more):
    target = io.BytesIO()
    image.save(target, kind, **more)
    return target.getvalue()


image = Image.fromarray(RGB)
for name, icc in [("p3", p3), ("long", long)]:
    data = saved(image, "JPEG", quality=95, subsampling=0, icc_profile=icc)
    add(f"color-{name}.jpg", data, converted(decoded(data), P3, srgb_light), 2)
data = saved(Image.fromarray(GREY), "JPEG", quality=95, icc_profile=grey)
add("color-grey.jpg", data, converted(decoded(data), SRGB, gamma(1)), 2)
data = saved(image, "JPEG", quality=95, subsampling=0, icc_profile=long)
hole = data.index(b"ICC_PROFILE\0\x02")
add("color-hole.jpg", data[:hole] + b"XCC_PROFILE\0\x02" + data[hole + 13:], decoded(data), 2)
data = saved(image, "WEBP", lossless=True, icc_profile=p3)
add("color-p3.webp", data, IN_P3, 2)

frames = [Image.fromarray(RGB), Image.fromarray(RGB[::-1])]
for kind, more in [("webp", dict(lossless=True)), ("png", {})]:
    data = saved(frames[0], kind.upper(), save_all=True, append_images=frames[1:], icc_profile=p3, duration=100, **more)
    for number, expected in [(0, IN_P3), (1, IN_P3[::-1])]:
        add(f"color-animated.{kind}", data, expected, 2, frame=number)

inks = Image.fromarray(np.dstack([RGB, (x * 5 + y * 3).astype(np.uint8)]), "CMYK")
icc = ink_profile()
data = saved(inks, "JPEG", quality=95, subsampling=0, icc_profile=icc)
transform = ImageCms.buildTransform(
    ImageCms.ImageCmsProfile(io.BytesIO(icc)), ImageCms.createProfile("sRGB"), "CMYK", "RGB",
    renderingIntent=ImageCms.Intent.PERCEPTUAL)
add("color-inks.jpg", data, np.asarray(ImageCms.applyTransform(Image.open(io.BytesIO(data)), transform).convert("RGBA")), 2)

(HERE / "colors.json").write_text(json.dumps(manifest, indent=1) + "\n")
