#!/usr/bin/env python3
"""Counts what one answer of the hash path takes, heap allocations and instructions, and holds it to thresholds.json.

    Benchmarks/counted.py .build-release/release/counted [--write]

Instructions are counted by callgrind, in the path alone: whatever else the machine does, they are the same. Both counters are
shown to count: a control allocates once each time, another does the work twice. With --write the figures become the thresholds.
Ends with 1 when a threshold is passed, and with 2 when something could not be counted.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

from ending import run

COUNT = 1000
KEYS = ["rsa-2048", "rsa-4096", "p256", "ed25519"]
LIBRARIES = ["openssl", "gnutls", "boringssl"]
THRESHOLDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "thresholds.json")
# The factor by which instructions may be above their threshold: a library's update moves them a little.
TOLERANCE = 1.05


def allocations(program, library, key):
    return int(subprocess.check_output([program, library, key, str(COUNT)], timeout=60)) / COUNT


def instructions(program, library, key):
    with tempfile.TemporaryDirectory() as folder:
        ended = subprocess.run(
            ["valgrind", "--tool=callgrind", "--toggle-collect=*counted0A4Work*",
             f"--callgrind-out-file={folder}/out", program, library, key, str(COUNT)],
            capture_output=True, text=True, timeout=600, check=True)
    return int(re.search(r"Collected : (\d+)", ended.stderr)[1]) / COUNT


def line(bench, key, library, value, unit, target, met):
    print(f"{bench:20} {key:9} {library:11} {value:9.2f}  {unit:12} {target:>8}  {'yes' if met else 'no'}", flush=True)
    return met


def main():
    with tempfile.TemporaryDirectory() as folder:
        # Debian's valgrind does not read this compiler's debug information, and needs none.
        program = os.path.join(folder, "counted")
        subprocess.run(["strip", "--strip-debug", "-o", program, sys.argv[1]], check=True, timeout=60)
        sys.exit(0 if count(program, "--write" in sys.argv[2:]) else 1)


def count(program, writes):
    """Whether every figure is within its threshold."""
    print(f"{'COUNTED':20} {'SUBJECT':9} {'LIBRARY':11} {'VALUE':>9}  {'UNIT':12} {'TARGET':>8}  MET")
    with open(THRESHOLDS) as file:
        thresholds = json.load(file)
    met = [
        line("control", "p256", "allocations", allocations(program, "control", "p256"), "allocations", "1",
             allocations(program, "control", "p256") == 1)
    ]
    once, twice = instructions(program, "openssl", "p256"), instructions(program, "twice", "p256")
    met.append(line("control", "p256", "instructions", twice / once, "times", "2", 1.8 < twice / once < 2.1))
    for library in LIBRARIES:
        for key in KEYS:
            threshold = thresholds.setdefault(library, {}).setdefault(key, {"allocations": 0, "instructions": 0})
            made, executed = allocations(program, library, key), instructions(program, library, key)
            if writes:
                threshold.update(instructions=round(executed))
            met.append(line(
                "allocations", key, library, made, "allocations", f"≤ {threshold['allocations']}",
                made <= threshold["allocations"]))
            met.append(line(
                "instructions", key, library, executed, "instructions", f"≤ {threshold['instructions']}",
                executed <= threshold["instructions"] * TOLERANCE))
    if writes:
        with open(THRESHOLDS, "w") as file:
            json.dump(thresholds, file, indent=2)
            file.write("\n")
    return all(met)


if __name__ == "__main__":
    run(main)
