#!/usr/bin/env python3
"""ImageCodecs against the same libraries and algorithm in C, both in release builds, and against Pillow for GIF.

    python3 run.py [--runs N]

Builds both, makes the 12-megapixel PNG, WebP, GIF and BMP from the gallery's photo where Pillow is at hand, and prints
for each file the median CPU time of a decode to 400x300 over N runs (default 15), one of the one and one of the other in
turn, and the peak of memory above input and program. A run is a process that decodes five times and reports its median.
GIF and BMP have no C library here: they are measured against Pillow, which decodes, converts to RGB and resizes by
Lanczos with as much box reduction before it (pillow.py).
"""
import argparse
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PHOTOS = HERE.parent / "Examples/Gallery/App/Photos"
RESULTS = HERE / "results"
SWIFT, C = [HERE / ".build/release/decode"], [RESULTS / "decode-c"]
PILLOW = [sys.executable, HERE / "pillow.py"]
BOX = "400x300"


def build():
    RESULTS.mkdir(exist_ok=True)
    subprocess.run(["swift", "build", "-c", "release", "--product", "decode"], cwd=HERE, check=True)
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "libjpeg", "libpng", "libwebp"], check=True, capture_output=True,
        text=True).stdout.split()
    subprocess.run(["clang", "-O2", "-Wall", "-o", *C, HERE / "C/decode.c", *flags, "-lm"], check=True)


def files():
    photo = PHOTOS / "dandelion-12mp.jpg"
    made = [RESULTS / f"dandelion-12mp{kind}" for kind in (".png", ".webp", ".gif", "-interlaced.gif", ".bmp")]
    if not all(file.exists() for file in made):
        try:
            from PIL import Image
        except ImportError:
            print("Pillow is not installed: only the photos of the gallery are measured.")
            made = []
        else:
            image = Image.open(photo).convert("RGB")
            image.save(made[0], compress_level=6)
            image.save(made[1], quality=80, method=2)
            for file, options in [(made[2], dict(interlace=0)), (made[3], dict(interlace=1))]:
                image.quantize(256).save(file, **options)
            image.save(made[4])
    small = [PHOTOS / name for name in ("astronaut.jpg", "chelsea.png", "coffee-round-alpha.png", "coffee.webp")]
    return [photo, *made, *small]


def measure(program, file):
    output = subprocess.run([*program, file, BOX, "5"], check=True, capture_output=True, text=True).stdout.split()
    return float(output[0]), int(output[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    build()
    print(f"{'file':30} {'Swift ms':>9} {'other ms':>9} {'ratio':>6} {'Swift peak KB':>14} {'other peak KB':>14}")
    for file in files():
        other = PILLOW if file.suffix in (".gif", ".bmp") else C
        swift, c = [], []
        for _ in range(runs):
            swift.append(measure(SWIFT, file))
            c.append(measure(other, file))
        times = [statistics.median(run[0] for run in results) for results in (swift, c)]
        peaks = [statistics.median(run[1] for run in results) for results in (swift, c)]
        print(f"{file.name:30} {times[0]:9.2f} {times[1]:9.2f} {times[0] / times[1]:6.2f} {peaks[0]:14.0f} {peaks[1]:14.0f}")


if __name__ == "__main__":
    main()
