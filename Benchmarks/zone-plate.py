#!/usr/bin/env python3
"""Whether scaled decodes alias: a zone plate, as PNG and as JPEG, through ImageCodecs at several reductions.

    zone-plate.py [--json] [--skip-build] [--picture FILE]

The plate's rings are cos(pi r^2 / 2048) on 2048x2048 pixels, so that their frequency grows with the radius up to half a
cycle a pixel at 1024. Reduced by f, everything beyond 1024 / f is finer than the result can show, and an ideal low-pass
leaves it evenly grey. What is there instead is aliasing: printed are its energy beside that of the rings, in dB, and the
largest deviation from grey, of 127; both from where Lanczos3 itself has let go (1.5 times that radius). Beside it stand
what Pillow's scaled decode leaves (libjpeg's scaling and box averages to twice the target, then Lanczos3; libvips comes
to the same) and its Lanczos over every pixel. Exit status 1 where it is more than the former.
The results go to results/zone-plate-*.png; --picture writes some side by side. Needs Pillow and numpy.
"""
import argparse
import pathlib
import subprocess
import sys

import numpy as np
from PIL import Image

import pictures
from figures import Report

SIDE = 2048
REDUCTIONS = [2, 3, 4, 5.12, 8, 10.24, 16, 20.48]
KINDS = ["png", "jpg"]
# In dB, above Pillow's.
MOST = 0.5
# Of the radius beyond which the result can show no rings, where Lanczos3 is down to its ripple.
LET_GO = 1.5
GREY, AMPLITUDE = 127.5, 127.5
# Where the rings fade out, so that the corners do not alias in the plate itself.
FADE = (960, 1016)


def radii(side):
    """In pixels of the plate."""
    across = (np.arange(side) + 0.5) * SIDE / side - SIDE / 2
    return np.hypot(across[:, None], across[None, :])


def plate():
    r = radii(SIDE)
    fade = np.clip((FADE[1] - r) / (FADE[1] - FADE[0]), 0, 1)
    rings = GREY + AMPLITUDE * fade * np.cos(np.pi * r**2 / SIDE)
    return Image.fromarray(np.rint(rings).astype(np.uint8)).convert("RGB")


def aliasing(image):
    """dB beside the rings' energy, and the largest deviation."""
    values = np.asarray(image.convert("RGB")).astype(float)[..., 1]
    side = values.shape[0]
    r = radii(side)
    beyond = np.abs(values - GREY)[(r > side / 2 * LET_GO) & (r < FADE[0])]
    energy = (beyond**2).mean() / (AMPLITUDE**2 / 2)
    return 10 * np.log10(max(energy, 1e-9)), beyond.max()


def decode(file, side):
    output = pictures.RESULTS / f"zone-plate-{file.suffix[1:]}-{side}.png"
    command = [pictures.DECODE, file, f"{side}x{side}", "1", output]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return Image.open(output)


def scaled(file, side):
    image = Image.open(file)
    image.draft("RGB", (side * 2, side * 2))
    return image.resize((side, side), Image.LANCZOS, reducing_gap=2)


def exact(file, side):
    return Image.open(file).resize((side, side), Image.LANCZOS)


def side_by_side(original, decoded, path):
    """An eighth: every eighth pixel alone, Lanczos3 of all, and ImageCodecs' of the PNG and of the JPEG."""
    side = SIDE // 8
    parts = [
        original.resize((side, side), Image.NEAREST), original.resize((side, side), Image.LANCZOS),
        decoded["png", 8], decoded["jpg", 8],
    ]
    sheet = Image.new("L", (side * len(parts), side))
    for number, part in enumerate(parts):
        sheet.paste(part.convert("L"), (number * side, 0))
    sheet.save(path, optimize=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="a line for each figure")
    parser.add_argument("--skip-build", action="store_true")
    parser.add_argument("--picture", type=pathlib.Path, metavar="FILE")
    arguments = parser.parse_args()
    if not arguments.skip_build:
        pictures.build_decode()
    pictures.RESULTS.mkdir(exist_ok=True)
    original = plate()
    files = [pictures.RESULTS / f"zone-plate.{kind}" for kind in KINDS]
    for file in files:
        original.save(file, **({"quality": 95, "subsampling": 0} if file.suffix == ".jpg" else {}))

    report, decoded = Report(arguments.json), {}
    report.say(f"{'':18}{'ImageCodecs':20}{'Pillow, scaled':20}{'Lanczos3 of all':20}")
    for file in files:
        kind = file.suffix[1:]
        for reduction in REDUCTIONS:
            side = round(SIDE / reduction)
            decoded[kind, reduction] = decode(file, side)
            results = [aliasing(image) for image in (decoded[kind, reduction], scaled(file, side), exact(file, side))]
            excess = results[0][0] - results[1][0]
            within = report.judge(f"aliasing of {kind}, 1/{reduction:g}, above Pillow's", excess, "dB", MOST)
            cells = "".join(f"{energy:6.1f} dB {peak:4.0f}      " for energy, peak in results)
            report.say(f"{kind:6}1/{reduction:<10g}{cells}{'' if within else 'FAILED'}")
    if arguments.picture:
        side_by_side(original, decoded, arguments.picture)
    sys.exit(report.failed)


if __name__ == "__main__":
    main()
