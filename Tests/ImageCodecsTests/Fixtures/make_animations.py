"""Animated PNGs and WebPs, put together chunk by chunk, and what is seen of them.

The pictures come from `compose`, which follows the two specifications: a frame replaces what is under it or is drawn over
it, and is then left, cleared, or taken away again.
"""
import io
import struct

import numpy as np
from PIL import Image

from fixture_kit import ALPHA, EXACT, GREY, H, OPAQUE, RGB, RGBA, W, animation, riff, saved, uint24, write
from png_writer import chunk, png

KEEP, CLEAR, RESTORE = 0, 1, 2
REPLACE, OVER = 0, 1
CUT = RGBA.copy()
CUT[..., 3] = np.where(ALPHA > 128, 255, 0)


def over(back, front):
    """Straight RGBA, to the nearest level."""
    back, front = back.astype(float) / 255, front.astype(float) / 255
    a, b = front[..., 3:], back[..., 3:] * (1 - front[..., 3:])
    alpha = a + b
    color = np.where(alpha > 0, (front[..., :3] * a + back[..., :3] * b) / np.where(alpha > 0, alpha, 1), 0)
    return np.round(np.concatenate([color, alpha], axis=2) * 255).astype(np.uint8)


def compose(frames, size=(W, H)):
    canvas = np.zeros((size[1], size[0], 4), np.uint8)
    pictures = []
    for frame in frames:
        before = canvas.copy()
        rgba, x, y = frame["rgba"], frame["x"], frame["y"]
        place = canvas[y:y + rgba.shape[0], x:x + rgba.shape[1]]
        place[...] = over(place, rgba) if frame["blend"] == OVER else rgba
        pictures.append(canvas.copy())
        if frame["dispose"] == CLEAR:
            place[...] = 0
        elif frame["dispose"] == RESTORE:
            canvas = before
    return pictures


def frame(rgba, x=0, y=0, dispose=KEEP, blend=REPLACE, delay=(1, 10), **options):
    return dict(rgba=rgba, x=x, y=y, dispose=dispose, blend=blend, delay=delay, options=options)


# --- APNG

def image_data(file):
    """The contents of a PNG's IDAT chunks."""
    at, data = 8, []
    while at < len(file):
        length, kind = struct.unpack(">I4s", file[at:at + 8])
        if kind == b"IDAT":
            data.append(file[at + 8:at + 8 + length])
        at += 12 + length
    return data


def apng(frames, color_type=6, depth=8, shared=b"", plays=0, hidden=None, encode=lambda rgba: rgba, count=None):
    """`encode` turns a frame's pixels into the samples of the colour type; `hidden` is a picture that is no frame."""
    number = 0

    def control(each):
        nonlocal number
        height, width = each["rgba"].shape[:2]
        content = struct.pack(">IIIIIHHBB", number, width, height, each["x"], each["y"], *each["delay"],
                              each["dispose"], each["blend"])
        number += 1
        return chunk(b"fcTL", content)

    def pieces(rgba, **options):
        samples = encode(rgba)
        samples = samples if samples.ndim == 3 else samples[..., None]
        return image_data(png(samples, color_type, depth, **options))

    first = hidden if hidden is not None else frames[0]["rgba"]
    interlaced = frames[0]["options"].get("interlaced", False)
    header = struct.pack(">IIBBBBB", first.shape[1], first.shape[0], depth, color_type, 0, 0, interlaced)
    file = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
    file += chunk(b"acTL", struct.pack(">II", count or len(frames), plays)) + shared
    if hidden is not None:
        file += b"".join(chunk(b"IDAT", piece) for piece in pieces(hidden))
    for index, each in enumerate(frames):
        file += control(each)
        for piece in pieces(each["rgba"], **each["options"]):
            if index == 0 and hidden is None:
                file += chunk(b"IDAT", piece)
            else:
                file += chunk(b"fdAT", struct.pack(">I", number) + piece)
                number += 1
    return file + chunk(b"tEXt", b"Comment\0behind") + chunk(b"IEND", b"")


def seconds(delay):
    value = delay[0] / (delay[1] or 100)
    return 0.1 if value <= 0.01 else value


def make_apng(name, frames, psnr=EXACT, plays=0, **options):
    write(name + ".png", apng(frames, plays=plays, **options))
    size = frames[0]["rgba"].shape[1::-1] if options.get("hidden") is None else options["hidden"].shape[1::-1]
    animation(name + ".png", compose(frames, size), [seconds(each["delay"]) for each in frames], plays, psnr)


