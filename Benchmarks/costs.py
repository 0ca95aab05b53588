#!/usr/bin/env python3
"""Runs every comparison in pairs, holds the ratios to the recorded ones, and writes the tables of docs/costs.md.

    Benchmarks/costs.py .build-release/release [RUNS] [--only GROUP,GROUP] [--accept]

Each comparison measures its two sides by turns and says their ratio; it is made RUNS times. A ratio depends on the processor, so that
it is held to the one that was recorded on such a processor. A figure is worse where its median is above that by more than the recorded
range, and lost where its group was recorded and it was not measured: then it is named, nothing is written, and the run ends with 1;
with 2 where a bench broke off. With --accept the new figures are recorded all the same, for a change that is worth its price. Figures
that nobody recorded are recorded.
"""

import json
import os
import platform
import re
import statistics
import subprocess
import sys
from pathlib import Path

from ending import run

HERE = Path(__file__).parent
RECORDED = HERE / "figures.json"
PAGE = HERE.parent / "docs" / "costs.md"
# A range that happened to be narrow: medians on a quiet machine differ by as much.
LEAST_RANGE = 0.05
# Of the hash path's bench: a parser's cost, of which more is not worse, and counts.
UNCOMPARED = {"parser", "allocations", "allocation-counter", "batch-allocations"}


class Comparison:
    """A program that measures the figures of one group, and a time limit."""

    def __init__(self, group, command, seconds):
        self.group, self.command, self.seconds = group, command, seconds

    def ratios(self):
        """The ratios of one run and their targets, by row and column."""
        ended = subprocess.run(self.command, stdout=subprocess.PIPE, text=True, timeout=self.seconds, check=False)
        # 1 is a bench that printed all its figures and missed a target (ending.py): they are compared below.
        if ended.returncode not in (0, 1):
            sys.exit(f"it ended with {ended.returncode}: {' '.join(map(str, self.command))}")
        found = {}
        for line in ended.stdout.splitlines():
            if line.startswith("{"):
                figure = json.loads(line)
                if figure.get("ratio") is not None and figure.get("bench") not in UNCOMPARED:
                    found[key(figure)] = figure["ratio"], figure.get("target")
        if not found:
            sys.exit(f"no figures came from: {' '.join(map(str, self.command))}")
        return found


def key(figure):
    """Where a figure stands in its group's table; the benches of probe name it otherwise than the scripts here."""
    if "row" in figure:
        return figure["row"], figure["column"]
    row = figure["subject"] if figure["bench"] in ("handshake", "hash") else f"{figure['bench']}: {figure['subject']}"
    return row, figure["library"]


def comparisons(release):
    probe, bench = release / "probe", release / "probe-bench"
    return [
        Comparison("hash", [bench, "hash", "--format", "json"], 1800),
        Comparison("handshake", [probe, "bench", "handshake", "--format", "json"], 1800),
        Comparison("dns", [probe, "bench", "dns", "--format", "json"], 600),
        Comparison("scan", [probe, "bench", "scan", "--format", "json"], 600),
        Comparison("scanner", [HERE / "scanner.py", probe, "1", "4000", "--json"], 1800),
        Comparison("names", [HERE / "names.py", probe, "5", "--json"], 1800),
        Comparison("commands", [HERE / "compare.py", probe, "5", "--json"], 1800),
    ]


def measured(comparison, runs):
    """The figures of a group: the median of the runs, and their range."""
    ratios, targets = {}, {}
    for _ in range(runs):
        for place, (ratio, target) in comparison.ratios().items():
            ratios.setdefault(place, []).append(ratio)
            targets[place] = target
    return [
        {"group": comparison.group, "row": row, "column": column, "median": round(statistics.median(found), 3),
         "low": round(min(found), 3), "high": round(max(found), 3), "target": targets[row, column]}
        for (row, column), found in ratios.items()
    ]


def place(figure):
    return figure["group"], figure["row"], figure["column"]


def is_worse(figure, recorded):
    """Whether a figure is above the recorded one by more than that one's range."""
    spread = max(recorded["high"] - recorded["low"], recorded["median"] * LEAST_RANGE)
    return figure["median"] > recorded["median"] + spread


def worse(figures, recorded):
    """The figures that are worse, each with the recorded one."""
    known = {place(figure): figure for figure in recorded}
    pairs = [(figure, known.get(place(figure))) for figure in figures]
    return [(figure, before) for figure, before in pairs if before and is_worse(figure, before)]


def lost(figures, recorded):
    """The recorded figures of the measured groups that were not measured."""
    groups, known = {figure["group"] for figure in figures}, {place(figure) for figure in figures}
    return [figure for figure in recorded if figure["group"] in groups and place(figure) not in known]


