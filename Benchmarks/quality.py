#!/usr/bin/env python3
"""How close ImageCodecs' scaled decode comes to a full decode and a Lanczos resize by Pillow.

    quality.py [--json] [--skip-build] [--reductions 10,3,1.7] [FILE...]

Every photo of the gallery (or every FILE) and, for formats of which there is none as large, what is made of the largest,
reduced by each factor. Prints the peak signal-to-noise ratio in dB over the premultiplied sRGB colours, the least of each
format last; at least 50 is wanted, of WebP 49. Exit status 1 below. Needs Pillow and numpy.
"""
import argparse
import io
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image, ImageCms, ImageOps

import pictures
from figures import Report

MADE = ["progressive", "png", "png-alpha", "webp", "avif", "gif", "bmp"]
LEAST, LEAST_OF = 50, {"WEBP": 49}
# For a picture that is equal in every pixel.
IDENTICAL = 100


def premultiplied(image):
    pixels = np.asarray(image.convert("RGBA")).astype(float)
    pixels[..., :3] *= pixels[..., 3:] / 255
    return pixels[..., :3]


def in_srgb(image, profile):
    """The colours of an opaque picture, by its profile where it has one."""
    if not profile or image.mode != "RGB":
        return image
    source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
    return ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"))


def expected(image, profile, box):
    factor = min(1, box[0] / image.width, box[1] / image.height)
    size = tuple(max(1, int(side * factor + 0.5)) for side in image.size)
    # Pillow's resize weighs colours with alpha in RGBA.
    return premultiplied(in_srgb(image.resize(size, Image.LANCZOS), profile))


def decibels(a, b):
    if a.shape != b.shape:
        raise SystemExit(f"The sizes differ: {a.shape} {b.shape}")
    error = ((a - b) ** 2).mean()
    return IDENTICAL if error == 0 else 10 * np.log10(255**2 / error)


def measure(file, reductions, directory):
    """The file's format, and decibels for each reduction."""
    image = Image.open(file)
    kind, profile = image.format, image.info.get("icc_profile")
    image = ImageOps.exif_transpose(image)
    image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    values = []
    for reduction in reductions:
        box = tuple(max(1, round(side / reduction)) for side in image.size)
        output = pathlib.Path(directory, "out.png")
        subprocess.run(
            [pictures.DECODE, file, f"{box[0]}x{box[1]}", "1", output], check=True, stdout=subprocess.DEVNULL)
        values.append(decibels(premultiplied(Image.open(output)), expected(image, profile, box)))
    return kind, values


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--reductions", default="10,3,1.7")
    parser.add_argument("--json", action="store_true", help="a line for each figure")
    parser.add_argument("--skip-build", action="store_true")
    arguments = parser.parse_args()
    if not arguments.skip_build:
        pictures.build_decode()
    reductions = [float(part) for part in arguments.reductions.split(",")]
    photos = sorted(file for file in pictures.PHOTOS.iterdir() if file.suffix != ".md")
    files = arguments.files or [*photos, *(pictures.MADE[name]() for name in MADE)]

    report = Report(arguments.json)
    layout = ("{:32}" + "{:>9}" * len(reductions)).format
    report.say(layout("dB", *(f"1/{reduction:g}" for reduction in reductions)))
    least = {}
    with tempfile.TemporaryDirectory() as directory:
        for file in files:
            kind, values = measure(file, reductions, directory)
            report.say(layout(file.name, *(f"{value:.2f}" for value in values)))
            least[kind] = list(map(min, least.get(kind, values), values))
    report.say("")
    for kind, values in sorted(least.items()):
        limit = LEAST_OF.get(kind, LEAST)
        cells = []
        for reduction, value in zip(reductions, values):
            within = report.judge(f"least PSNR of {kind}, 1/{reduction:g}", value, "dB", least=limit)
            cells.append(f"{value:.2f}" + ("" if within else " <"))
        report.say(layout(f"least of {kind}, at least {limit}", *cells))
    sys.exit(report.failed)


if __name__ == "__main__":
    main()
