#!/usr/bin/env python3
"""Makes two pictures and what each processor must turn them into, without this library.

    python3 make-fixtures.py

Needs Pillow and numpy (13.0 and 2.4 made the files kept here). Gaussian: worked out in full with 64-bit floats, six
standard deviations each way, edges repeated. Resize: Pillow's Lanczos on 32-bit floats. Corners: 64 x 64 samples a pixel.
Tint: the formulas of the documentation in 64-bit floats. A file is width and height (32 bits, little-endian) followed by
premultiplied RGBA; the noise has the seed below.
"""
import pathlib
import struct

import numpy as np
from PIL import Image

HERE = pathlib.Path(__file__).parent
SEED = 20240229
WIDTH, HEIGHT = 53, 38


def pictures():
    random = np.random.default_rng(SEED)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    rgb = np.dstack([255 * x / (WIDTH - 1), 255 * y / (HEIGHT - 1), 127 + 120 * np.sin((x + 2 * y) / 7)])
    rgb[: HEIGHT // 3, : WIDTH // 4] = (250, 30, 20)
    rgb[-HEIGHT // 4:, -WIDTH // 5:] = (10, 20, 200)
    rgb[10:20, 30:45] = random.integers(0, 256, (10, 15, 3))
    alpha = np.clip(330 - 16 * np.hypot(x - WIDTH / 2, y - HEIGHT / 2), 0, 255)
    alpha[5:9, 40:50] = 255
    alpha, rgb = np.rint(alpha), np.rint(rgb)
    opaque = np.dstack([rgb, np.full((HEIGHT, WIDTH), 255.0)])
    clear = np.dstack([np.rint(rgb * alpha[..., None] / 255), alpha])
    return {"opaque": opaque, "clear": clear}


def write(name, pixels):
    """Stores premultiplied pixels, rounded, no colour above its alpha."""
    pixels = np.clip(pixels, 0, 255)
    pixels[..., :3] = np.minimum(pixels[..., :3], pixels[..., 3:])
    height, width = pixels.shape[:2]
    (HERE / f"{name}.rgba").write_bytes(
        struct.pack("<II", width, height) + np.floor(pixels + 0.5).astype(np.uint8).tobytes())


def blurred(pixels, deviation):
    reach = int(np.ceil(6 * deviation))
    kernel = np.exp(-np.arange(-reach, reach + 1) ** 2 / (2 * deviation ** 2))
    kernel /= kernel.sum()
    for axis in (0, 1):
        padding = [(0, 0)] * 3
        padding[axis] = (reach, reach)
        wide = np.pad(pixels, padding, mode="edge")
        pixels = np.apply_along_axis(lambda line: np.convolve(line, kernel, mode="valid"), axis, wide)
    return pixels


def resized(pixels, width, height):
    return np.dstack([
        np.asarray(Image.fromarray(pixels[..., channel].astype(np.float32), mode="F").resize(
            (width, height), Image.LANCZOS), dtype=float)
        for channel in range(4)])


def coverage(width, height, radius, samples=64):
    radius = min(radius, min(width, height) / 2)
    positions = [(np.arange(side * samples) + 0.5) / samples for side in (width, height)]
    # How far a sample lies beyond the nearer corner's centre, on each axis.
    beyond = [np.maximum(0, radius - np.minimum(at, side - at)) for at, side in zip(positions, (width, height))]
    inside = beyond[0][None, :] ** 2 + beyond[1][:, None] ** 2 <= radius ** 2
    return inside.reshape(height, samples, width, samples).mean(axis=(1, 3))


def tinted(pixels, color, mode):
    color, strength = np.array(color[:3]) * 1.0, color[3]
    own, alpha = pixels[..., :3], pixels[..., 3:]
    if mode == "template":
        return np.dstack([alpha * strength * color, alpha * strength])
    if mode == "overlay":
        return np.dstack([own * (1 - strength) + alpha * strength * color, alpha])
    return np.dstack([own * (1 - strength + strength * color), alpha])


def main():
    for name, pixels in pictures().items():
        write(name, pixels)
        for deviation in (0.4, 1, 2.5, 5.9, 6, 9.5, 14, 40):
            write(f"blur-{deviation}-{name}", blurred(pixels, deviation))
        for width, height in ((40, 29), (17, 12), (120, 86), (9, 6), (4, 3)):
            write(f"resize-{width}x{height}-{name}", resized(pixels, width, height))
        for radius in (0.3, 4, 7.25, 1000):
            write(f"corners-{radius}-{name}", pixels * coverage(WIDTH, HEIGHT, radius)[..., None])
        left = (WIDTH - HEIGHT) // 2
        square = pixels[:, left:left + HEIGHT]
        write(f"circle-{name}", square * coverage(HEIGHT, HEIGHT, HEIGHT)[..., None])
        for mode in ("template", "overlay", "multiply"):
            write(f"tint-{mode}-{name}", tinted(pixels, (0.9, 0.25, 0.1, 0.7), mode))


if __name__ == "__main__":
    main()
