"""One handshake of Python's ssl, over memory: the socket, the deadline and the first look at the bytes are ours."""

import _ssl
import base64
import platform
import re
import ssl
import time

from probe_plugin import libcrypto, trust
from probe_plugin.peer import Failure, Peer

CAPABILITIES = [
    "presented-chain", "key-reading", "version-range", "trust-evaluation", "verified-path", "sni", "alpn",
]

_CERTIFICATES, _CHAIN_BYTES = 100, 512 * 1024
_VERSIONS = {
    "1.0": ssl.TLSVersion.TLSv1, "1.1": ssl.TLSVersion.TLSv1_1, "1.2": ssl.TLSVersion.TLSv1_2,
    "1.3": ssl.TLSVersion.TLSv1_3,
}

# RFC 8446 section 6, by the names that OpenSSL gives them.
_ALERTS = {
    "UNEXPECTED_MESSAGE": 10, "BAD_RECORD_MAC": 20, "DECRYPTION_FAILED": 21, "RECORD_OVERFLOW": 22,
    "DECOMPRESSION_FAILURE": 30, "HANDSHAKE_FAILURE": 40, "NO_CERTIFICATE": 41, "BAD_CERTIFICATE": 42,
    "UNSUPPORTED_CERTIFICATE": 43, "CERTIFICATE_REVOKED": 44, "CERTIFICATE_EXPIRED": 45, "CERTIFICATE_UNKNOWN": 46,
    "ILLEGAL_PARAMETER": 47, "UNKNOWN_CA": 48, "ACCESS_DENIED": 49, "DECODE_ERROR": 50, "DECRYPT_ERROR": 51,
    "EXPORT_RESTRICTION": 60, "PROTOCOL_VERSION": 70, "INSUFFICIENT_SECURITY": 71, "INTERNAL_ERROR": 80,
    "INAPPROPRIATE_FALLBACK": 86, "USER_CANCELLED": 90, "NO_RENEGOTIATION": 100, "MISSING_EXTENSION": 109,
    "UNSUPPORTED_EXTENSION": 110, "CERTIFICATE_UNOBTAINABLE": 111, "UNRECOGNIZED_NAME": 112,
    "BAD_CERTIFICATE_STATUS_RESPONSE": 113, "BAD_CERTIFICATE_HASH_VALUE": 114, "UNKNOWN_PSK_IDENTITY": 115,
    "CERTIFICATE_REQUIRED": 116, "NO_APPLICATION_PROTOCOL": 120,
}


def version():
    """Python's version and that of the OpenSSL it has loaded."""
    return f"{platform.python_version()} ({ssl.OPENSSL_VERSION.split(' ')[0]} {ssl.OPENSSL_VERSION.split(' ')[1]})"


def handshake(request, deadline, verifier=trust):
    """A handshake request; the verifier decides on trust and reads the keys."""
    kind, _, name = request["name"].partition(":")
    report = {"timings": {}}
    peer = None
    try:
        tls, incoming, outgoing = _connection(request, name if kind == "dns" else None)
        begun = time.monotonic()
        peer = Peer(request["host"], request["port"], deadline)
        report["timings"]["connect"] = time.monotonic() - begun
        report["address"] = peer.address
        report["sni"] = name if kind == "dns" else None
        begun = time.monotonic()
        try:
            _run(tls, incoming, outgoing, peer)
            report["version"] = {"TLSv1": "1.0"}.get(tls.version(), tls.version().removeprefix("TLSv"))
            report["cipherSuite"] = _suite(tls.cipher()[0])
            report["alpn"] = tls.selected_alpn_protocol()
        finally:
            report["timings"]["handshake"] = time.monotonic() - begun
            _facts(report, tls, verifier)
        _say_goodbye(tls, outgoing, peer)
    except Failure as failure:
        report["failure"] = failure.report
    finally:
        if peer is not None:
            peer.close()
    if report.get("chain"):
        begun = time.monotonic()
        chain = [base64.b64decode(der) for der in report["chain"]]
        report["trust"] = verifier.evaluate(chain, {**request, "purpose": "server"})
        report["timings"]["trust"] = time.monotonic() - begun
    return {"report": report}


