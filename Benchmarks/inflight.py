#!/usr/bin/env python3
"""What a handshake in flight takes of memory, in a scan and in a bare client of the same library from C.

    Benchmarks/inflight.py .build-release/release/probe

All handshakes wait for a server that never answers. A scan's figure is what a thousand of them more add to its most memory. For
BoringSSL, which is in probe itself, there is no bare client: the whole is held to the bound that the others' rests are held to.
"""

import os
import socket
import subprocess
import sys
import tempfile
import threading

FEW, MANY = 100, 1100
LIMIT = 64


def silent():
    """The port of a server that accepts connections and sends nothing."""
    server = socket.create_server(("127.0.0.1", 0), backlog=4096)
    taken = []

    def take():
        while True:
            taken.append(server.accept())

    threading.Thread(target=take, daemon=True).start()
    return server.getsockname()[1]


def bare(folder, library, port):
    source, program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bare.c"), os.path.join(folder, "bare")
    subprocess.run(["cc", "-O2", "-o", program, source, "-lssl", "-lcrypto", "-lgnutls"], check=True, timeout=60)
    return int(subprocess.check_output([program, library, str(port), str(MANY - FEW)], timeout=60)) / 1024


def scan(probe, folder, backend, port, count):
    """The most memory of a scan of so many silent servers at once, in KiB."""
    targets = os.path.join(folder, "targets")
    with open(targets, "w") as file:
        file.writelines(f"127.0.0.1,good{number}.test:{port}\n" for number in range(count))
    process = subprocess.Popen(
        [probe, "scan", "--backend", backend, "--timeout", "6", "--concurrency", str(count), "--list", targets],
        stdout=subprocess.DEVNULL)
    return os.wait4(process.pid, 0)[2].ru_maxrss


def main():
    probe, port = os.path.abspath(sys.argv[1]), silent()
    print(f"{'IN FLIGHT':10} {'probe KiB':>10} {'bare KiB':>10} {'beyond':>8}  {'TARGET':8} MET")
    with tempfile.TemporaryDirectory() as folder:
        for backend in ("openssl", "gnutls", "nio"):
            whole = (scan(probe, folder, backend, port, MANY) - scan(probe, folder, backend, port, FEW)) / (MANY - FEW)
            own = bare(folder, backend, port) if backend != "nio" else 0
            met = "yes" if whole - own <= LIMIT else "no"
            print(f"{backend:10} {whole:10.0f} {own or '':>10.4} {whole - own:8.0f}  ≤ {LIMIT:<6} {met}", flush=True)


main()
