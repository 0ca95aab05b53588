"""The command that is tested, and lists and results of it."""

import json
import os
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
PROBE = os.environ.get("PROBE_UNDER_TEST") or str(HERE.parent / ".build/release/probe")


def targets(count):
    """Targets that need no server: nobody listens at port 1 of these addresses."""
    return [f"127.0.{number // 250}.{number % 250 + 1}:1" for number in range(count)]


def results(files):
    """Returns the targets that have results in files, in any order, and whether every file says that it is complete."""
    found, complete = [], True
    for file in files:
        lines = [json.loads(line) for line in Path(file).read_text().splitlines()]
        complete = complete and lines[-1]["schema"] == "probe-scan/1" and lines[-1]["complete"]
        found += [line["target"] for line in lines if line["schema"] == "probe/1"]
    return sorted(found), complete
