#!/usr/bin/env python3
"""Makes the pictures next to this file and, for each, the pixels it must decode to.

    python3 make-fixtures.py

Needs Pillow, numpy and jpegtran (Debian: libjpeg-turbo-progs). The result is the same at every run with the same Pillow (13.0 made the ones kept here). PNG and
GIF variants are written by small encoders, below and in `make_gif.py`, since Pillow cannot write most of them; the pixels
expected of them are computed from the source values and not by any decoder. For lossy formats the expected pixels are
Pillow's. `manifest.json` lists the stills that were made and `animations.json` the animations; `*.rgba` is width and
height (32 bits, little-endian) followed by premultiplied RGBA, an animation's frames one below the other.
"""
import io
import json
import random
import struct
import subprocess
import zlib

import numpy as np
from PIL import Image, ImageOps

import make_animations
import make_bmp
import make_gif
import make_ico
import jpeg_writer
from fixture_kit import (
    ALPHA, EXACT, GREY, H, HERE, OPAQUE, PHOTOS, RGB, RGBA, W, animations, entry, expect, manifest, picture, riff, saved, uint24, write)
from png_writer import chunk, png

# --- PNG

def opaque(grey_or_rgb):
    values = grey_or_rgb.astype(np.uint8)
    if values.ndim == 2:
        values = np.dstack([values] * 3)
    return np.dstack([values, np.full(values.shape[:2], 255, np.uint8)])


def make_png(name, samples, color_type, depth, expected, alpha=False, **options):
    if samples.ndim == 2:
        samples = samples[..., None]
    write(name + ".png", png(samples, color_type, depth, **options))
    expect(name + "-png", expected)
    entry(name + ".png", name + "-png", EXACT, alpha=alpha)


