#!/usr/bin/env python3
"""What a handshake in flight takes of memory, in a scan and in a bare client of the same library from C.

    Benchmarks/inflight.py .build-release/release/probe

All handshakes wait for a server that never answers. A scan's figure is what a thousand of them more add to its memory, read when
the server has accepted the last one. BoringSSL is in probe itself: its bare client is made of what was compiled for that. Exits
with status 1 if one takes more than the limit, 2 if they could not be measured.
"""

import glob
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

from ending import run

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


def boringssl(probe):
    """The compiler's arguments for the BoringSSL that a build of probe contains."""
    products = os.path.dirname(os.path.realpath(probe))
    sources = os.path.join(products, "..", "..", "checkouts", "swift-nio-ssl", "Sources", "CNIOBoringSSL", "include")
    objects = glob.glob(os.path.join(products, "CNIOBoringSSL.build", "**", "*.o"), recursive=True)
    return ["-DBORINGSSL", "-I", sources, *objects, "-lstdc++", "-lpthread"]


def bare(probe, folder, library):
    server = Silent()
    source, program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bare.c"), os.path.join(folder, "bare")
    libraries = boringssl(probe) if library == "nio" else ["-lssl", "-lcrypto", "-lgnutls"]
    subprocess.run(["cc", "-O2", "-o", program, source, *libraries], check=True, timeout=60)
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
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        for backend in ("openssl", "gnutls", "nio"):
            whole = (scan(probe, folder, backend, MANY) - scan(probe, folder, backend, FEW)) / (MANY - FEW)
            own = bare(probe, folder, backend)
            isMet = whole - own <= LIMIT
            missed += not isMet
            print(f"{backend:10} {whole:10.0f} {own:10.1f} {whole - own:8.0f}  ≤ {LIMIT:<6} {'yes' if isMet else 'no'}", flush=True)
    sys.exit(missed > 0)


if __name__ == "__main__":
    run(main)
