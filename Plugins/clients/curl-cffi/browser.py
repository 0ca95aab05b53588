#!/usr/bin/python3 -B
"""libcurl with a browser's offer, as a TLS backend of probe; its name, like cffi-chrome-124, is the argument."""

import os
import pathlib
import sys

# Proxies, files of secrets and a browser to be: libcurl and BoringSSL look for them there.
os.environ.clear()

_HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE.parents[1] / "python-ssl"), str(_HERE.parent / "openssl")]
sys.path.insert(0, str(_HERE))

from probe_plugin import program
from shipped_curl import handshake, trust
from shipped_curl.browser import Browser
from shipped_curl.library import Library
from shipped_openssl import certificate

if __name__ == "__main__":
    browser = Browser.named(sys.argv[1], _HERE / "browsers.txt")
    library = Library(_HERE / "build" / "curl_cffi" / "_wrapper.abi3.so")
    program.serve(
        "transport", browser.name, "libcurl-impersonate with BoringSSL", library.version,
        handshake.CAPABILITIES + (["handshake-scts"] if browser.asks_for_scts else []),
        {
            "handshake": lambda request, deadline: handshake.handshake(library, browser, request, deadline),
            "evaluate-trust": lambda request, deadline: trust.evaluate_request(library, request),
            "read-key": lambda request, deadline: certificate.read_key_request(library, request),
        })
