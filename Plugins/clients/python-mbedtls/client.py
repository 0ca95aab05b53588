#!/usr/bin/python3 -B
"""The client of python-mbedtls, as a TLS backend of probe."""

import pathlib
import sys

_HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE), str(_HERE.parents[1] / "python-ssl")]

from shipped_mbedtls import handshake, library, trust
from shipped_mbedtls.processes import Server

if __name__ == "__main__":
    if not library.beside.clock_is_ours():
        sys.exit("this build of Mbed TLS takes its time from where it can't be given")
    hello = {
        "type": "hello", "protocol": 1, "kind": "transport", "name": "python-mbedtls", "library": "python-mbedtls",
        "version": library.VERSION, "capabilities": handshake.CAPABILITIES,
    }
    Server(hello, {
        "handshake": handshake.handshake,
        "evaluate-trust": trust.evaluate_request,
        "read-key": trust.read_key_request,
    }).serve()
