"""One handshake of libcurl; the socket, the deadline and the first look at the bytes are ours."""

import base64
import time

from probe_plugin.peer import Failure

from shipped_curl import trust
from shipped_curl.afterwards import Afterwards, PatientPeer
from shipped_curl.observer import Observer
from shipped_curl.transfer import Transfer
from shipped_openssl.certificate import report_chain

CAPABILITIES = [
    "presented-chain", "key-reading", "version-range", "trust-evaluation", "verified-path", "sni", "alpn", "group",
    "ocsp-staple", "client-certificate-request", "late-refusal",
]

_PROTOCOL_BYTES = 65533


def handshake(library, browser, request, deadline):
    """A handshake request."""
    report = {"timings": {}}
    peer = transfer = None
    try:
        versions = browser.versions(*request["versions"])
        if versions is None:
            raise Failure("unsupported", f"{browser.impersonation} offers no version of TLS before {browser.oldest}")
        protocols = [protocol.encode() for protocol in request["alpn"]]
        if any(not 0 < len(protocol) < 256 for protocol in protocols):
            raise Failure("unsupported", "BoringSSL offers protocols of 1 to 255 bytes")
        if sum(len(protocol) + 1 for protocol in protocols) > _PROTOCOL_BYTES:
            raise Failure("unsupported", f"BoringSSL offers at most {_PROTOCOL_BYTES} bytes of protocols")
        observer = Observer(library, protocols)
        kind, _, host = request["name"].partition(":")
        transfer = Transfer(library, browser, host, versions, b"h2" in protocols, observer.watch)
        # libcurl writes its first message before anyone is dialled, so that a name it refuses sends nothing.
        first = _first_message(transfer)
        if observer.server_name != (host if kind == "dns" else None):
            raise Failure("unsupported", f"libcurl takes '{host}' for something other than a name")
        begun = time.monotonic()
        peer = PatientPeer(request["host"], request["port"], deadline)
        report["timings"]["connect"] = time.monotonic() - begun
        report["address"], report["sni"] = peer.address, observer.server_name
        begun = time.monotonic()
        try:
            peer.send(first)
            _run(transfer, observer, peer)
            report.update(observer.agreed)
        finally:
            report["timings"]["handshake"] = time.monotonic() - begun
            _report_request(report, observer)
            report_chain(library, report, observer.chain)
        afterwards = Afterwards(library, observer, transfer.untouched())
        if report["version"] == "1.3" and observer.is_certificate_requested:
            afterwards.hear_refusal(peer)
        afterwards.say_goodbye(peer)
    except Failure as failure:
        report["failure"] = failure.report
    finally:
        if transfer is not None:
            transfer.close()
        if peer is not None:
            peer.close()
    if report.get("chain"):
        begun = time.monotonic()
        chain = [base64.b64decode(der) for der in report["chain"]]
        report["trust"] = trust.evaluate(library, chain, {**request, "purpose": "server"})
        report["timings"]["trust"] = time.monotonic() - begun
    return {"report": report}


def _first_message(transfer):
    result = transfer.step()
    message = transfer.take()
    if not message:
        raise Failure("unsupported", f"libcurl does not begin: {transfer.error or 'no reason'}", f"CURLE {result}")
    return message


def _run(transfer, observer, peer):
    """Carries bytes between libcurl and the peer until the handshake is complete."""
    while True:
        transfer.give(peer.receive())
        result = transfer.step()
        peer.send(transfer.take())
        if result:
            raise observer.failure(result, transfer.error)
        if observer.is_complete:
            return


def _report_request(report, observer):
    # Until the handshake is complete, a request may still come.
    report["clientCertificateRequested"] = (
        observer.is_certificate_requested or (False if observer.is_complete else None))
    report["clientCertificateIssuers"] = [base64.b64encode(name).decode() for name in observer.issuers]
