#!/usr/bin/env python3
"""Runs a bench of probe, prints its figures, and exits with status 1 if one misses its target, 2 if it broke off.

    Benchmarks/met.py .build-release/release/probe bench chains
"""

import json
import subprocess
import sys

from ending import run


def main():
    ended = subprocess.run(sys.argv[1:] + ["--format", "json"], stdout=subprocess.PIPE, text=True, check=True)
    figures = [json.loads(line) for line in ended.stdout.splitlines()]
    if not figures:
        sys.exit("no figures came from: " + " ".join(sys.argv[1:]))
    for figure in figures:
        missed = "" if figure["met"] else "   missed"
        print(f"{figure['bench']:16}{figure['subject']:28}{figure['value']:10} {figure['unit']:4}at most {figure['target']}{missed}")
    if not all(figure["met"] for figure in figures):
        sys.exit(1)


if __name__ == "__main__":
    run(main)
