#!/usr/bin/env python3
"""CPU per GET of the libcurl transport beside `curl --parallel` and URLSession, against nginx on loopback.

Needs nginx and curl. What is compared runs in turn: the transport alone, beneath an HTTPLoader that stores nothing,
curl, and URLSession, for a body of 50 KB and one of 3 MB over HTTP/1.1. Of each the median and the least are printed, in
microseconds of CPU time a request, and the median's ratio to curl's. Then one process sends many requests, and its
resident memory is printed along the way. Exit status 1 above a limit. Wants a machine that does nothing else: what other
processes take of the caches and of memory's bandwidth goes into the ratios.
  Benchmarks/Transport/run.py [--json] [--runs 9] [--count 2000] [--large-count 800] [--steady 50000]
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
PROGRAM = HERE / ".build/release/transport-benchmark"
CONNECTIONS, CONCURRENCY = 6, 16

# Against the median of curl's runs; URLSession's is a least.
LIMITS = {"small": 1.25, "large": 1.5}
LEAST_AGAINST_SESSION = {"small": 5, "large": 0}
GROWTH_KB = 4096


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON object in place of the table")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--count", type=int, default=2000, help="requests for 50 KB in a run")
    parser.add_argument("--large-count", type=int, default=800, help="requests for 3 MB in a run")
    parser.add_argument("--steady", type=int, default=50_000, help="requests of the process whose memory is watched")
    parser.add_argument("--port", type=int, default=18099)
    return parser.parse_args()


def curl(url, count):
    """curl's own CPU time for the same requests with the same number of connections, in microseconds a request."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    urls = url.replace("{}", f"[0-{count - 1}]")
    arguments = ["-sS", "-Z", "--no-progress-meter", "--parallel-max", str(CONNECTIONS), "-o", "/dev/null", urls]
    subprocess.run(["curl", *arguments], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / count * 1e6


def ours(kind, url, count):
    output = subprocess.run([PROGRAM, kind, url, str(count), str(CONCURRENCY)], capture_output=True, check=True).stdout
    return json.loads(output)


def compare(url, count, runs):
    times = {"transport": [], "loader": [], "curl": [], "URLSession": []}
    for _ in range(runs):
        times["transport"].append(ours("curl", url, count)["cpuMicroseconds"])
        times["curl"].append(curl(url, count))
        times["loader"].append(ours("loader", url, count)["cpuMicroseconds"])
        times["URLSession"].append(ours("session", url, max(count // 4, 1))["cpuMicroseconds"])
    base = statistics.median(times["curl"])
    return {
        kind: {"median": statistics.median(of), "least": min(of), "ratio": statistics.median(of) / base}
        for kind, of in times.items()
    }


def serve(folder, sizes, port):
    root = Path(folder)
    for name, size in sizes.items():
        (root / name).write_bytes(os.urandom(size))
    (root / "nginx.conf").write_text(
        f"""daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;
        events {{}} http {{ access_log off; sendfile on; keepalive_requests 1000000;
        server {{ listen 127.0.0.1:{port}; root {folder};
        location /small {{ try_files /small =404; }} location /large {{ try_files /large =404; }} }} }}""")
    server = subprocess.Popen(["nginx", "-c", root / "nginx.conf", "-p", folder], stderr=subprocess.DEVNULL)
    time.sleep(0.5)
    return server


def measure(given):
    counts = {"small": given.count, "large": given.large_count}
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        server = serve(folder, {"small": 50_000, "large": 3_000_000}, given.port)
        try:
            base = f"http://127.0.0.1:{given.port}"
            results = {name: compare(f"{base}/{name}/{{}}", count, given.runs) for name, count in counts.items()}
            results["residentKB"] = ours("curl", f"{base}/small/{{}}", given.steady)["residentKB"]
        finally:
            server.terminate()
            server.wait()
    return results


def faults(results):
    for name, limit in LIMITS.items():
        of = results[name]
        for kind in ("transport", "loader"):
            if of[kind]["ratio"] > limit:
                yield f"{name}, {kind}: {of[kind]['ratio']:.2f} times curl's, more than {limit}"
        if of["URLSession"]["median"] < LEAST_AGAINST_SESSION[name] * of["transport"]["median"]:
            yield f"{name}: URLSession takes less than {LEAST_AGAINST_SESSION[name]} times the transport's"
    resident = results["residentKB"]
    if resident[-1] - resident[1] > GROWTH_KB:
        yield f"resident memory grew by {resident[-1] - resident[1]} KB"


def main():
    given = options()
    subprocess.run(
        ["swift", "build", "-c", "release", "--package-path", HERE], check=True, stdout=sys.stderr)
    results = measure(given)
    found = list(faults(results))
    if given.json:
        print(json.dumps({**results, "aboveLimit": found}))
    else:
        for name in LIMITS:
            for kind, of in results[name].items():
                print(
                    f"{name}  {kind:10} median {of['median']:7.0f}  least {of['least']:7.0f} µs CPU a request"
                    f"  {of['ratio']:5.2f} × curl")
        print(f"resident KB at each tenth of {given.steady} requests:", *results["residentKB"])
        for fault in found:
            print("above its limit:", fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
