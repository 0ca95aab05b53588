#!/usr/bin/env python3
"""What `probe models --list` costs beside `dnsperf`: the same names, asked of one NSD on loopback, by turns, in one run.

    Benchmarks/names.py .build-release/release/probe [ROUNDS] [NAMES] [--json]

Each name has a list of two models in its TXT record; probe reads it with ldns and judges a model that is on it, dnsperf counts the
answer. It prints the medians of the processor time (user and system), their ratio with its range over the rounds, the ratio of the elapsed times and
the answers that either lost; it ends with 1 where the ratio of processor times is above its target, or an answer was lost or is not a
pass, and with 2 where a command did not succeed. With --json it prints a line for the ratio, and ends with 2 where an answer was lost.
"""

import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ending import run

LIMIT = 600
# The most processor time that probe may take, as a multiple of dnsperf's.
TARGET = 5
READY = 30


def zone(names):
    lines = ["$ORIGIN models.test.", "$TTL 60", "@ SOA ns hostmaster 1 3600 600 86400 60", "@ NS ns", "ns A 127.0.0.1"]
    return "\n".join([*lines, *(f'n{number} TXT "dc,florida"' for number in range(names)), ""])


def configuration(folder, port):
    return f"""server:
  ip-address: 127.0.0.1@{port}
  username: ""
  zonesdir: "{folder}"
  pidfile: ""
  xfrdfile: "{folder}/xfrd"
  zonelistfile: "{folder}/list"
  xfrdir: "{folder}"
  database: ""
  server-count: 1
  rrl-ratelimit: 0
remote-control:
  control-enable: no
zone:
  name: models.test
  zonefile: zone
"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def start(folder, names):
    """NSD with the zone, once it answers."""
    port = free_port()
    (folder / "zone").write_text(zone(names))
    (folder / "conf").write_text(configuration(folder, port))
    process = subprocess.Popen(["nsd", "-d", "-c", str(folder / "conf")], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin"})
    for _ in range(READY * 20):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return process, port
        except OSError:
            if process.poll() is not None:
                sys.exit(f"NSD ended with {process.returncode}")
            time.sleep(0.05)
    process.kill()
    sys.exit(f"NSD does not answer within {READY} s")


def measure(command, output):
    """Processor seconds, elapsed seconds and the exit code of one run."""
    start = time.monotonic()
    with open(output, "wb") as file:
        process = subprocess.Popen(["timeout", str(LIMIT), *command], stdin=subprocess.DEVNULL, stdout=file,
                                   stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start, process.returncode


def main():
    words = [each for each in sys.argv[1:] if each != "--json"]
    if not words:
        sys.exit(__doc__)
    probe = os.path.abspath(words[0])
    rounds, names = int((words[1:2] or [5])[0]), int((words[2:3] or [20000])[0])
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "names").write_text("".join(f"n{number}.models.test\n" for number in range(names)))
        (folder / "queries").write_text("".join(f"n{number}.models.test TXT\n" for number in range(names)))
        server, port = start(folder, names)
        try:
            sys.exit(table(probe, folder, port, rounds, names))
        finally:
            server.terminate()
            server.wait(10)


def table(probe, folder, port, rounds, names):
    ours = [probe, "models", "--list", str(folder / "names"), "--model", "florida", "--resolver", "ldns", "--dns-server",
            f"127.0.0.1:{port}", "--timeout", "60"]
    theirs = ["dnsperf", "-s", "127.0.0.1", "-p", str(port), "-d", str(folder / "queries"), "-n", "1"]
    pairs, lost, missed = [], 0, 0
    for number in range(rounds + 1):
        runs = {}
        for each in (("ours", "theirs") if number % 2 else ("theirs", "ours")):
            runs[each] = measure({"ours": ours, "theirs": theirs}[each], folder / each)
            if runs[each][2]:
                sys.exit(f"{each} ended with {runs[each][2]}: {(folder / each).read_text()[-400:]}")
        results = [json.loads(line) for line in (folder / "ours").read_text().splitlines()]
        lost += names - sum(each.get("outcome") == "pass" for each in results)
        found = re.search(r"Queries lost:\s+(\d+)", (folder / "theirs").read_text())
        missed += int(found.group(1)) if found else 0
        if number > 0:  # The first round warms the machine up.
            pairs.append((runs["ours"], runs["theirs"]))
    ratios = sorted(ours[0] / theirs[0] for ours, theirs in pairs)
    ratio = statistics.median(ratios)
    if "--json" in sys.argv:
        if lost:
            sys.exit(f"{lost} answers were lost, or are not a pass")
        print(json.dumps({"row": f"{names} names, against `dnsperf`",
                          "column": "processor time", "ratio": ratio, "target": TARGET}))
    else:
        mine, other = (statistics.median(pair[index][0] for pair in pairs) for index in (0, 1))
        elapsed = statistics.median(ours[1] / theirs[1] for ours, theirs in pairs)
        print(f"{names} names, {rounds} rounds: probe {mine:.3f} s, dnsperf {other:.3f} s of processor time; "
              f"{ratio:.2f} times ({ratios[0]:.2f} to {ratios[-1]:.2f}; at most {TARGET}), {elapsed:.2f} times the elapsed "
              f"time; lost: probe {lost}, dnsperf {missed}")
    return 1 if ratio > TARGET or lost else 0


if __name__ == "__main__":
    run(main)
