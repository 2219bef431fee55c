"""What the programs in Python share: FILE WxH|full [REPETITIONS] becomes the line that C/decode.c prints."""
import statistics
import sys
import time


def _memory(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(name))


def run(decode):
    """`decode` is given the file's name and a box of pixels, or `None` for full size."""
    file, target = sys.argv[1:3]
    box = None if target == "full" else tuple(map(int, target.split("x")))
    times, before = [], _memory("VmRSS")
    for _ in range(int(sys.argv[3]) if len(sys.argv) > 3 else 1):
        # All threads' time.
        start = time.process_time()
        decode(file, box)
        times.append(time.process_time() - start)
    print(f"{statistics.median(times) * 1e3:.3f} {_memory('VmHWM') - before}")
