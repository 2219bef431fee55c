#!/usr/bin/env python3
"""What a decode costs through ImageCodecs, beside the same libraries and algorithm in C, libvips and Pillow.

    run.py [--runs N] [--only PART] [--json] [--skip-build]

For each picture: CPU milliseconds of all threads (ImageCodecs), the ratios to the others, and the peak of memory above
program, input and output. A run is a process that decodes several times and reports the median; runs of ImageCodecs and
of what it is held against are taken in turn, and the median of N (default 15) counts, so that a busy machine does not
change the verdict. What a row is not held against is run three times, for information. Exit status 1 where a figure is
above its limit.

Needs clang and the libraries' headers; Pillow for the pictures that are not in the gallery; pyvips (`pip install
'pyvips[binary]'` brings libvips and codecs of its own) for what is held against libvips.
"""
import argparse
import importlib.util
import pathlib
import statistics
import subprocess
import sys
from dataclasses import dataclass, field

import pictures
from figures import Report

HERE = pathlib.Path(__file__).resolve().parent
C = pictures.RESULTS / "decode-c"
PROGRAMS = {
    "ImageCodecs": [pictures.DECODE],
    "C": [C],
    "libvips": [sys.executable, HERE / "vips.py"],
    "Pillow": [sys.executable, HERE / "pillow.py"],
}
BOX = "400x300"
UNJUDGED_RUNS = 3


@dataclass
class Row:
    name: str
    # A photo of the gallery, or one of pictures.MADE.
    picture: str
    target: str = BOX
    # At most so many times the CPU time of each of these.
    limits: dict = field(default_factory=dict)
    milliseconds: float | None = None
    # Beside program, input and output.
    kilobytes: int | None = None
    # In a process.
    repetitions: int = 3

    @property
    def rivals(self):
        none = {"C"} if self.picture.startswith(("gif", "bmp")) else set()
        if self.picture == "bmp":
            none.add("libvips")  # the wheel reads none
        return [name for name in PROGRAMS if name != "ImageCodecs" and name not in none and is_there(name)]

    def path(self):
        return pictures.MADE[self.picture]() if self.picture in pictures.MADE else pictures.PHOTOS / self.picture


SMALL = 4096
ROWS = [
    Row("JPEG", "dandelion-12mp.jpg", limits={"C": 1.1, "libvips": 0.95}, kilobytes=SMALL),
    Row("progressive JPEG", "progressive", limits={"C": 1.1}),
    Row("PNG RGB", "png", limits={"C": 1.1}, kilobytes=SMALL),
    Row("PNG RGBA", "png-alpha", limits={"C": 1.1}, kilobytes=SMALL),
    Row("WebP", "webp", limits={"C": 1.1}, kilobytes=SMALL),
    Row("AVIF", "avif", limits={"C": 1.1}),
    Row("GIF", "gif", limits={"Pillow": 1.0}, kilobytes=SMALL),
    Row("interlaced GIF", "gif-interlaced", limits={"Pillow": 1.0}),
    Row("BMP", "bmp", limits={"Pillow": 1.0}, kilobytes=SMALL),
    Row("JPEG full size", "dandelion-12mp.jpg", "full", limits={"C": 1.1}),
    Row("PNG full size", "png", "full", limits={"C": 1.1}),
    Row("WebP full size", "webp", "full", limits={"C": 1.1}),
    Row("AVIF full size", "avif", "full", limits={"C": 1.1}),
    Row("PNG of 64 pixels", "small-png", milliseconds=0.12, repetitions=1000),
    Row("JPEG of 200 pixels", "small-jpeg", milliseconds=0.5, repetitions=1000),
    Row("photo 512x512, JPEG", "astronaut.jpg", limits={"C": 1.1}, repetitions=50),
    Row("photo 451x300, PNG", "chelsea.png", limits={"C": 1.1}, repetitions=50),
    Row("photo 600x400, WebP", "coffee.webp", limits={"C": 1.1}, repetitions=50),
]
OUTPUT_KILOBYTES = 400 * 300 * 4 // 1024


def is_there(rival):
    module = {"libvips": "pyvips", "Pillow": "PIL"}.get(rival)
    return module is None or importlib.util.find_spec(module) is not None


def build():
    pictures.RESULTS.mkdir(exist_ok=True)
    pictures.build_decode()
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "libjpeg", "libpng", "libwebp", "libavif"], check=True,
        capture_output=True, text=True).stdout.split()
    subprocess.run(["clang", "-O2", "-Wall", "-DWITH_AVIF", "-o", C, HERE / "C/decode.c", *flags, "-lm"], check=True)


def run(program, row, file):
    output = subprocess.run(
        [*PROGRAMS[program], file, row.target, str(row.repetitions)], check=True, capture_output=True, text=True).stdout
    milliseconds, kilobytes = output.split()
    return float(milliseconds), int(kilobytes)


def measure(row, runs):
    """The medians of milliseconds and kilobytes, by program."""
    file, results = row.path(), {name: [] for name in ["ImageCodecs", *row.rivals]}
    for number in range(runs):
        for name, values in results.items():
            if name == "ImageCodecs" or name in row.limits or number < UNJUDGED_RUNS:
                values.append(run(name, row, file))
    return {name: tuple(map(statistics.median, zip(*values))) for name, values in results.items()}


def judge(row, medians, report):
    """The row's cells."""
    milliseconds, kilobytes = medians["ImageCodecs"]
    cells = [row.name]

    def add(name, value, unit, text, most):
        within = report.judge(f"{row.name}: {name}", value, unit, most)
        cells.append(text if within else f"{text} > {most:g}")

    add("CPU", milliseconds, "ms", f"{milliseconds:.3f}", row.milliseconds)
    for rival in PROGRAMS:
        if rival == "ImageCodecs":
            continue
        if rival not in medians:
            cells.append("-" if rival in row.rivals or is_there(rival) else "not there")
            continue
        ratio = milliseconds / medians[rival][0]
        add(f"CPU / {rival}", ratio, "", f"{ratio:.2f}", row.limits.get(rival))
    if row.target == BOX and row.repetitions == 3:
        kilobytes -= OUTPUT_KILOBYTES
        add("working memory", kilobytes, "KB", f"{kilobytes:.0f}", row.kilobytes)
    else:
        cells.append("-")
    return cells


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--only", metavar="PART", default="", help="rows whose name contains it")
    parser.add_argument("--json", action="store_true", help="a line for each figure")
    parser.add_argument("--skip-build", action="store_true")
    arguments = parser.parse_args()
    if not arguments.skip_build:
        build()
    report = Report(arguments.json)
    layout = "{:22} {:>12} {:>14} {:>14} {:>14} {:>14}".format
    report.say(layout("12 MP to 400x300", "CPU ms", "/ C", "/ libvips", "/ Pillow", "memory KB"))
    for row in ROWS:
        if arguments.only not in row.name:
            continue
        if row.picture in pictures.MADE and not is_there("Pillow"):
            report.say(f"{row.name:22} not measured: Pillow, which makes the picture, is not installed")
            continue
        report.say(layout(*judge(row, measure(row, arguments.runs), report)))
    sys.exit(report.failed)


if __name__ == "__main__":
    main()
