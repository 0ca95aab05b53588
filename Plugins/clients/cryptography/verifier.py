#!/usr/bin/python3 -B
"""The verifier of Python's cryptography, as a TLS backend of probe; the handshakes are those of Python's ssl."""

import pathlib
import sys

_HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE), str(_HERE / "build"), str(_HERE.parents[1] / "python-ssl")]

from probe_plugin import handshake, program
from shipped_cryptography import trust

if __name__ == "__main__":
    program.serve(
        "transport", "cryptography", "cryptography", trust.VERSION, handshake.CAPABILITIES,
        {
            "handshake": lambda request, deadline: handshake.handshake(request, deadline, trust),
            "evaluate-trust": trust.evaluate_request,
            "read-key": trust.read_key_request,
        })
