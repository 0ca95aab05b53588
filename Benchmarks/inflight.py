#!/usr/bin/env python3
"""What a handshake in flight takes of memory, in a scan and in a bare client of the same library from C.

    Benchmarks/inflight.py .build-release/release/probe

All handshakes wait for a server that never answers. A scan's figure is what a thousand of them more add to its memory, read when
the server has accepted the last one. For BoringSSL, which is in probe itself, there is no bare client: the whole is held to the
bound that the others' rests are held to.
"""

import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

FEW, MANY = 100, 1100
LIMIT = 32


class Silent:
    """A server that accepts connections and sends nothing."""

    def __init__(self):
        self.server = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.port = self.server.getsockname()[1]
        self.taken = []
        threading.Thread(target=self.take, daemon=True).start()

    def take(self):
        while True:
            self.taken.append(self.server.accept()[0])


def bare(folder, library):
    server = Silent()
    source, program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bare.c"), os.path.join(folder, "bare")
    subprocess.run(["cc", "-O2", "-o", program, source, "-lssl", "-lcrypto", "-lgnutls"], check=True, timeout=60)
    return int(subprocess.check_output([program, library, str(server.port), str(MANY - FEW)], timeout=60)) / 1024


def scan(probe, folder, backend, count):
    """The memory of a scan of so many silent servers at once, in KiB."""
    server = Silent()
    targets = os.path.join(folder, "targets")
    with open(targets, "w") as file:
        file.writelines(f"127.0.0.1,good{number}.test:{server.port}\n" for number in range(count))
    process = subprocess.Popen(
        [probe, "scan", "--backend", backend, "--timeout", "120", "--concurrency", str(count), "--list", targets],
        stdout=subprocess.DEVNULL)
    try:
        limit = time.monotonic() + 100
        while len(server.taken) < count:
            if process.poll() is not None or time.monotonic() > limit:
                sys.exit(f"{len(server.taken)} of {count} handshakes through {backend} were begun")
            time.sleep(0.05)
        # The last one sends its ClientHello yet.
        time.sleep(1)
        with open(f"/proc/{process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))
    finally:
        process.kill()
        process.wait()
        for connection in [*server.taken, server.server]:
            connection.close()


def main():
    probe = os.path.abspath(sys.argv[1])
    print(f"{'IN FLIGHT':10} {'probe KiB':>10} {'bare KiB':>10} {'beyond':>8}  {'TARGET':8} MET")
    with tempfile.TemporaryDirectory() as folder:
        for backend in ("openssl", "gnutls", "nio"):
            whole = (scan(probe, folder, backend, MANY) - scan(probe, folder, backend, FEW)) / (MANY - FEW)
            own = bare(folder, backend) if backend != "nio" else 0
            met = "yes" if whole - own <= LIMIT else "no"
            print(f"{backend:10} {whole:10.0f} {own or '':>10.4} {whole - own:8.0f}  ≤ {LIMIT:<6} {met}", flush=True)


main()
