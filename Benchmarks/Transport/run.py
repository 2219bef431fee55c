#!/usr/bin/env python3
"""CPU per GET of the libcurl transport beside `curl --parallel` and URLSession, against nginx on loopback.

Needs nginx and curl. Runs are interleaved; medians are printed, in microseconds of CPU time per request.
  Benchmarks/Transport/run.py [--runs 7] [--count 2000] [--size 50000]
"""
import argparse, json, os, resource, statistics, subprocess, tempfile, time
from pathlib import Path

here = Path(__file__).parent
options = argparse.ArgumentParser()
options.add_argument("--runs", type=int, default=7)
options.add_argument("--count", type=int, default=2000)
options.add_argument("--size", type=int, default=50_000)
options.add_argument("--port", type=int, default=18099)
options = options.parse_args()

subprocess.run(["swift", "build", "-c", "release", "--package-path", here], check=True)
program = here / ".build/release/transport-benchmark"


def curl(url, count):
    """curl's own CPU time for the same requests with the same number of connections."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["curl", "-sS", "-Z", "--no-progress-meter", "--parallel-max", "6", "-o", "/dev/null", url.replace("{}", f"[0-{count - 1}]")], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / count * 1e6


def ours(kind, url, count):
    result = subprocess.run([program, kind, url, str(count), "16"], capture_output=True, check=True)
    return json.loads(result.stdout)["cpuMicroseconds"]


with tempfile.TemporaryDirectory() as folder:
    os.chmod(folder, 0o755)
    root = Path(folder)
    (root / "picture").write_bytes(os.urandom(options.size))
    (root / "nginx.conf").write_text(
        f"""daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;
        events {{}} http {{ access_log off; sendfile on; keepalive_requests 1000000;
        server {{ listen 127.0.0.1:{options.port}; root {folder}; location / {{ try_files /picture =404; }} }} }}""")
    server = subprocess.Popen(["nginx", "-c", root / "nginx.conf", "-p", folder])
    try:
        time.sleep(0.5)
        url = f"http://127.0.0.1:{options.port}/{{}}"
        runs = {"vignette": [], "curl -Z": [], "URLSession": []}
        for _ in range(options.runs):
            runs["vignette"].append(ours("curl", url, options.count))
            runs["curl -Z"].append(curl(url, options.count))
            runs["URLSession"].append(ours("session", url, options.count // 4))
        for name, values in runs.items():
            print(f"{name:12} {statistics.median(values):8.0f} µs CPU a request  {sorted(round(v) for v in values)}")
    finally:
        server.terminate()
        server.wait()
