#!/usr/bin/env python3
"""Makes avif-*.avif, and avif.json and avif-sequences.json with what each must decode to.

    python3 make-avif.py

Needs Pillow 11.3 or newer with its own libavif (which is newer than Debian's), and avifenc (Debian: libavif-bin) for depths
and layouts that Pillow does not write. Pixels are Pillow's, turned as the file says; those of more than 8 bits, where libyuv
is several levels off, are computed here from the planes that avifdec gives.
"""
import base64
import io
import json
import pathlib
import subprocess
import tempfile

import numpy as np
from PIL import Image, ImageOps

HERE = pathlib.Path(__file__).parent
manifest = []
WIDTH, HEIGHT = 45, 38
y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
RGB = np.dstack([255 * x // (WIDTH - 1), 255 * y // (HEIGHT - 1), 127 + 60 * np.sin((x + y) / 9)]).astype(np.uint8)
ALPHA = np.where((x - 20) ** 2 + (y - 18) ** 2 < 200, 255, 255 * x // WIDTH).astype(np.uint8)
RGBA = np.dstack([RGB, ALPHA])


def base64_of(rgba):
    """Premultiplied."""
    rgba = rgba.astype(np.uint32)
    product = rgba[..., :3] * rgba[..., 3:] + 128
    return base64.b64encode(np.dstack([(product + (product >> 8)) >> 8, rgba[..., 3:]]).astype(np.uint8).tobytes()).decode()


def add(name, data, rgba=None, **facts):
    file = f"avif-{name}.avif"
    (HERE / file).write_bytes(data)
    if rgba is None:
        rgba = np.asarray(ImageOps.exif_transpose(Image.open(io.BytesIO(data))).convert("RGBA"))
    manifest.append(dict(
        file=file, width=rgba.shape[1], height=rgba.shape[0], pixels=base64_of(rgba),
        bitDepth=8, hasAlpha=False, orientation=1) | facts)


def doubled(plane, axis, length):
    """Twice as many samples, each three quarters of the nearest and a quarter of the next, as chroma lies between luma."""
    plane = np.moveaxis(plane, axis, 0)
    padded = np.concatenate([plane[:1], plane, plane[-1:]])
    before, after = plane * 0.75 + padded[:-2] * 0.25, plane * 0.75 + padded[2:] * 0.25
    return np.moveaxis(np.stack([before, after], 1).reshape(-1, *plane.shape[1:])[:length], 0, axis)


def from_planes(data, depth, alpha=np.full_like(ALPHA, 255), layout="444"):
    """A picture of full range, by ITU-R BT.601; avifenc keeps alpha exactly."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "a.avif").write_bytes(data)
        subprocess.run(["avifdec", f"{folder}/a.avif", f"{folder}/a.y4m"], check=True, stdout=subprocess.DEVNULL)
        file = (pathlib.Path(folder) / "a.y4m").read_bytes()
    samples = np.frombuffer(file[file.index(b"FRAME\n") + 6:], "<u2").astype(float)
    most, middle = 2 ** depth - 1, 2 ** (depth - 1)
    luma = samples[:WIDTH * HEIGHT].reshape(HEIGHT, WIDTH) / most
    if layout == "400":
        blue = red = np.zeros_like(luma)
    else:
        columns = WIDTH if layout == "444" else (WIDTH + 1) // 2
        rows = (HEIGHT + 1) // 2 if layout == "420" else HEIGHT
        blue, red = (samples[WIDTH * HEIGHT:].reshape(-1, rows, columns)[:2] - middle) / most
        if columns < WIDTH:
            blue, red = doubled(blue, 1, WIDTH), doubled(red, 1, WIDTH)
        if rows < HEIGHT:
            blue, red = doubled(blue, 0, HEIGHT), doubled(red, 0, HEIGHT)
    r, b = luma + 1.402 * red, luma + 1.772 * blue
    g = (luma - 0.299 * r - 0.114 * b) / 0.587
    rgb = np.clip(np.rint(np.dstack([r, g, b]) * 255), 0, 255)
    return np.dstack([rgb, alpha]).astype(np.uint8)


def saved(pixels, **more):
    target = io.BytesIO()
    Image.fromarray(pixels).save(target, "AVIF", quality=90, speed=6, **more)
    return target.getvalue()


def encoded(pixels, *options):
    with tempfile.TemporaryDirectory() as folder:
        source, target = f"{folder}/source.png", f"{folder}/target.avif"
        Image.fromarray(pixels).save(source)
        subprocess.run(["avifenc", "--min", "0", "--max", "10", "-s", "6", *options, source, target], check=True,
                       stdout=subprocess.DEVNULL)
        return pathlib.Path(target).read_bytes()


for subsampling in ["4:4:4", "4:2:2", "4:2:0"]:
    add(f"{subsampling.replace(':', '')}", saved(RGB, subsampling=subsampling))
add("grey", saved(RGB[..., 0], subsampling="4:0:0"))
add("alpha", saved(RGBA, subsampling="4:4:4"), hasAlpha=True)
for orientation in range(1, 9):
    exif = Image.Exif()
    exif[0x0112] = orientation
    add(f"orientation{orientation}", saved(RGB, subsampling="4:4:4", exif=exif), orientation=orientation)
for depth in [10, 12]:
    data = encoded(RGB, "-y", "444", "-d", str(depth))
    add(f"depth{depth}", data, from_planes(data, depth), bitDepth=depth)
    data = encoded(RGBA, "-y", "444", "-d", str(depth))
    add(f"alpha-depth{depth}", data, from_planes(data, depth, ALPHA), bitDepth=depth, hasAlpha=True)
for layout in ["400", "420", "422"]:
    add(f"{layout}-alpha", encoded(RGBA, "-y", layout), hasAlpha=True)
    for depth in [10, 12]:
        data = encoded(RGB, "-y", layout, "-d", str(depth))
        add(f"{layout}-depth{depth}", data, from_planes(data, depth, layout=layout), bitDepth=depth)
        data = encoded(RGBA, "-y", layout, "-d", str(depth))
        add(f"{layout}-alpha-depth{depth}", data, from_planes(data, depth, ALPHA, layout), bitDepth=depth, hasAlpha=True)
data = encoded(RGBA, "-y", "444", "--premultiply")
add("premultiplied", data, hasAlpha=True)
add("limited", encoded(RGB, "-y", "444", "-r", "limited"))
add("lossless", encoded(RGB, "-l"))
add("grid", encoded(np.tile(RGB[:32, :32], (4, 4, 1)), "-y", "444", "-g", "2x2"))
(HERE / "avif.json").write_text(json.dumps(manifest, indent=1) + "\n")

sequences = []
MILLISECONDS = [100, 200, 5, 40, 1000, 70]
for name, pixels in [("", RGB), ("-alpha", RGBA)]:
    frames = [Image.fromarray(np.roll(pixels, 3 * number, axis=1)) for number in range(len(MILLISECONDS))]
    target = io.BytesIO()
    frames[0].save(
        target, "AVIF", save_all=True, append_images=frames[1:], duration=MILLISECONDS, quality=80, speed=6)
    file = f"avif-sequence{name}.avif"
    (HERE / file).write_bytes(target.getvalue())
    sequence, shown = Image.open(target), []
    for number in range(len(MILLISECONDS)):
        sequence.seek(number)
        shown.append(base64_of(np.asarray(sequence.convert("RGBA"))))
    sequences.append(dict(
        file=file, width=WIDTH, height=HEIGHT, hasAlpha=bool(name), frames=shown,
        # As browsers show them: a hundredth of a second or less is a tenth.
        durations=[0.1 if each <= 10 else each / 1000 for each in MILLISECONDS]))
(HERE / "avif-sequences.json").write_text(json.dumps(sequences, indent=1) + "\n")
