#!/usr/bin/env python3
"""How close ImageCodecs' scaled decode comes to a full decode and a Lanczos resize by Pillow.

    swift build -c release && python3 quality.py [WxH [FILE...]]

Prints the peak signal-to-noise ratio in dB over the premultiplied channels; 50 is wanted for the 12-megapixel JPEG,
45 is the least. Needs Pillow and numpy.
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image, ImageOps

HERE = pathlib.Path(__file__).parent
PHOTOS = HERE.parent / "Examples/Gallery/App/Photos"
DEFAULT = [
    "dandelion-12mp.jpg", "dandelion-left.jpg", "dandelion-portrait-exif6.jpg", "hubble.jpg", "chelsea.png",
    "coffee-round-alpha.png", "coffee.webp", "dandelion-right.webp", "chelsea-zoom.webp",
]


def premultiplied(image):
    pixels = np.asarray(image.convert("RGBA")).astype(float)
    pixels[..., :3] *= pixels[..., 3:] / 255
    return pixels


def reference(path, box):
    image = ImageOps.exif_transpose(Image.open(path))
    factor = min(1, box[0] / image.width, box[1] / image.height)
    size = tuple(max(1, int(side * factor + 0.5)) for side in image.size)
    # Pillow's resize weighs colours with alpha in RGBA.
    return premultiplied(image.convert("RGBA" if image.mode in ("RGBA", "LA", "P") else "RGB").resize(size, Image.LANCZOS))


def decibels(a, b):
    if a.shape != b.shape:
        return f"sizes differ: {a.shape} {b.shape}"
    error = ((a - b) ** 2)[..., :3].mean()
    return "identical" if error == 0 else f"{10 * np.log10(255 ** 2 / error):.2f} dB"


def main():
    box = sys.argv[1] if len(sys.argv) > 1 else "400x300"
    files = [pathlib.Path(file) for file in sys.argv[2:]] or [PHOTOS / name for name in DEFAULT]
    with tempfile.TemporaryDirectory() as directory:
        for file in files:
            output = pathlib.Path(directory) / "out.png"
            subprocess.run([HERE / ".build/release/decode", file, box, "1", output], check=True, stdout=subprocess.DEVNULL)
            expected = reference(file, tuple(map(int, box.split("x"))))
            print(f"{file.name:32} {box}  {decibels(premultiplied(Image.open(output)), expected)}")


if __name__ == "__main__":
    main()
