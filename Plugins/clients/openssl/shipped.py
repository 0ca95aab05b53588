#!/usr/bin/python3 -B
"""An OpenSSL as it was shipped, as a TLS backend of probe; its name, like openssl-1-0-2e, is the argument."""

import pathlib
import sys

_HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(_HERE.parents[1] / "python-ssl"))

from probe_plugin import program
from shipped_openssl import certificate, handshake, trust
from shipped_openssl.library import Library

if __name__ == "__main__":
    name = sys.argv[1]
    library = Library(_HERE / "build" / f"{name}.so")
    program.serve(
        "transport", name, "OpenSSL", library.version, handshake.CAPABILITIES,
        {
            "handshake": lambda request, deadline: handshake.handshake(library, request, deadline),
            "evaluate-trust": lambda request, deadline: trust.evaluate_request(library, request),
            "read-key": lambda request, deadline: certificate.read_key_request(library, request),
        })
