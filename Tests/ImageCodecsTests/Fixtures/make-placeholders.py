#!/usr/bin/env python3
"""Makes placeholders.json: BlurHashes and ThumbHashes of the pictures next to it, by other implementations.

    python3 make-placeholders.py

Needs Pillow, numpy, blurhash-python (C) and thumbhash (a port of the original). The pictures, placeholder-*.png, are
made here too, from a fixed seed. Of each: the hashes, and the pixels that the other implementations decode them to.
"""
import base64
import json
import pathlib
import random

import blurhash
import numpy as np
import thumbhash.decode
import thumbhash.encode
from PIL import Image

HERE = pathlib.Path(__file__).parent
generator = random.Random(83)


def picture(width, height, alpha):
    y, x = np.mgrid[0:height, 0:width]
    phase = [generator.uniform(0, 6) for _ in range(3)]
    channels = [127 + 110 * np.sin(x / (5 + 3 * i) + y / (9 - 2 * i) + phase[i]) for i in range(3)]
    if alpha:
        channels.append(np.where((x - width / 2) ** 2 + (y - height / 2) ** 2 < (min(width, height) / 2) ** 2, 255, 0))
    return Image.fromarray(np.dstack(channels).astype(np.uint8), "RGBA" if alpha else "RGB")


entries = []
for name, width, height, alpha in [
    ("landscape", 96, 54, False), ("portrait", 40, 61, False), ("square", 64, 64, False), ("wide", 100, 43, False),
    ("pixel", 1, 1, False), ("round", 48, 40, True),
]:
    image = picture(width, height, alpha)
    file = f"placeholder-{name}.png"
    image.save(HERE / file)
    rgba = list(image.convert("RGBA").getdata())
    flat = [value for pixel in rgba for value in pixel]
    thumb = bytes(thumbhash.encode.rgba_to_thumbhash(width, height, flat))
    w, h, pixels = thumbhash.decode.thumbhash_to_rgba(thumb)
    entry = dict(
        file=file, thumbHash=base64.b64encode(thumb).decode(), thumbSize=[w, h],
        thumbPixels=base64.b64encode(bytes(pixels)).decode(), blurHashes=[])
    if not alpha:
        for x, y in [(4, 3), (1, 1), (9, 9), (3, 5)]:
            text = blurhash.encode(image.copy(), x_components=x, y_components=y)
            decoded = blurhash.decode(text, 20, 15).convert("RGB")
            entry["blurHashes"].append(dict(
                x=x, y=y, text=text, pixels=base64.b64encode(decoded.tobytes()).decode()))
    entries.append(entry)
(HERE / "placeholders.json").write_text(json.dumps(entries, indent=1) + "\n")
