#!/usr/bin/env python3
"""Pillow, with the arguments and the line of C/decode.c: opens, converts, and resizes by Lanczos.

    pillow.py FILE WxH|full [REPETITIONS]

Before the resize libjpeg's scaling and box averages take off what leaves twice the target, as in ImageCodecs.
"""
from PIL import Image

import repeat


def decode(file, box):
    image = Image.open(file)
    if box is None:
        return image.convert("RGBA")
    scale = min(1, box[0] / image.width, box[1] / image.height)
    size = round(image.width * scale), round(image.height * scale)
    image.draft("RGB", (size[0] * 2, size[1] * 2))
    image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    return image.resize(size, Image.LANCZOS, reducing_gap=2)


Image.new("RGB", (64, 64)).resize((10, 10), Image.LANCZOS)
repeat.run(decode)
