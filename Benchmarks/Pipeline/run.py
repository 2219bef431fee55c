#!/usr/bin/env python3
"""What the pipeline costs, against its limits: memory hits, joined requests, 12-megapixel pictures as thumbnails beside
the same by hand in C, the second look, and a visible picture behind a thousand prefetches.

    Benchmarks/Pipeline/run.py [--json] [--count N] [--only PART] [--skip-build]

Needs nginx, clang and libcurl's headers. nginx serves the gallery's photo on loopback under any path. --count: distinct
pictures (default 1,000); memory is only judged from 5,000, where its slope stands out from its noise. What is compared
runs in turn, and processor time is what counts; wall time is judged only while nothing else used the processors.
Exit status 1 where a figure is above its limit.
"""
import argparse
import contextlib
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
BENCHMARKS = HERE.parent
PHOTOS = BENCHMARKS.parent / "Examples/Gallery/App/Photos"
RESULTS = BENCHMARKS / "results"
FETCH = RESULTS / "fetch-c"
PROCESSORS = len(os.sched_getaffinity(0))
# Of all processors' time; above it wall time says nothing.
BUSY = 0.05
SLOPE_COUNT = 5_000
PREFETCH_ROUNDS = 15
# Rounds of distinct pictures that are also done by hand; more only lengthen the run.
MOST_COMPARED = 40
# Distinct pictures, of 1.2 MB each.
AT_ONCE = 100


class Report:
    def __init__(self, as_json):
        self.as_json, self.failed = as_json, False

    def figure(self, name, value, unit, most=None, least=None, unjudged=None):
        """`unjudged`: why this figure is not held to its limit in this run."""
        limit = most if most is not None else least
        within = limit is None or (value <= limit if most is not None else value >= limit)
        verdict = "" if limit is None else "ok" if within else "FAILED"
        if unjudged and limit is not None:
            verdict = f"not judged: {unjudged}"
        self.failed |= verdict == "FAILED"
        if self.as_json:
            line = {"name": name, "value": value, "unit": unit, "atMost": most, "atLeast": least, "verdict": verdict}
            print(json.dumps(line), flush=True)
        else:
            words = "" if limit is None else f"at {'most' if most is not None else 'least'} {limit:g}"
            print(f"{name:52} {value:10.3f} {unit:12} {words:14} {verdict}", flush=True)


class Server:
    """nginx with one worker: the 12-megapixel photo under /large/, a small one under /small/."""

    def __init__(self, folder, port):
        self.root = f"http://127.0.0.1:{port}"
        shutil.copy(PHOTOS / "dandelion-12mp.jpg", f"{folder}/large.jpg")
        shutil.copy(PHOTOS / "astronaut.jpg", f"{folder}/small.jpg")
        configuration = pathlib.Path(folder, "nginx.conf")
        configuration.write_text(
            f"""daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
            events {{}} http {{ access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000;
            keepalive_timeout 600s; types {{ image/jpeg jpg; }} add_header Cache-Control max-age=86400; server {{ listen 127.0.0.1:{port}; root {folder};
            location /large/ {{ try_files /large.jpg =404; }} location /small/ {{ try_files /small.jpg =404; }} }} }}""")
        self.process = subprocess.Popen(["nginx", "-c", configuration, "-p", folder])
        deadline = time.monotonic() + 10
        while not pathlib.Path(folder, "pid").exists() and time.monotonic() < deadline:
            time.sleep(0.05)

    def cpu(self):
        """Seconds: its only process has one thread."""
        return int(pathlib.Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[0]) / 1e9

    def stop(self):
        self.process.terminate()
        self.process.wait()


@contextlib.contextmanager
def serving(port):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        server = Server(folder, port)
        try:
            yield server
        finally:
            server.stop()


