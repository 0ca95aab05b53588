#!/usr/bin/env python3
"""What probe costs beside what people would use instead: whole commands against the same servers, by turns, in one run.

    Benchmarks/compare.py .build-release/release/probe [ROUNDS] [--json]

For each command it prints the processor time (user and system, children included) and the elapsed time of the median round, and
probe's as a ratio of them: below 1 is in probe's favour; with --json a line for each ratio. Commands that are not installed are
named at the end. It ends with 2 where one did not succeed.
"""

import base64
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from ending import run

LIST = 100
LIMIT = 60
AS_JSON = "--json" in sys.argv


class Servers:
    """The servers of the benches, in a process of their own."""

    def __init__(self, probe, folder):
        self.process = subprocess.Popen(
            [probe, "bench", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        facts = json.loads(self.process.stdout.readline())
        self.tls, self.dns = str(facts["tlsPort"]), str(facts["dnsPort"])
        self.pin = facts["pin"]
        self.ca = os.path.join(folder, "ca.pem")
        pem = facts["anchor"]
        lines = [pem[start:start + 64] for start in range(0, len(pem), 64)]
        with open(self.ca, "w") as file:
            file.write("\n".join(["-----BEGIN CERTIFICATE-----", *lines, "-----END CERTIFICATE-----", ""]))

    def stop(self):
        self.process.stdin.close()
        self.process.wait(10)


def measure(command):
    """Processor seconds and elapsed seconds of one run; None where it did not succeed."""
    start = time.monotonic()
    process = subprocess.Popen(
        command, shell=isinstance(command, str), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True)
    limit = threading.Timer(LIMIT, os.killpg, (process.pid, signal.SIGKILL))
    limit.start()
    # Waited for by hand: with a limit the library looks again and again, further and further apart.
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.monotonic() - start
    limit.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return None if process.returncode else (usage.ru_utime + usage.ru_stime, elapsed)


def compare(what, ours, theirs, rounds):
    """A line of the table: both commands by turns."""
    pairs = []
    for number in range(rounds + 1):
        pair = [measure(command) for command in ((ours, theirs) if number % 2 else (theirs, ours))]
        if None in pair:
            failed = (ours, theirs)[pair.index(None) if number % 2 else 1 - pair.index(None)]
            sys.exit(f"this did not succeed: {failed}")
        if number > 0:  # The first round warms the machine up.
            pairs.append(pair if number % 2 else pair[::-1])
    probe, other = zip(*pairs)
    name = (theirs if isinstance(theirs, str) else " ".join(theirs)).split()[0]
    figures = []
    for index, column in enumerate(("processor time", "elapsed")):
        ratio = statistics.median(ours[index] / theirs[index] for ours, theirs in pairs)
        mine = statistics.median(run[index] for run in probe) * 1000
        his = statistics.median(run[index] for run in other) * 1000
        figures.append(f"{mine:8.1f} {his:8.1f} {ratio:6.2f}")
        if AS_JSON:
            print(json.dumps({"row": f"{what}, against `{name}`", "column": column, "ratio": ratio}), flush=True)
    if not AS_JSON:
        print(f"{what:34} {name:12} {'  '.join(figures)}", flush=True)


def main():
    probe, rounds = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:3] not in ([], ["--json"]) else 15
    with tempfile.TemporaryDirectory() as folder:
        servers = Servers(probe, folder)
        try:
            table(probe, servers, folder, rounds)
        finally:
            servers.stop()


def table(probe, servers, folder, rounds):
    if not AS_JSON:
        print(f"{'':34} {'':12} {'CPU ms':^24}  {'ELAPSED ms':^24}")
        print(f"{'WHAT':34} {'AGAINST':12} {'probe':>8} {'other':>8} {'ratio':>6}  {'probe':>8} {'other':>8} {'ratio':>6}")
    missing = []

    def line(what, ours, theirs):
        program = (theirs if isinstance(theirs, str) else theirs[0]).split()[0]
        if shutil.which(program):
            compare(what, ours, theirs, rounds)
        else:
            missing.append(program)

    def check(backend, *more):
        return [
            probe, "check", "--backend", backend, "--connect", f"127.0.0.1:{servers.tls}", "--ca", servers.ca,
            "--pin", f"spki@leaf:sha256:{servers.pin}", *more, "good.test",
        ]

    line("start: what is in it", [probe, "backends"], ["openssl", "version"])
    line(
        "trust and a pin", check("openssl"),
        f"openssl s_client -connect 127.0.0.1:{servers.tls} -servername good.test -verify_hostname good.test "
        f"-CAfile {servers.ca} -verify_return_error | openssl x509 -pubkey -noout | openssl pkey -pubin -outform der "
        "| openssl dgst -sha256 -binary | openssl enc -base64")
    line(
        "trust", check("gnutls"),
        ["gnutls-cli", "--x509cafile", servers.ca, "-p", servers.tls, "--sni-hostname", "good.test",
         "--verify-hostname", "good.test", "127.0.0.1"])
    line(
        "trust, a pin and a request", check("curl", "--server-date", "always"),
        ["curl", "-sI", "--cacert", servers.ca, "--pinnedpubkey", f"sha256//{servers.pin}", "--connect-to",
         f"::127.0.0.1:{servers.tls}", "https://good.test/"])
    line("all four stacks", check("all"), ["sslscan", "--no-colour", "--sni-name=good.test", f"127.0.0.1:{servers.tls}"])
    line(
        "all four stacks", check("all"),
        ["sslyze", "--certinfo", "--sni", "good.test", f"127.0.0.1:{servers.tls}"])
    models = [
        probe, "models", "models.test", "--model", "florida", "--resolver", "ldns", "--dns-server",
        f"127.0.0.1:{servers.dns}",
    ]
    line("a model list", models, ["drill", "-p", servers.dns, "models.test", "@127.0.0.1", "TXT"])

    queries = os.path.join(folder, "queries")
    with open(queries, "w") as file:
        file.write("models.test TXT\n")
    line("a model list", models, ["dnsperf", "-s", "127.0.0.1", "-p", servers.dns, "-d", queries, "-n", "1"])

    targets = os.path.join(folder, "targets")
    with open(targets, "w") as file:
        file.write(f"127.0.0.1,good.test:{servers.tls}\n" * LIST)
    scan = [
        probe, "scan", "--backend", "openssl", "--list", targets, "--ca", servers.ca, "--pin",
        f"spki@leaf:sha256:{servers.pin}", "--timeout", "30",
    ]
    line(
        f"a list of {LIST} servers", scan,
        f"xargs -P 16 -I {{}} openssl s_client -connect 127.0.0.1:{servers.tls} -servername good.test "
        f"-CAfile {servers.ca} -verify_return_error < {targets}")
    if missing and not AS_JSON:
        print(f"not installed here: {', '.join(dict.fromkeys(missing))}")


if __name__ == "__main__":
    run(main)