def merged(recorded, figures):
    """What is recorded after a run: its own figures, and the earlier ones of groups that it did not measure."""
    new = {figure["group"] for figure in figures}
    return [figure for figure in recorded if figure["group"] not in new] + figures


def number(value):
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def cell(figure):
    if figure is None:
        return ""
    if number(figure["low"]) == number(figure["high"]):
        return number(figure["median"])
    return f"{number(figure['median'])} ({number(figure['low'])} to {number(figure['high'])})"


def table(figures):
    """The figures of a group as Markdown, rows and columns in the order in which they were measured."""
    rows = list(dict.fromkeys(figure["row"] for figure in figures))
    columns = list(dict.fromkeys(figure["column"] for figure in figures))
    cells = {(figure["row"], figure["column"]): figure for figure in figures}
    lines = ["| |" + "".join(f" {column} |" for column in columns), "|---|" + "---|" * len(columns)]
    lines += [f"| {row} |" + "".join(f" {cell(cells.get((row, column)))} |" for column in columns) for row in rows]
    return "\n".join(lines)


def written(page, recorded):
    """The page with the tables of the recorded figures of every processor, each with its machine and flags, between its group's
    marks."""

    def content(match):
        group, texts = match[1], []
        for own in recorded.values():
            figures = [figure for figure in own["figures"] if figure["group"] == group]
            said = own["conditions"].get(group)
            texts += [table(figures)] * bool(figures) + [said] * bool(figures and said)
        return f"<!-- figures: {group} -->\n" + "\n\n".join(texts) + "\n<!-- end -->"

    return re.sub(r"<!-- figures: (\w+) -->\n.*?<!-- end -->", content, page, flags=re.DOTALL)


def processor(text):
    """The processor by its name and the units that decide the figures, from the text of /proc/cpuinfo."""
    names, units = re.findall(r"model name\s*: (.*)", text), re.search(r"flags\s*: (.*)", text)
    flags = units[1].split() if units else []
    known = [word for flag, word in (("sha_ni", "SHA extensions"), ("avx512f", "AVX-512")) if flag in flags]
    return (names[0] if names else platform.machine()) + (f" with {' and '.join(known)}" if known else "")


def conditions(runs, processor):
    """The machine and the flags, in a sentence."""
    flags = re.search(r"^RELEASE = (.*?) --scratch-path", (HERE.parent / "Makefile").read_text(), re.MULTILINE)[1]
    return (f"Medians of {runs} runs and their range, on {os.cpu_count()} processors ({processor}), load "
            f"{os.getloadavg()[0]:.0f}, built with `{flags}`.")


def main():
    words = sys.argv[1:]
    accepts = "--accept" in words
    only = words[words.index("--only") + 1].split(",") if "--only" in words else None
    plain = [word for at, word in enumerate(words) if not word.startswith("--") and (at == 0 or words[at - 1] != "--only")]
    release, runs = Path(plain[0]).resolve(), int(plain[1]) if len(plain) > 1 else 3
    recorded = json.loads(RECORDED.read_text())
    cpuinfo = Path("/proc/cpuinfo")
    name = processor(cpuinfo.read_text() if cpuinfo.exists() else "")
    if name not in recorded:
        print(f"nothing is recorded of {name}: these figures will be\n")
    own = recorded.setdefault(name, {"conditions": {}, "figures": []})
    figures = []
    for comparison in comparisons(release):
        if only is None or comparison.group in only:
            figures += measured(comparison, runs)
            group = [figure for figure in figures if figure["group"] == comparison.group]
            print(f"{comparison.group}\n{table(group)}")
            for figure in group:
                if figure["target"] is not None and figure["median"] > figure["target"]:
                    print(f"missed: {figure['row']}, {figure['column']}: at most {figure['target']} is wanted")
            print(flush=True)
    for figure, before in (found := worse(figures, own["figures"])):
        print(f"worse: {figure['group']}, {figure['row']}, {figure['column']}: {cell(figure)}, and {cell(before)} is recorded")
    for figure in (missing := lost(figures, own["figures"])):
        print(f"lost: {figure['group']}, {figure['row']}, {figure['column']}: {cell(figure)} is recorded, and it was not measured")
    if (found or missing) and not accepts:
        sys.exit(1)
    own["figures"] = merged(own["figures"], figures)
    own["conditions"].update({figure["group"]: conditions(runs, name) for figure in figures})
    RECORDED.write_text(json.dumps(recorded, indent=1) + "\n")
    PAGE.write_text(written(PAGE.read_text(), recorded))


if __name__ == "__main__":
    run(main)
