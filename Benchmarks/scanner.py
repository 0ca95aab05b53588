#!/usr/bin/env python3
"""What `probe scan` costs beside a scanner that does the least that one can: bare/scanner.go, on Go's crypto/tls.

    Benchmarks/scanner.py .build-release/release/probe [ROUNDS] [TARGETS] [--json]

One nginx on loopback with three P-256 chains: a leaf that all servers have, without an intermediate and with one, and a leaf for
each of 500 servers with one, so that a memory of leaves helps nobody. Both scanners take the same list by turns, with as many targets
at once. For each backend it prints the medians of the processor time a target, their ratio with its range over the rounds, and the
ratio of the elapsed times; it ends with 1 where a ratio is above its target, and with 2 where a scanner did not do every target. With
--json a line for each ratio of processor times.
"""

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from compare import LIMIT
from ending import run

AT_ONCE = 64
# By backend: the most that the processor time may be, without an intermediate and with one.
TARGETS = {"nio": (1.5, 1.2, 1.2), "openssl": (None,) * 3, "gnutls": (None,) * 3, "curl": (None,) * 3}
CHAINS = ("a leaf alone", "with an intermediate", "with one, a leaf each")
LEAVES = 500


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


def issue(folder, name, issuer, extensions):
    """A certificate with a P-256 key: NAME.pem and NAME.key."""
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", folder / f"{name}.key",
            "-out", folder / f"{name}.csr", "-subj", f"/CN={name}")
    (folder / f"{name}.ext").write_text(extensions)
    signer = ["-CA", folder / f"{issuer}.pem", "-CAkey", folder / f"{issuer}.key", "-CAcreateserial"]
    openssl("x509", "-req", "-in", folder / f"{name}.csr", "-days", "30", "-extfile", folder / f"{name}.ext",
            *(signer if issuer else ["-signkey", folder / f"{name}.key"]), "-out", folder / f"{name}.pem")


def issue_each(folder, extensions):
    """A certificate for each of the servers, with one key and the intermediate: each/NAME.pem."""
    each = folder / "each"
    each.mkdir()
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", each / "key")
    openssl("req", "-new", "-key", each / "key", "-out", each / "csr", "-subj", "/CN=each")
    intermediate = (folder / "intermediate.pem").read_text()
    for number in range(LEAVES):
        name = f"n{number}.scan.test"
        (each / "ext").write_text(extensions.replace("*.scan.test", name))
        openssl("x509", "-req", "-in", each / "csr", "-days", "30", "-extfile", each / "ext", "-CA", folder / "intermediate.pem",
                "-CAkey", folder / "intermediate.key", "-CAcreateserial", "-out", each / f"{name}.pem")
        with open(each / f"{name}.pem", "a") as chain:
            chain.write(intermediate)


def start(folder):
    """nginx with all chains; returns it and its ports."""
    authority = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n"
    leaf = "subjectAltName=DNS:*.scan.test\nextendedKeyUsage=serverAuth\nkeyUsage=digitalSignature\n"
    issue(folder, "root", None, authority)
    issue(folder, "intermediate", "root", authority)
    servers, ports = "", []
    for name, issuer in ("direct", "root"), ("through", "intermediate"), ("each/$ssl_server_name", None):
        if issuer is None:
            issue_each(folder, leaf)
            key = "each/key"
        else:
            issue(folder, name, issuer, leaf)
            key = f"{name}.key"
        if issuer == "intermediate":
            with open(folder / f"{name}.pem", "a") as chain:
                chain.write((folder / f"{issuer}.pem").read_text())
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            ports.append(free.getsockname()[1])
        servers += (f"server {{ listen 127.0.0.1:{ports[-1]} ssl backlog=4096; return 204; ssl_session_tickets off;"
                    f"ssl_certificate {folder}/{name}.pem; ssl_certificate_key {folder}/{key}; }}\n")
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/log;\n"
        f"events {{ worker_connections 4096; }}\nhttp {{ access_log off;\n{servers}}}\n")
    nginx = subprocess.Popen(["nginx", "-p", folder, "-c", folder / "nginx.conf"], stderr=subprocess.DEVNULL)
    until = time.monotonic() + LIMIT
    for port in ports:
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if time.monotonic() > until:
                nginx.kill()
                sys.exit((folder / "log").read_text())
            time.sleep(0.05)
    return nginx, ports


def measure(command, targets, expected):
    """Processor milliseconds a target, and the elapsed seconds, of one run over the whole list."""
    began = time.monotonic()
    with open(targets) as list_file, tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdin=list_file, stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        elapsed = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        done = sum(1 for line in output if expected in line)
    count = sum(1 for _ in open(targets))
    if done != count:
        sys.exit(f"{command[0]} did {done} of {count} targets")
    return (usage.ru_utime + usage.ru_stime) / count * 1000, elapsed


def main():
    words, as_json = [word for word in sys.argv[1:] if word != "--json"], "--json" in sys.argv
    probe, rounds = os.path.abspath(words[0]), int(words[1]) if len(words) > 1 else 5
    count = int(words[2]) if len(words) > 2 else 4000
    worst = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scanner = folder / "scanner"
        subprocess.run(["go", "build", "-o", scanner, Path(__file__).parent / "bare/scanner.go"], check=True)
        nginx, ports = start(folder)
        try:
            if not as_json:
                print(f"{'':34}   probe     Go  ratio of processor time   of elapsed time")
            for place, (chain, port) in enumerate(zip(CHAINS, ports)):
                targets = folder / f"list{place}"
                targets.write_text("".join(f"127.0.0.1:{port},n{number % LEAVES}.scan.test\n" for number in range(count)))
                bare = [scanner, folder / "root.pem", str(AT_ONCE)]
                for backend, limits in TARGETS.items():
                    ours = [probe, "scan", "--list", "-", "--backend", backend, "--ca", folder / "root.pem",
                            "--concurrency", str(AT_ONCE), "--at", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())]
                    pairs = []
                    for number in range(rounds + 1):
                        pair = {}
                        for who in ("ours", "theirs") if number % 2 else ("theirs", "ours"):
                            pair[who] = (measure(ours, targets, b'"outcome":"pass"') if who == "ours"
                                         else measure(bare, targets, b'"version":'))
                        if number > 0:  # The first round warms the machine up.
                            pairs.append((pair["ours"], pair["theirs"]))
                    ratios = sorted(mine[0] / his[0] for mine, his in pairs)
                    middle, limit = statistics.median(ratios), limits[place]
                    elapsed = statistics.median(mine[1] / his[1] for mine, his in pairs)
                    worst = max(worst, middle / limit if limit else 0)
                    if as_json:
                        print(json.dumps({"row": backend, "column": chain, "ratio": middle, "target": limit}), flush=True)
                        continue
                    said = "" if limit is None else f"  target {limit}: {'met' if middle <= limit else 'missed'}"
                    print(f"{backend + ', ' + chain:34} {statistics.median(p[0][0] for p in pairs):7.2f} "
                          f"{statistics.median(p[1][0] for p in pairs):6.2f} {middle:6.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
                          f"        {elapsed:6.2f}{said}", flush=True)
        finally:
            nginx.terminate()
            nginx.wait()
    sys.exit(worst > 1)


if __name__ == "__main__":
    run(main)
