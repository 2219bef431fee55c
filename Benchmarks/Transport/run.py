#!/usr/bin/env python3
"""CPU per GET of the libcurl transport beside `curl --parallel` and URLSession, against nginx on loopback.

Needs nginx and curl. Runs are interleaved; the least and the median are printed, in microseconds of CPU time per
request, for a small and a large body: the transport alone, and beneath an HTTPLoader that stores nothing. On a busy
machine the least is the figure to compare. Then one process sends many requests, and its resident memory is printed
along the way.
  Benchmarks/Transport/run.py [--runs 7] [--count 2000] [--large-count 200] [--steady 50000]
"""
import argparse, json, os, resource, statistics, subprocess, tempfile, time
from pathlib import Path

here = Path(__file__).parent
options = argparse.ArgumentParser()
options.add_argument("--runs", type=int, default=7)
options.add_argument("--count", type=int, default=2000)
options.add_argument("--large-count", type=int, default=200)
options.add_argument("--steady", type=int, default=50_000)
options.add_argument("--port", type=int, default=18099)
options = options.parse_args()
sizes = {"small": (50_000, options.count), "large": (3_000_000, options.large_count)}

subprocess.run(["swift", "build", "-c", "release", "--package-path", here], check=True)
program = here / ".build/release/transport-benchmark"


def curl(url, count):
    """curl's own CPU time for the same requests with the same number of connections."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["curl", "-sS", "-Z", "--no-progress-meter", "--parallel-max", "6", "-o", "/dev/null", url.replace("{}", f"[0-{count - 1}]")], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / count * 1e6


def ours(kind, url, count):
    return json.loads(subprocess.run([program, kind, url, str(count), "16"], capture_output=True, check=True).stdout)


def compare(name, url, count):
    runs = {"transport": [], "loader": [], "curl -Z": [], "URLSession": []}
    for _ in range(options.runs):
        runs["transport"].append(ours("curl", url, count)["cpuMicroseconds"])
        runs["loader"].append(ours("loader", url, count)["cpuMicroseconds"])
        runs["curl -Z"].append(curl(url, count))
        runs["URLSession"].append(ours("session", url, count // 4)["cpuMicroseconds"])
    for kind, values in runs.items():
        least, median = min(values), statistics.median(values)
        ratio = f"{least / min(runs['curl -Z']):5.2f} {median / statistics.median(runs['curl -Z']):5.2f} × curl"
        print(f"{name}  {kind:10} {least:7.0f} {median:7.0f} µs CPU a request  {ratio}")


with tempfile.TemporaryDirectory() as folder:
    os.chmod(folder, 0o755)
    root = Path(folder)
    for name, (size, _) in sizes.items():
        (root / name).write_bytes(os.urandom(size))
    (root / "nginx.conf").write_text(
        f"""daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;
        events {{}} http {{ access_log off; sendfile on; keepalive_requests 1000000;
        server {{ listen 127.0.0.1:{options.port}; root {folder};
        location /small {{ try_files /small =404; }} location /large {{ try_files /large =404; }} }} }}""")
    server = subprocess.Popen(["nginx", "-c", root / "nginx.conf", "-p", folder])
    try:
        time.sleep(0.5)
        for name, (_, count) in sizes.items():
            compare(name, f"http://127.0.0.1:{options.port}/{name}/{{}}", count)
        steady = ours("curl", f"http://127.0.0.1:{options.port}/small/{{}}", options.steady)
        print("resident KB at each tenth of", options.steady, "requests:", *steady["residentKB"])
    finally:
        server.terminate()
        server.wait()