def busy_seconds():
    """What all processors have worked so far, for whomever."""
    fields = [int(field) for field in pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
    user, nice, system, _, _, irq, softirq, steal = fields[:8]
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Asked:
    """A program that loads as many pictures as it is told to, when it is told to."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def load(self, count):
        print(count, file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            sys.exit("the program ended before its work was done")
        return json.loads(line)

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def build():
    RESULTS.mkdir(exist_ok=True)
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "libcurl", "libjpeg", "libpng", "libwebp"], check=True,
        capture_output=True, text=True).stdout.split()
    compiler = shutil.which("clang") or str(pathlib.Path(shutil.which("swift")).resolve().parent / "clang")
    subprocess.run(
        [compiler, "-O2", "-Wall", "-o", FETCH, BENCHMARKS / "C/fetch.c", *flags, "-lm", "-lpthread"], check=True)
    environment = dict(os.environ, VIGNETTE_WITHOUT_VIEWS="1", VIGNETTE_WITHOUT_COMMAND="1")
    for package, product in ((HERE, "pipeline-benchmark"), (BENCHMARKS, "hot-paths")):
        subprocess.run(
            ["swift", "build", "-c", "release", "--package-path", package, "--product", product], check=True,
            stdout=sys.stderr, env=environment)


def ask(*arguments):
    output = subprocess.run(
        [HERE / ".build/release/pipeline-benchmark", *map(str, arguments)], check=True, stdout=subprocess.PIPE,
        text=True).stdout
    return json.loads(output.strip().splitlines()[-1])


def hot_paths(report, _server, _options):
    output = subprocess.run(
        [BENCHMARKS / ".build/release/hot-paths", "--json"], stdout=subprocess.PIPE, text=True).stdout
    readings = {reading["name"]: reading for reading in map(json.loads, output.splitlines())}
    hit, key = readings["memory hit"], readings["request and key from a URL"]
    report.figure("memory hit", hit["ns"], "ns", most=1_000)
    report.figure("memory hit", hit["allocations"], "allocations", most=0)
    report.figure("request and key from a URL", key["ns"], "ns", most=500)


def joined(report, server, _options):
    result = ask("joined", server.root + "/small", 5_000)
    name = f"{result['requests']} requests for {result['urls']} URLs"
    report.figure(f"{name}: downloads", result["downloads"], "", most=result["urls"])
    report.figure(f"{name}: decodes", result["decodes"], "", most=result["urls"])
    extra = (result["cpu"] - result["cpuOfOneEach"]) / (result["requests"] - result["urls"])
    report.figure(f"{name}: time", result["wall"] * 1e3, "ms")
    report.figure(f"{name}: CPU of one more", extra * 1e6, "µs", most=50)


def at_once(report, server, _options):
    """All in one task group: encoded bytes must not come to lie in memory together."""
    command = [HERE / ".build/release/pipeline-benchmark", "joined", server.root + "/large", str(AT_ONCE)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit("the program ended before its work was done")
    name = f"{AT_ONCE} pictures of 12 megapixels at once: peak memory"
    report.figure(name, usage.ru_maxrss * 1024 / 1e6, "MB", most=120)


def slope(samples):
    """Least squares, bytes a picture, over (pictures, bytes)."""
    x, y = zip(*samples)
    return statistics.linear_regression(x, y).slope


class Load:
    """What others used of the processors between two moments, as a share of all of them."""

    def __init__(self, server):
        self.server, self.busy, self.served, self.wall = server, busy_seconds(), server.cpu(), time.monotonic()

    def end(self, own):
        """`own`: processor seconds of what was measured. Returns the others' share and the server's seconds."""
        served = self.server.cpu() - self.served
        elapsed = time.monotonic() - self.wall
        return max(0, busy_seconds() - self.busy - served - own) / elapsed / PROCESSORS, served


def too_busy(others):
    return None if others <= BUSY else f"others used {others:.0%} of the processors"


def distinct(report, server, options):
    step = 25
    rounds = max(2, options.count // step)
    ours = Asked(HERE / ".build/release/pipeline-benchmark", "pictures", server.root + "/large")
    by_hand = Asked(FETCH, server.root + "/large", str(PROCESSORS))
    ours.load(step), by_hand.load(step)
    ratios, costs, memory = [], [], []
    for index in range(rounds):
        result = ours.load(step)
        costs.append(result["cpu"] / step * 1e3)
        if index < MOST_COMPARED:
            ratios.append(result["cpu"] / by_hand.load(step)["cpu"])
        if result["evictions"]:
            memory.append(((index + 2) * step, result["resident"]))
    # In longer rounds: of 25 pictures on two processors one has 13, and both wait for the first to arrive.
    walls, others = [], []
    for _ in range(5):
        load = Load(server)
        result = ours.load(8 * step)
        other, served = load.end(result["cpu"])
        others.append(other)
        walls.append(result["wall"] / ((result["cpu"] + served) / PROCESSORS))
    ours.stop(), by_hand.stop()
    name = f"{rounds * step} pictures of 12 megapixels at 200 px"
    report.figure(f"{name}: CPU each", statistics.median(costs), "ms")
    report.figure(f"{name}: CPU ÷ C", statistics.median(ratios), "", most=1.08)
    quiet = [wall for wall, other in zip(walls, others) if other <= BUSY]
    report.figure(
        f"{name}: wall ÷ (CPU / {PROCESSORS})", statistics.median(quiet or walls), "", most=1.1,
        unjudged=None if len(quiet) >= 3 else too_busy(statistics.median(others)))
    report.figure(f"{name}: resident at the end", memory[-1][1] / 1e6 if memory else 0, "MB")
    if len(memory) > 2:
        few = f"fewer than {SLOPE_COUNT} pictures" if rounds * step < SLOPE_COUNT else None
        report.figure(f"{name}: resident slope", slope(memory) / 1024, "KB a picture", most=1, unjudged=few)
    if options.samples:
        for pictures, resident in memory:
            print(pictures, resident, file=sys.stderr)


def second_look(report, server, _options):
    result = ask("thumbnails", server.root + "/large", 100)
    report.figure("first look at 12 megapixels: CPU", result["first"] / result["pictures"] * 1e3, "ms")
    report.figure("second look, from its thumbnail: CPU", result["second"] / result["pictures"] * 1e3, "ms")
    report.figure("first ÷ second", result["first"] / result["second"], "", least=15)


def behind_prefetches(report, server, _options):
    load, before = Load(server), children_cpu()
    result = ask("prefetch", server.root + "/large", PREFETCH_ROUNDS)
    busy = too_busy(load.end(children_cpu() - before)[0])
    report.figure("a visible picture, idle: wall", result["idle"] * 1e3, "ms")
    name = f"behind {result['prefetches']} prefetches"
    line, everything = result["behindLine"] / result["idle"], result["behindAll"] / result["idle"]
    report.figure(f"{name} in the prefetcher's line ÷ idle", line, "", most=2, unjudged=busy)
    report.figure(f"{name} all in the pipeline ÷ idle", everything, "", most=2, unjudged=busy)


PARTS = {
    "hot-paths": hot_paths, "joined": joined, "at-once": at_once, "distinct": distinct, "second-look": second_look,
    "prefetches": behind_prefetches,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one object a line")
    parser.add_argument("--count", type=int, default=1_000, help="distinct pictures")
    parser.add_argument("--only", choices=PARTS, action="append", help="this part; may be given more than once")
    parser.add_argument("--skip-build", action="store_true", help="measure what was built before")
    parser.add_argument("--samples", action="store_true", help="pictures and resident bytes, on standard error")
    parser.add_argument("--port", type=int, default=18_093)
    options = parser.parse_args()
    if not options.skip_build:
        build()
    report = Report(options.json)
    with serving(options.port) as server:
        for name, part in PARTS.items():
            if not options.only or name in options.only:
                part(report, server, options)
    sys.exit(1 if report.failed else 0)


if __name__ == "__main__":
    main()
