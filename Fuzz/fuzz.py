#!/usr/bin/env python3
"""fuzz.py FOLDER [SECONDS]: runs every target for so long, and prints a table.

FOLDER holds the programs; new inputs and finds are kept in `.build-fuzz/fuzz`. The inputs in git are only
read; `--minimise` chooses them anew from both. Exits with 1 at a find, whose input and command are printed.

  --target NAME   only this one; repeatable
  --jobs N        so many targets at once (1)
  --runs N        at most so many runs of each, and no end by time unless SECONDS is given
"""

import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
# The most that is kept in git for a target.
MAXIMUM_FILES, MAXIMUM_BYTES = 50, 200_000
# Short stacks for each allocation, and little freed memory kept: three times as many runs.
ASAN = "detect_leaks=0:allocator_may_return_null=1:malloc_context_size=2:quarantine_size_mb=16"
# Swift's own backtracer would wait at the first find.
ENVIRONMENT = os.environ | {"SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": ASAN}
# Once over the kept inputs, leaks are looked for: at each input it would cost most of the runs.
LEAKS = ENVIRONMENT | {
    "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1",
    "LSAN_OPTIONS": f"suppressions={HERE.parent}/Scripts/sanitizers/leaks.txt:print_suppressions=0",
}
LIMITS = ["-timeout=10", "-rss_limit_mb=1536", "-malloc_limit_mb=512"]


def targets(folder):
    found = {}
    for program in sorted(folder.glob("fuzz-*")):
        if program.suffix or not os.access(program, os.X_OK) or program.is_dir():
            continue
        for line in subprocess.run([program, "--list"], text=True, capture_output=True, check=True).stdout.splitlines():
            name, size = line.split()
            found[name] = (program, int(size))
    return found


def options(name, size):
    dictionary = HERE / "Dictionaries" / f"{name}.dict"
    return [f"--target={name}", f"-max_len={size}", *LIMITS] + ([f"-dict={dictionary}"] if dictionary.exists() else [])


def run(name, program, size, seconds, runs, scratch):
    kept = HERE / "Corpus" / name
    made, finds = scratch / "corpus" / name, scratch / "finds" / name
    for each in (kept, made, finds):
        each.mkdir(parents=True, exist_ok=True)
    command = [program, *options(name, size), f"-artifact_prefix={finds}/", "-print_final_stats=1"]
    command += [f"-max_total_time={seconds}"] if seconds else []
    command += [f"-runs={runs}"] if runs else []
    command += [made, kept]
    leaks = [program, *options(name, size), f"-artifact_prefix={finds}/", "-runs=0", kept]
    log = subprocess.run(leaks, text=True, errors="replace", capture_output=True, env=LEAKS)
    if not log.returncode:
        log = subprocess.run(command, text=True, errors="replace", capture_output=True, env=ENVIRONMENT)
    text = log.stdout + log.stderr

    def last(pattern):
        values = re.findall(pattern, text)
        return int(values[-1]) if values else 0

    artifact = re.findall(r"Test unit written to (\S+)", text)
    if log.returncode:
        (finds / "log.txt").write_text(text)
    executed = last(r"stat::number_of_executed_units:\s*(\d+)")
    return {
        "target": name, "runs": executed, "a second": last(r"stat::average_exec_per_sec:\s*(\d+)"),
        "edges": last(r"cov: (\d+)"), "corpus": last(r"corp: (\d+)"), "finds": 1 if log.returncode else 0,
        "artifact": artifact[-1] if artifact else "", "text": text, "program": program,
    }


def minimise(name, program, size, scratch):
    """Keeps the inputs that together reach the most code, the small ones first."""
    kept, made = HERE / "Corpus" / name, scratch / "corpus" / name
    made.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        control = pathlib.Path(folder, "control")
        chosen = pathlib.Path(folder, "chosen")
        chosen.mkdir()
        subprocess.run(
            [program, *options(name, size), "-merge=1", f"-merge_control_file={control}", chosen, made, kept],
            capture_output=True, env=ENVIRONMENT, check=True)
        lines = control.read_text().splitlines()
        files = [pathlib.Path(line) for line in lines[2:2 + int(lines[0])]]
        edges = {}
        for line in lines[2 + len(files):]:
            kind, index, *rest = line.split()
            if kind == "COV":
                edges[int(index)] = set(rest)
        picked, reached, total = [], set(), 0
        while edges and len(picked) < MAXIMUM_FILES:
            index = max(edges, key=lambda each: (len(edges[each] - reached), -files[each].stat().st_size))
            new = edges.pop(index) - reached
            if not new:
                break
            data = files[index].read_bytes()
            if total + len(data) > MAXIMUM_BYTES:
                continue
            picked.append(data)
            reached |= new
            total += len(data)
    # An input that once was a find stays, whatever it reaches.
    for file in kept.glob("*"):
        if not file.name.startswith("find-"):
            file.unlink()
    for data in picked:
        (kept / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
    print(f"{name}: {len(picked)} inputs, {total} bytes, {len(reached)} edges", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("seconds", type=int, nargs="?")
    parser.add_argument("--target", action="append")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--runs", type=int)
    parser.add_argument("--minimise", action="store_true")
    arguments = parser.parse_args()
    seconds = arguments.seconds or (None if arguments.runs else 60)
    known = targets(arguments.folder)
    unknown = set(arguments.target or []) - set(known)
    if unknown or not known:
        sys.exit(f"no such target: {', '.join(sorted(unknown))}; there are: {', '.join(known)}")
    wanted = arguments.target or list(known)
    scratch = HERE.parent / ".build-fuzz" / "fuzz"
    if arguments.minimise:
        for name in wanted:
            minimise(name, *known[name], scratch)
        return
    columns = ["target", "runs", "a second", "edges", "corpus", "finds"]
    widths = [18, 12, 10, 8, 8, 6]
    line = lambda values: "  ".join(
        str(value).ljust(width) if index == 0 else str(value).rjust(width)
        for index, (value, width) in enumerate(zip(values, widths)))
    print(line(columns), flush=True)
    finds = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        jobs = [pool.submit(run, name, *known[name], seconds, arguments.runs, scratch) for name in wanted]
        for job in jobs:
            result = job.result()
            print(line([result[column] for column in columns]), flush=True)
            if result["finds"]:
                finds.append(result)
    for result in finds:
        reason = re.findall(r"(?:Fatal error|ERROR): .*", result["text"])
        print(f"\n{result['target']}: {reason[0] if reason else 'it ended without a reason'}")
        print(f"fix: {result['program']} --target={result['target']} {result['artifact']}")
    sys.exit(1 if finds else 0)


main()