def make_apngs():
    small, cut = RGBA[3:14, 5:24], CUT[3:14, 5:24]
    for name, dispose in [("keep", KEEP), ("clear", CLEAR), ("restore", RESTORE)]:
        make_apng(f"animated-{name}-replace",
                  [frame(CUT)] + [frame(small, 4 * step, 3 * step, dispose) for step in range(4)])
        make_apng(f"animated-{name}-over",
                  [frame(OPAQUE)] + [frame(cut, 4 * step, 3 * step, dispose, OVER) for step in range(4)])
    make_apng("animated-soft", [frame(OPAQUE), frame(small, 3, 3, RESTORE, OVER), frame(small, 6, 6, KEEP, OVER),
                                frame(small, 9, 9, CLEAR, OVER), frame(RGBA, 0, 0, KEEP, OVER)], psnr=50)
    make_apng("animated-first-restored", [frame(RGBA, dispose=RESTORE), frame(small, 3, 3, blend=OVER)], plays=3)
    delays = [(0, 0), (0, 100), (1, 100), (2, 100), (5, 0), (1, 60), (65535, 1), (3, 1000)]
    make_apng("animated-delays", [frame(RGBA, delay=delay) for delay in delays[:1]]
              + [frame(small, 1, 1, delay=delay) for delay in delays[1:]], plays=1)
    make_apng("animated-hidden-default", [frame(small, 2, 2), frame(cut, 8, 9, blend=OVER)], hidden=RGBA)
    make_apng("animated-one-frame", [frame(RGBA)])
    make_apng("animated-interlaced", [frame(RGBA, interlaced=True), frame(small, 7, 5, interlaced=True)])

    opaque_small = OPAQUE[3:14, 5:24]
    make_apng("animated-rgb", [frame(OPAQUE), frame(opaque_small, 8, 8, RESTORE, OVER), frame(opaque_small, 2, 2)],
              color_type=2, encode=lambda rgba: rgba[..., :3])
    # Other colour types: frames hold numbers, made into pixels by the same table for every frame.
    table = np.random.default_rng(80).integers(0, 256, (16, 4)).astype(np.uint8)
    table[::3, 3] = 0
    numbers = {tuple(color): index for index, color in enumerate(table.tolist())}
    levels = GREY >> 4

    def to_numbers(rgba):
        return np.array([[numbers[tuple(pixel)] for pixel in row] for row in rgba.tolist()])

    shared = chunk(b"PLTE", table[:, :3].tobytes()) + chunk(b"tRNS", table[:, 3].tobytes())
    make_apng("animated-palette", [frame(table[levels]), frame(table[levels[2:9, 3:20]], 9, 9, KEEP, REPLACE),
                                   frame(table[levels[4:15, 0:9]], 1, 1, CLEAR)],
              color_type=3, depth=4, shared=shared, encode=to_numbers)
    grey = np.dstack([GREY] * 3 + [np.full_like(GREY, 255)])
    make_apng("animated-grey", [frame(grey), frame(grey[4:9, 2:30], 2, 11)], color_type=0,
              encode=lambda rgba: rgba[..., 0])
    make_apng("animated-rgba16", [frame(RGBA), frame(small, 5, 5)], depth=16,
              encode=lambda rgba: rgba.astype(int) * 257)


# --- WebP

def webp_frame(each, lossy=False):
    options = dict(quality=90) if lossy else dict(lossless=True, exact=True)
    opaque = each["rgba"][..., 3].min() == 255
    image = Image.fromarray(each["rgba"][..., :3] if opaque else each["rgba"])
    file = saved(image, "WEBP", **options)
    if lossy:
        each["rgba"] = np.asarray(Image.open(io.BytesIO(file)).convert("RGBA"))
    # Of an extended file only alpha and colours are part of a frame.
    at, data = 12, b""
    while at < len(file):
        kind, length = struct.unpack("<4sI", file[at:at + 8])
        if kind in (b"VP8 ", b"VP8L", b"ALPH"):
            data += file[at:at + 8 + length + (length & 1)]
        at += 8 + length + (length & 1)
    height, width = each["rgba"].shape[:2]
    flags = (each["dispose"] == CLEAR) | (each["blend"] == REPLACE) << 1
    milliseconds = each["delay"][0] * 1000 // each["delay"][1]
    place = uint24(each["x"] // 2) + uint24(each["y"] // 2) + uint24(width - 1) + uint24(height - 1)
    return b"ANMF", place + uint24(milliseconds) + bytes([flags]) + data


def make_webp(name, frames, psnr=EXACT, loops=0, lossy=False, flags=0x12, before=(), behind=()):
    header = bytes([flags, 0, 0, 0]) + uint24(W - 1) + uint24(H - 1)
    chunks = [(b"VP8X", header), *before, (b"ANIM", b"\x55\x66\x77\x88" + struct.pack("<H", loops))]
    write(name + ".webp", riff(*chunks, *[webp_frame(each, lossy) for each in frames], *behind))
    animation(name + ".webp", compose(frames), [seconds(each["delay"]) for each in frames], loops, psnr)


def make_webps():
    small, cut = RGBA[3:14, 5:24], CUT[3:14, 5:24]
    for name, dispose in [("keep", KEEP), ("clear", CLEAR)]:
        for how, blend in [("replace", REPLACE), ("over", OVER)]:
            make_webp(f"animated-{name}-{how}",
                      [frame(CUT)] + [frame(cut, 4 * step, 2 * step, dispose, blend) for step in range(4)])
    make_webp("animated-soft", [frame(OPAQUE), frame(small, 4, 2, KEEP, OVER), frame(small, 6, 6, CLEAR, OVER),
                                frame(RGBA, 0, 0, KEEP, OVER)], psnr=50)
    make_webp("animated-lossy", [frame(OPAQUE), frame(small, 4, 2, KEEP, OVER), frame(OPAQUE[2:20, 4:30], 2, 2)],
              psnr=45, lossy=True)
    delays = [(0, 1), (1, 1000), (10, 1000), (11, 1000), (20, 1000), (16777, 1)]
    make_webp("animated-delays", [frame(small, 2 * index, 2, delay=delay) for index, delay in enumerate(delays)], loops=1)
    make_webp("animated-loops", [frame(RGBA), frame(small, 2, 2)], loops=65535)
    exif = (b"EXIF", b"MM\0*\0\0\0\x08\0\1\x01\x12\0\x03\0\0\0\1\0\1\0\0\0\0\0\0")
    make_webp("animated-chunks", [frame(RGBA), frame(small, 2, 2)], flags=0x1A, before=[(b"JUNK", b"odd")],
              behind=[(b"XXXX", b"1"), exif])


def make():
    make_apngs()
    make_webps()