def _connection(request, server_name):
    """An SSLObject that verifies nothing: trust is decided on what it shows."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    oldest, newest = request["versions"]
    # Level 1 lets weak keys be seen, which the decision then refuses. What is older than TLS 1.2 needs SHA-1.
    level = 0 if oldest in ("1.0", "1.1") else 1
    context.set_ciphers(f"@SECLEVEL={level}:" + ":".join(cipher["name"] for cipher in context.get_ciphers()))
    context.minimum_version, context.maximum_version = _VERSIONS[oldest], _VERSIONS[newest]
    context.options |= ssl.OP_NO_TICKET
    protocols = request["alpn"]
    if any(not 0 < len(protocol.encode()) < 256 for protocol in protocols):
        raise Failure("unsupported", "ssl offers protocols of 1 to 255 bytes")
    if protocols:
        context.set_alpn_protocols(protocols)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        return context.wrap_bio(incoming, outgoing, server_hostname=server_name), incoming, outgoing
    except ValueError as error:
        raise Failure("unsupported", f"ssl does not take the name: {error}") from error


def _run(tls, incoming, outgoing, peer):
    """Carries bytes between the SSLObject and the peer until the handshake is complete."""
    while True:
        try:
            tls.do_handshake()
            peer.send(outgoing.read())
            return
        except ssl.SSLWantReadError:
            peer.send(outgoing.read())
        except ssl.SSLZeroReturnError as error:
            raise Failure("connection-closed", "the peer closed the connection with close_notify") from error
        except ssl.SSLError as error:
            peer.send(outgoing.read())
            raise _failure(error, has_chain=bool(tls._sslobj.get_unverified_chain())) from error
        incoming.write(peer.receive())


def _failure(error, has_chain):
    reason = error.reason or str(error)
    alert = re.fullmatch(r"(?:SSLV3|TLSV1|TLSV13)_ALERT_(\w+)|TLSV1_(UNRECOGNIZED_NAME|\w+)", reason)
    number = _ALERTS.get((alert[1] or alert[2]).removeprefix("ALERT_")) if alert else None
    if number is not None:
        return Failure("alert-received", f"the peer refused with alert {number} ({reason})", reason, number)
    if reason == "EXCESSIVE_MESSAGE_SIZE" and not has_chain:
        return Failure("chain-too-long", "the peer sent a larger certificate message than ssl takes", reason)
    return Failure("protocol-error", str(error), reason)


def _facts(report, tls, verifier):
    """The certificates as they were presented, and the verifier's readings of their keys."""
    presented = tls._sslobj.get_unverified_chain() or []
    chain = [certificate.public_bytes(_ssl.ENCODING_DER) for certificate in presented]
    if len(chain) > _CERTIFICATES or sum(map(len, chain)) > _CHAIN_BYTES:
        raise Failure("chain-too-long", f"the peer sent {len(chain)} certificates")
    report["chain"] = [base64.b64encode(der).decode() for der in chain]
    report["keys"] = [verifier.read_key(der) for der in chain]


def _suite(name):
    """The IANA name of a suite that ssl names as OpenSSL does."""
    for cipher in _SUITES:
        if cipher["name"] == name:
            return libcrypto.SUITE_NAMES.get(cipher["id"] & 0xFFFF, name)
    return name


def _say_goodbye(tls, outgoing, peer):
    try:
        tls.unwrap()
    except ssl.SSLError:
        pass  # It waits for the peer's goodbye, which nobody needs.
    try:
        peer.send(outgoing.read())
    except Failure:
        pass


def _all_suites():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.set_ciphers("ALL:@SECLEVEL=0")
    return context.get_ciphers()


_SUITES = _all_suites()
