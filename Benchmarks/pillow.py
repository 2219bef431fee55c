#!/usr/bin/env python3
"""What GIF and BMP are measured against: takes the arguments of C/decode.c and prints the line that it prints.

    pillow.py FILE WxH [REPETITIONS]
"""
import statistics
import sys
import time

from PIL import Image


def memory(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(name))


def main():
    file, (width, height) = sys.argv[1], map(int, sys.argv[2].split("x"))
    Image.new("RGB", (64, 64)).resize((10, 10), Image.LANCZOS)
    times, before = [], memory("VmRSS")
    for _ in range(int(sys.argv[3]) if len(sys.argv) > 3 else 1):
        start = time.process_time()
        image = Image.open(file).convert("RGB")
        scale = min(1, width / image.width, height / image.height)
        size = round(image.width * scale), round(image.height * scale)
        image.resize(size, Image.LANCZOS, reducing_gap=2)
        times.append(time.process_time() - start)
    print(f"{statistics.median(times) * 1e3:.3f} {memory('VmHWM') - before}")


main()
