#!/usr/bin/env python3
"""Makes animated.webp next to this file: two frames, lossless, large enough to be worth a thumbnail.

    python3 make-animated.py

Needs Pillow (13.0 made the one kept here). The first frame is noise whose red channel is 200 everywhere; the second is
green, so that a picture of the wrong frame is recognised.
"""
import pathlib
import random

from PIL import Image

SIZE = (160, 120)
generator = random.Random(1)
noise = Image.new("RGB", SIZE)
noise.putdata([(200, generator.randrange(256), generator.randrange(256)) for _ in range(SIZE[0] * SIZE[1])])
noise.save(
    pathlib.Path(__file__).parent / "animated.webp", lossless=True, save_all=True,
    append_images=[Image.new("RGB", SIZE, (0, 255, 0))], duration=50)