def make_pngs():
    make_png("rgb8", RGB, 2, 8, OPAQUE)
    make_png("rgba8", RGBA, 6, 8, RGBA, alpha=True)
    make_png("rgb8-interlaced", RGB, 2, 8, OPAQUE, interlaced=True)
    make_png("rgba8-interlaced", RGBA, 6, 8, RGBA, alpha=True, interlaced=True)
    for depth in (1, 2, 4, 8):
        levels = GREY >> (8 - depth)
        make_png(f"grey{depth}", levels, 0, depth, opaque(levels.astype(int) * 255 // (2 ** depth - 1)))
    make_png("grey-alpha8", np.dstack([GREY, ALPHA]), 4, 8, np.dstack([GREY] * 3 + [ALPHA]), alpha=True)

    noise = np.random.default_rng(2).integers(0, 65536, (H, W, 4))
    nearest = (noise * 255 + 32767) // 65535
    make_png("grey16", noise[..., 0], 0, 16, opaque(nearest[..., 0]))
    make_png("rgb16", noise[..., :3], 2, 16, opaque(nearest[..., :3]))
    make_png("rgba16", noise, 6, 16, nearest.astype(np.uint8), alpha=True)
    make_png("rgb16-interlaced", noise[..., :3], 2, 16, opaque(nearest[..., :3]), interlaced=True)
    make_png("rgba16-interlaced", noise, 6, 16, nearest.astype(np.uint8), alpha=True, interlaced=True)
    glassy = np.dstack([nearest[..., 0]] * 3 + [nearest[..., 3]]).astype(np.uint8)
    make_png("grey-alpha16", noise[..., [0, 3]], 4, 16, glassy, alpha=True)
    make_png("grey-alpha16-interlaced", noise[..., [0, 3]], 4, 16, glassy, alpha=True, interlaced=True)
    make_png("grey16-interlaced", noise[..., 0], 0, 16, opaque(nearest[..., 0]), interlaced=True)
    # A key of 16 bits is all of them: a neighbour that comes to the same 8 is no hole.
    for name, kind, samples in [("rgb16-key", 2, noise[..., :3].copy()), ("grey16-key", 0, noise[..., :1].copy())]:
        samples[0, 1] = samples[0, 0] ^ 1
        holes = np.where((samples == samples[0, 0]).all(axis=2), 0, 255)
        eight = np.dstack([(samples * 255 + 32767) // 65535] * (1 if kind == 2 else 3))
        make_png(name, samples, kind, 16, np.dstack([eight, holes]).astype(np.uint8), alpha=True,
                 before=chunk(b"tRNS", samples[0, 0].astype(">u2").tobytes()))

    for depth in (1, 2, 4, 8):
        colors = np.random.default_rng(depth).integers(0, 256, (2 ** depth, 4)).astype(np.uint8)
        indices = (GREY >> (8 - depth)).astype(int)
        palette = chunk(b"PLTE", colors[:, :3].tobytes())
        make_png(f"palette{depth}", indices, 3, depth, opaque(colors[indices][..., :3]), before=palette)
        make_png(
            f"palette{depth}-interlaced", indices, 3, depth, opaque(colors[indices][..., :3]), interlaced=True,
            before=palette)
        transparency = chunk(b"tRNS", colors[:, 3].tobytes())
        make_png(
            f"palette{depth}-transparent", indices, 3, depth, colors[indices], alpha=True,
            before=palette + transparency)
    key = RGB[0, 0]
    keyed = np.dstack([RGB, np.where((RGB == key).all(axis=2), 0, 255).astype(np.uint8)])
    make_png("rgb8-key", RGB, 2, 8, keyed, alpha=True, before=chunk(b"tRNS", struct.pack(">HHH", *key)))
    grey_key = int(GREY[0, 0])
    keyed = np.dstack([GREY] * 3 + [np.where(GREY == grey_key, 0, 255).astype(np.uint8)])
    make_png("grey8-key", GREY, 0, 8, keyed, alpha=True, before=chunk(b"tRNS", struct.pack(">H", grey_key)))

    one = np.array([[[200, 100, 50, 128]]], np.uint8)
    make_png("one-pixel", one, 6, 8, one, alpha=True)
    tall = picture(1, 10000)
    make_png("tall", tall, 2, 8, opaque(tall))
    wide = picture(10000, 1)
    make_png("wide", wide, 2, 8, opaque(wide))


# --- JPEG

def without_segment(data, marker):
    at = data.index(bytes([0xFF, marker]))
    length, = struct.unpack(">H", data[at + 2:at + 4])
    return data[:at] + data[at + 2 + length:]


def without_end(data):
    """A JPEG is whole without its end marker, or with half of it."""
    return len(data) - 2, len(data) - 1


def make_jpeg(name, data, psnr=50, whole_at=None):
    write(name + ".jpg", data)
    expect(name + "-jpg", np.asarray(Image.open(io.BytesIO(data)).convert("RGB").convert("RGBA")))
    entry(name + ".jpg", name + "-jpg", psnr, whole_at=without_end(data) if whole_at is None else whole_at)


def make_jpegs():
    image = Image.fromarray(RGB)
    make_jpeg("444", saved(image, "JPEG", quality=90, subsampling="4:4:4"))
    make_jpeg("422", saved(image, "JPEG", quality=90, subsampling="4:2:2"))
    make_jpeg("420", saved(image, "JPEG", quality=90, subsampling="4:2:0"))
    make_jpeg("restart", saved(image, "JPEG", quality=90, restart_marker_blocks=2))
    make_jpeg("progressive", saved(image, "JPEG", quality=90, progressive=True))
    make_jpeg("rgb", saved(image, "JPEG", quality=90, keep_rgb=True))
    make_jpeg("grey", saved(image.convert("L"), "JPEG", quality=90))
    make_jpeg("grey-progressive", saved(image.convert("L"), "JPEG", quality=90, progressive=True))
    ycc = [np.asarray(image.convert("YCbCr"))[..., each] for each in range(3)]
    for name, luma in [("440", (1, 2)), ("411", (4, 1)), ("410", (4, 2)), ("441", (1, 4))]:
        make_jpeg(name, jpeg_writer.jpeg(ycc, [luma, (1, 1), (1, 1)]))
    make_jpeg("mixed-factors", jpeg_writer.jpeg(ycc, [(2, 2), (2, 1), (1, 2)]))
    make_jpeg("420-scans", jpeg_writer.jpeg(ycc, [(2, 2), (1, 1), (1, 1)], is_interleaved=False))
    # The same coefficients in another code, of which only the end marker says that it is at its end.
    for name, options in [("arithmetic", []), ("arithmetic-progressive", ["-progressive"])]:
        command = ["jpegtran", "-arithmetic", *options, HERE / "420.jpg"]
        make_jpeg(name, subprocess.run(command, check=True, capture_output=True).stdout, whole_at=())
    make_jpeg("one-pixel", saved(Image.new("RGB", (1, 1), (200, 100, 50)), "JPEG"))

    ink = np.dstack([255 - RGB, np.full((H, W), 40, np.uint8)])
    cmyk = saved(Image.fromarray(ink, "CMYK"), "JPEG", quality=95)
    make_jpeg("cmyk", cmyk)
    make_jpeg("cmyk-progressive", saved(Image.fromarray(ink, "CMYK"), "JPEG", quality=95, progressive=True))
    make_jpeg("cmyk-no-adobe", without_segment(cmyk, 0xEE))
    # Pillow stores the four channels inverted and otherwise as they are. Luma and chroma in the places of C, M and Y,
    # with a mark that says so in Adobe's segment, make a YCCK file. They are those of the inks taken for R, G and B.
    ycc = np.asarray(Image.fromarray(255 - RGB).convert("YCbCr"))
    stored = np.dstack([ycc, np.full((H, W), 255 - 40, np.uint8)])
    ycck = bytearray(saved(Image.fromarray(255 - stored, "CMYK"), "JPEG", quality=95))
    ycck[ycck.index(b"Adobe") + 11] = 2
    write("ycck.jpg", bytes(ycck))
    expect("ycck-jpg", np.asarray(Image.fromarray(ink, "CMYK").convert("RGBA")))
    entry("ycck.jpg", "ycck-jpg", 30, whole_at=without_end(ycck))


# --- WebP

def make_webp(name, data, expected, psnr, alpha):
    write(name + ".webp", data)
    expect(name + "-webp", expected)
    entry(name + ".webp", name + "-webp", psnr, alpha=alpha)


def make_webps():
    image, transparent = Image.fromarray(RGB), Image.fromarray(RGBA)
    data = saved(image, "WEBP", quality=85)
    make_webp("lossy", data, np.asarray(Image.open(io.BytesIO(data)).convert("RGBA")), 45, False)
    data = saved(transparent, "WEBP", quality=85)
    make_webp("lossy-alpha", data, np.asarray(Image.open(io.BytesIO(data)).convert("RGBA")), 45, True)
    make_webp("lossless", saved(image, "WEBP", lossless=True), OPAQUE, EXACT, False)
    make_webp("lossless-alpha", saved(transparent, "WEBP", lossless=True, exact=True), RGBA, EXACT, True)
    # Few colours: libwebp packs up to eight pixels into one, by a palette of its own.
    for count in (2, 4, 16, 200):
        few = np.asarray(image.quantize(count).convert("RGB"))
        assert len(np.unique(few.reshape(-1, 3), axis=0)) <= count
        data = saved(Image.fromarray(few), "WEBP", lossless=True)
        make_webp(f"lossless-palette{count}", data, opaque(few), EXACT, False)
    for name, options in [
        ("alpha-levels", dict(quality=85, alpha_quality=30)), ("alpha-small", dict(quality=85, method=6)),
        ("alpha-fast", dict(quality=85, method=0)),
    ]:
        data = saved(transparent, "WEBP", **options)
        make_webp(f"lossy-{name}", data, np.asarray(Image.open(io.BytesIO(data)).convert("RGBA")), 45, True)
    one = np.array([[[200, 100, 50, 128]]], np.uint8)
    make_webp("one-pixel", saved(Image.fromarray(one), "WEBP", lossless=True, exact=True), one, EXACT, True)
    data = saved(image, "WEBP", lossless=True, save_all=True, append_images=[image.rotate(180)], duration=50)
    # Pillow declares every animation transparent.
    make_webp("animated", data, OPAQUE, EXACT, True)

    # An animation whose first frame covers only a part of the canvas, at (8, 4).
    frame = saved(Image.fromarray(RGB[:12, :20]), "WEBP", lossless=True)[12:]
    place = uint24(4) + uint24(2) + uint24(19) + uint24(11) + uint24(50) + b"\0"
    partial = riff(
        (b"VP8X", bytes([0x12, 0, 0, 0]) + uint24(W - 1) + uint24(H - 1)), (b"ANIM", bytes(6)),
        (b"ANMF", place + frame))
    expected = np.zeros((H, W, 4), np.uint8)
    expected[4:16, 8:28] = OPAQUE[:12, :20]
    make_webp("animated-partial", partial, expected, EXACT, True)


# --- Orientation: eight files of each format that all show the same upright picture

STORED_AS = {
    1: None, 2: Image.FLIP_LEFT_RIGHT, 3: Image.ROTATE_180, 4: Image.FLIP_TOP_BOTTOM, 5: Image.TRANSPOSE,
    6: Image.ROTATE_90, 7: Image.TRANSVERSE, 8: Image.ROTATE_270,
}


def make_orientations():
    # Larger than a strip of the row writer, and not a multiple of it.
    upright = Image.fromarray(picture(45, 38))
    expect("upright", np.asarray(upright.convert("RGBA")))
    small = upright.resize((12, 10), Image.LANCZOS)
    expect("upright-small", np.asarray(small.convert("RGBA")))
    for orientation, operation in STORED_AS.items():
        stored = upright.transpose(operation) if operation is not None else upright
        exif = Image.Exif()
        exif[0x0112] = orientation
        assert ImageOps.exif_transpose(Image.open(io.BytesIO(saved(stored, "PNG", exif=exif)))).size == upright.size
        for kind, suffix, options, psnr, small_psnr in [
            ("JPEG", "jpg", dict(quality=97, subsampling="4:4:4"), 35, 33), ("PNG", "png", {}, EXACT, 45),
            ("WEBP", "webp", dict(lossless=True), EXACT, 45),
        ]:
            name = f"orientation{orientation}.{suffix}"
            data = saved(stored, kind, exif=exif, **options)
            write(name, data)
            entry(name, "upright", psnr, orientation, whole_at=without_end(data) if kind == "JPEG" else ())
            entry(name, "upright-small", small_psnr, orientation, box=[12, 12])


# --- Scaled decodes of photos

def make_photos():
    for name, box, psnr in [
        ("dandelion-12mp.jpg", (100, 75), 50), ("dandelion-portrait-exif6.jpg", (60, 60), 48),
        ("chelsea.png", (60, 60), 54), ("coffee-round-alpha.png", (48, 48), 49), ("coffee.webp", (60, 60), 47),
        ("camera.jpg", (64, 64), 53), ("astronaut.jpg", (51, 51), 50),
    ]:
        original = Image.open(PHOTOS / name)
        orientation = original.getexif().get(0x0112, 1)
        image = ImageOps.exif_transpose(original)
        alpha = image.mode == "RGBA"
        factor = min(box[0] / image.width, box[1] / image.height)
        size = tuple(int(side * factor + 0.5) for side in image.size)
        result = image.convert("RGBA" if alpha else "RGB").resize(size, Image.LANCZOS).convert("RGBA")
        stem = name.replace(".", "-")
        expect(stem, np.asarray(result))
        entry(name, stem, psnr, orientation, alpha, list(box), photo=True)


# --- Files that lie

def make_bombs():
    row = zlib.compress(b"\0" * 100)
    header = struct.pack(">IIBBBBB", 50000, 50000, 16, 6, 0, 0, 1)
    write("bomb-50000.png", b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", row) + chunk(b"IEND", b""))
    profile = zlib.compress(b"\0" * (200 << 20), 9)
    bomb = png(RGB, 2, 8, before=chunk(b"iCCP", b"x\0\0" + profile))
    write("bomb-profile.png", bomb)
    for name, kind, marker in [("444", "baseline", 0xC0), ("progressive", "progressive", 0xC2)]:
        data = bytearray((HERE / f"{name}.jpg").read_bytes())
        at = data.index(bytes([0xFF, marker]))
        data[at + 5:at + 9] = struct.pack(">HH", 65500, 65500)
        write(f"bomb-65500-{kind}.jpg", data)
    data = (HERE / "progressive.jpg").read_bytes()
    # The first scan over and over: legal enough for libjpeg, and the picture is the same in the end.
    start = data.index(b"\xff\xda")
    end = start + 2
    while data[end] != 0xFF or data[end + 1] == 0:
        end += 1
    write("bomb-scans.jpg", data[:end] + data[start:end] * 200 + data[end:])


if __name__ == "__main__":
    random.seed(1)
    make_pngs()
    make_jpegs()
    make_webps()
    make_orientations()
    make_photos()
    make_bombs()
    make_gif.make()
    make_bmp.make()
    make_ico.make()
    make_animations.make()
    write("animations.json", (json.dumps(animations, indent=1) + "\n").encode())
    write("manifest.json", (json.dumps(manifest, indent=1) + "\n").encode())
    print(len(manifest), "stills,", len(animations), "animations,", sum(file.stat().st_size for file in HERE.iterdir()) // 1024, "KB")
