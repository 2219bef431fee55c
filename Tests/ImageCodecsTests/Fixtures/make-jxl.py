#!/usr/bin/env python3
"""Makes jxl-*.jxl, jxl.json and jxl-animations.json with what each must decode to, and jxl-headers.json.

    python3 make-jxl.py

Needs cjxl of libjxl 0.7 (Debian: libjxl-tools), numpy, Pillow, and pillow-jxl-plugin. What is lossless must give the pixels
that were written; a JPEG put into the format what Pillow makes of the JPEG; and the rest, there being no other decoder at
hand, what the newer libjxl (0.11) of pillow-jxl-plugin makes of it.
"""
import base64
import io
import json
import pathlib
import subprocess
import tempfile

import numpy as np
import pillow_jxl  # noqa: F401
from PIL import Image, ImageCms

import jxl_writer
import png_writer

HERE = pathlib.Path(__file__).parent
manifest = []
WIDTH, HEIGHT = 45, 38
y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
RGB = np.dstack([255 * x // (WIDTH - 1), 255 * y // (HEIGHT - 1), 127 + 60 * np.sin((x + y) / 9)]).astype(np.uint8)
ALPHA = np.where((x - 20) ** 2 + (y - 18) ** 2 < 200, 255, 255 * x // WIDTH).astype(np.uint8)
GREY = RGB[..., :1] // 2 + RGB[..., 1:2] // 3
DEEP = (RGB.astype(int) * 257 + np.dstack([x * 3, y * 5, x + y]) % 257).clip(0, 65535)
DEEP_ALPHA = (ALPHA.astype(int) * 257).clip(0, 65535)


def premultiplied(rgba):
    rgba = rgba.astype(np.uint32)
    product = rgba[..., :3] * rgba[..., 3:] + 128
    return np.dstack([(product + (product >> 8)) >> 8, rgba[..., 3:]]).astype(np.uint8)


def base64_of(pixels):
    return base64.b64encode(pixels.tobytes()).decode()


def rgba_of(samples, most=255):
    """Of 1 to 4 channels, in 8 bits to the nearest."""
    samples = (samples.astype(np.uint64) * 510 + most) // (2 * most)
    colors = samples[..., :3] if samples.shape[2] > 2 else np.repeat(samples[..., :1], 3, axis=2)
    alpha = samples[..., -1:] if samples.shape[2] % 2 == 0 else np.full_like(samples[..., :1], 255)
    return np.concatenate([colors, alpha], axis=2).astype(np.uint8)


def png(samples, number=8):
    return png_writer.png(samples, [0, 4, 2, 6][samples.shape[2] - 1], number)


def encoded(source, suffix, *options):
    with tempfile.TemporaryDirectory() as folder:
        before, after = pathlib.Path(folder) / f"source.{suffix}", pathlib.Path(folder) / "target.jxl"
        before.write_bytes(source)
        subprocess.run(["cjxl", "--quiet", before, after, *options], check=True, stderr=subprocess.DEVNULL)
        return after.read_bytes()


def newer(data):
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))


def add(name, data, pixels, tolerance=0, **facts):
    """`pixels` are premultiplied."""
    file = f"jxl-{name}.jxl"
    (HERE / file).write_bytes(data)
    manifest.append(dict(
        file=file, width=pixels.shape[1], height=pixels.shape[0], pixels=base64_of(pixels), tolerance=tolerance,
        bitDepth=8, hasAlpha=False, orientation=1, color="sRGB") | facts)


def lossless(name, samples, number=8, options=(), **facts):
    most = 2 ** number - 1
    if number in (8, 16):
        source = png(samples, number)
    else:
        # In 16 bits, of which cjxl makes so many again.
        source = png((samples.astype(int) * 65535 + most // 2) // most, 16)
        options = [*options, f"--override_bitdepth={number}"]
    data = encoded(source, "png", "-d", "0", *options)
    facts = dict(bitDepth=number, hasAlpha=samples.shape[2] % 2 == 0) | facts
    add(name, data, premultiplied(rgba_of(samples, most)), **facts)
    return data


def lossy(name, samples, *options, **facts):
    data = encoded(png(samples), "png", *options)
    facts = dict(hasAlpha=samples.shape[2] % 2 == 0) | facts
    add(name, data, premultiplied(newer(data)), tolerance=2, **facts)


RGBA = np.dstack([RGB, ALPHA])
plain = lossless("rgb", RGB)
alpha = lossless("rgba", RGBA)
lossless("grey", GREY)
lossless("grey-alpha", np.dstack([GREY, ALPHA]))
lossless("rgb16", DEEP, 16)
lossless("rgba16", np.dstack([DEEP, DEEP_ALPHA]), 16)
lossless("grey16", DEEP[..., :1], 16)
lossless("rgb10", DEEP >> 6, 10)
lossless("rgba12", np.dstack([DEEP, DEEP_ALPHA]) >> 4, 12)
lossless("squeezed", RGB, options=["-R", "1"])
lossless("palette", RGB // 64 * 64)
lossless("container", RGB, options=["--container=1"])
# More than one group of 128 pixels, so that the list of sections has several entries; in the order of a spiral, too.
wide = np.tile(RGB[:20], (1, 7, 1))
lossless("groups", wide, options=["-g", "0"])
lossless("groups-permuted", wide, options=["-g", "0", "--group_order=1"])
# Of enough bytes to be decoded in pieces.
noise = np.random.default_rng(3).integers(0, 256, (24, 300, 3)).astype(np.uint8)
lossless("noise", noise, options=["-g", "0"])

# Colours that are multiplied by their alpha already.
multiplied = premultiplied(RGBA)
data = encoded(png(RGBA), "png", "-d", "0", "--premultiply=1")
add("premultiplied", data, multiplied, tolerance=1, hasAlpha=True)

exif = Image.Exif()
for orientation in range(1, 9):
    exif[0x0112] = orientation
    target = io.BytesIO()
    Image.fromarray(RGB).save(target, "JPEG", quality=95, subsampling=0, exif=exif)
    data = encoded(target.getvalue(), "jpg", "--lossless_jpeg=1")
    stored = np.asarray(Image.open(io.BytesIO(target.getvalue())).convert("RGBA"))
    steps = [
        lambda p: p, np.fliplr, lambda p: np.rot90(p, 2), np.flipud, lambda p: p.transpose(1, 0, 2),
        lambda p: np.rot90(p, 3), lambda p: np.rot90(p, 2).transpose(1, 0, 2), np.rot90,
    ]
    add(f"orientation{orientation}", data, steps[orientation - 1](stored), tolerance=2, orientation=orientation)

for name, options in [
    ("420", dict(subsampling=2)), ("422", dict(subsampling=1)), ("progressive", dict(subsampling=0, progressive=True)),
]:
    target = io.BytesIO()
    Image.fromarray(RGB).save(target, "JPEG", quality=90, **options)
    pixels = np.asarray(Image.open(io.BytesIO(target.getvalue())).convert("RGBA"))
    # Waves and chroma are turned into pixels in fractions here, and in whole numbers there.
    tolerance = 3 if name == "progressive" else 5
    add(f"jpeg-{name}", encoded(target.getvalue(), "jpg", "--lossless_jpeg=1"), pixels, tolerance=tolerance)
target = io.BytesIO()
Image.fromarray(GREY[..., 0]).save(target, "JPEG", quality=90)
add("jpeg-grey", encoded(target.getvalue(), "jpg", "--lossless_jpeg=1"),
    np.asarray(Image.open(io.BytesIO(target.getvalue())).convert("RGBA")), tolerance=2)

lossy("lossy", RGB, "-d", "1")
lossy("lossy-alpha", RGBA, "-d", "1")
lossy("lossy-grey", GREY, "-d", "1")
lossy("lossy-progressive", RGB, "-d", "1", "-p", "--progressive_dc=1")
lossy("lossy-modular", RGB, "-d", "1", "-m", "1")
# So coarse that it is stored at half its size.
lossy("lossy-half", RGB, "-d", "25")
lossy("lossy-fast", RGB, "-d", "3", "-e", "3", "--epf=3", "--gaborish=1")
# Letters, of which patches are made.
letters = np.full((40, 150, 3), 240, np.uint8)
for row in range(4, 30, 16):
    for column in range(4, 140, 12):
        letters[row:row + 9, column:column + 2] = letters[row + 4:row + 6, column:column + 8] = (20, 30, 40)
lossy("patches", letters, "-d", "1", "-e", "7", "--patches=1")

# Other colours than sRGB. What they are in sRGB is known from make-colors.py.
colors = {entry["file"]: entry for entry in json.loads((HERE / "colors.json").read_text())}
untagged = np.asarray(Image.open(HERE / "color-untagged.png").convert("RGB"))


def known(entry):
    return np.frombuffer(base64.b64decode(entry["pixels"]), np.uint8).reshape(entry["height"], entry["width"], 4)


for name in ["p3", "adobe", "swapped"]:
    entry = colors[f"color-profile-{name}.png"]
    data = encoded((HERE / f"color-profile-{name}.png").read_bytes(), "png", "-d", "0")
    add(f"color-profile-{name}", data, known(entry), tolerance=entry["tolerance"] + 1, color="other")
for name, space, file in [
    ("p3", "RGB_D65_DCI_Rel_SRG", "color-points-p3.png"), ("2020-linear", "RGB_D65_202_Rel_Lin", "color-points-2020-linear.png"),
    ("pq", "RGB_D65_202_Rel_PeQ", "color-points-pq.png"), ("hlg", "RGB_D65_202_Rel_HLG", "color-points-hlg.png"),
]:
    entry = colors.get(file)
    if entry is None:
        print("no", file)
        continue
    data = encoded(png(untagged), "png", "-d", "0", "-x", f"color_space={space}")
    add(f"color-{name}", data, known(entry), tolerance=entry["tolerance"] + 1, color="other")
# In the format's own space, of which decoders make what the file says. What is lossy here differs from what was written by
# up to twenty levels, but little from what Little CMS makes of another decoder's pixels; light is known to be of fewer levels
# there.
for name, space, file in [
    ("p3", "RGB_D65_DCI_Rel_SRG", "color-points-p3.png"), ("profile-p3", None, "color-profile-p3.png"),
    ("profile-adobe", None, "color-profile-adobe.png"), ("2020-linear", "RGB_D65_202_Rel_Lin", "color-points-2020-linear.png"),
]:
    options = ["-x", f"color_space={space}"] if space else []
    source = png(untagged) if space else (HERE / file).read_bytes()
    data = encoded(source, "png", "-d", "0.05", "-e", "9", *options)
    if name == "2020-linear":
        pixels, tolerance = known(colors[file]), 22
    else:
        picture = Image.open(io.BytesIO(data)).convert("RGB")
        profile = ImageCms.ImageCmsProfile(io.BytesIO(Image.open(io.BytesIO(data)).info["icc_profile"]))
        converted = ImageCms.profileToProfile(picture, profile, ImageCms.createProfile("sRGB"), 0)
        # Of wider colours the newer one gives all, and Little CMS those of sRGB; the older one gives those of sRGB itself.
        pixels, tolerance = np.asarray(converted.convert("RGBA")), 12 if name == "profile-adobe" else 6
    add(f"lossy-color-{name}", data, pixels, tolerance=tolerance, color="other")

# In containers.
add("parts", jxl_writer.in_parts(plain, [1, 2, 3, 50], jxl_writer.box(b"Exif", bytes(20))), premultiplied(rgba_of(RGB)))
(HERE / "jxl.json").write_text(json.dumps(manifest, indent=1) + "\n")

# --- Animations. Of frames that cover what changes cjxl 0.7 makes wrong ones, so that these are whole.

animations = []
MILLISECONDS = [100, 200, 5, 40, 1000, 70]


def animation(name, frames, *options):
    target = io.BytesIO()
    pictures = [Image.fromarray(frame) for frame in frames]
    pictures[0].save(target, "PNG", save_all=True, append_images=pictures[1:], duration=MILLISECONDS)
    file = f"jxl-animated{name}.jxl"
    (HERE / file).write_bytes(encoded(target.getvalue(), "apng", "-d", "0", *options))
    rgba = [np.asarray(picture.convert("RGBA")) for picture in pictures]
    animations.append(dict(
        file=file, width=frames[0].shape[1], height=frames[0].shape[0], hasAlpha=frames[0].shape[2] == 4,
        frames=[base64_of(premultiplied(each)) for each in rgba],
        # As browsers show them: a hundredth of a second or less is a tenth.
        durations=[0.1 if each <= 10 else each / 1000 for each in MILLISECONDS]))


moving = [np.roll(RGB, 3 * number, axis=1) for number in range(6)]
animation("", moving, "--container=1")
animation("-alpha", [np.dstack([each, np.roll(ALPHA, 5 * number, axis=0)]) for number, each in enumerate(moving)])
# Of several groups in the order of a spiral, which is not decoded.
target = io.BytesIO()
tiles = [Image.fromarray(np.tile(each[:20], (1, 7, 1))) for each in moving[:2]]
tiles[0].save(target, "PNG", save_all=True, append_images=tiles[1:], duration=100)
data = encoded(target.getvalue(), "apng", "-d", "0", "-g", "0", "--group_order=1")
(HERE / "jxl-permuted-frames.jxl").write_bytes(data)
(HERE / "jxl-animations.json").write_text(json.dumps(animations, indent=1) + "\n")

# --- Headers without a picture behind them, with every field that there is.

headers = []


def header(width, height, expected=None, **fields):
    """`expected` are the facts that are not as by default."""
    facts = dict(
        width=width, height=height, bitDepth=8, hasAlpha=False, orientation=1, color="sRGB", model="rgb", loopCount=None)
    data = jxl_writer.header(width, height, **fields).bytes()
    headers.append(dict(data=base64.b64encode(data).decode()) | facts | (expected or {}))


header(1, 1, plain=True)
header(256, 8, small=True, plain=True)
for ratio, (over, under) in jxl_writer.RATIOS.items():
    header(1001 * over // under, 1001, ratio=ratio, plain=True)
    header(200 * over // under, 200, small=True, ratio=ratio)
for side in [512, 513, 8192, 8193, 262144, 262145, 1 << 30]:
    header(side, 7)
    header(7, side)
for orientation in range(1, 9):
    header(9, 5, dict(orientation=orientation), orientation=orientation)
for number in [1, 8, 10, 12, 16, 31]:
    header(9, 5, dict(bitDepth=number), number=number)
for number, exponent in [(16, 5), (24, 7), (32, 8), (16, 8), (14, 3)]:
    header(9, 5, dict(bitDepth=number), number=number, exponent=exponent)
opaque = [dict(kind=kind) for kind in [1, 2, 3, 5, 6, 7, 15, 16]]
alpha = dict(kind=0, number=16, halvings=3, name="\u00e4lpha".encode(), premultiplied=True)
header(9, 5, channels=opaque, orientation=6, expected=dict(orientation=6))
header(9, 5, dict(hasAlpha=True), channels=[None])
header(9, 5, dict(hasAlpha=True), channels=opaque + [alpha])
header(9, 5, dict(model="cmyk", color="profile"), channels=[dict(kind=4, name=bytes(1071))], xyb=False,
       colors=dict(profile=True), profile_bytes=557168)
header(9, 5, dict(model="grey", color="profile"), colors=dict(profile=True, space=1), profile_bytes=3)
header(9, 5, dict(color="profile"), colors=dict(profile=True), profile_bytes=300)
header(9, 5, dict(hasAlpha=True), channels=[dict(kind=1)] * 4095 + [dict(kind=0, halvings=8)])
for facts, fields in [
    (dict(color="sRGB"), dict()), (dict(model="grey"), dict(space=1)), (dict(color="sRGB"), dict(space=2)),
    (dict(color="other"), dict(white=11, primaries=11, transfer=17)), (dict(color="other"), dict(white=10)),
    (dict(color="other"), dict(primaries=9, transfer=16)), (dict(color="other"), dict(transfer=8)),
    (dict(color="sRGB"), dict(transfer=1)), (dict(color="other"), dict(primaries=9, transfer=18)),
    (dict(color="other"), dict(gamma=4545455)), (dict(color="other", model="grey"), dict(space=1, gamma=5555556)),
    (dict(color="other"), dict(white=[312700, 329000], primaries=[640000, 330000, 210000, 710000, 150000, -60000])),
    (dict(color="other"), dict(white=[1, -1100000], transfer=13)),
]:
    header(9, 5, facts, colors=fields, xyb=False)
header(9, 5, intrinsic=(30, 20))
header(9, 5, preview=(256, 16))
header(9, 5, preview=(8, 4096))
for ticks, seconds, loops in [(100, 1, 0), (1000, 1001, 3), (24, 2, 65535), (1 << 30, 1024, 1 << 31)]:
    header(9, 5, dict(loopCount=loops), animation=(ticks, seconds, loops, loops == 3))
header(9, 5, tone=True)
header(9, 5, extensions=[3, 0, 300, 4000])
header(9, 5, matrix=True, weights=7)
header(9, 5, xyb=False, weights=5)
header(1000, 750, dict(orientation=7, hasAlpha=True, bitDepth=10, color="other", loopCount=5), ratio=3, orientation=7,
       intrinsic=(500, 375), preview=(1024, 768), animation=(1000, 1, 5, True), number=10, channels=[alpha, *opaque],
       colors=dict(primaries=11), tone=True, extensions=[7], matrix=True, weights=1)
(HERE / "jxl-headers.json").write_text(json.dumps(headers, indent=1) + "\n")
