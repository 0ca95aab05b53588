"""One handshake of the package's client, over its own buffers: the socket, the deadline and the bounds are ours."""

import base64
import time

from probe_plugin.peer import Failure, Peer

from shipped_mbedtls import presented, trust
from shipped_mbedtls.library import error_code, error_words, group_name, mbedtls, suite_name

CAPABILITIES = [
    "presented-chain", "key-reading", "version-range", "trust-evaluation", "verified-path", "sni", "alpn", "group",
    "client-certificate-request",
]

tls, TLSError = mbedtls.tls, mbedtls.exceptions.TLSError
_VERSIONS = {"1.0": tls.TLSVersion.TLSv1, "1.1": tls.TLSVersion.TLSv1_1, "1.2": tls.TLSVersion.TLSv1_2}
_NUMBERS = {0x301: "1.0", 0x302: "1.1", 0x303: "1.2"}
# The package's buffers hold 32 KiB, and are empty whenever it wants to read.
_PIECE = 1 << 14
_ALERT, _CLOSE_NOTIFY, _FRAGMENTED = -0x7780, -0x7880, -0x7080


def handshake(request, deadline):
    """A handshake request."""
    kind, _, name = request["name"].partition(":")
    server_name = name if kind == "dns" else None
    report = {"timings": {}}
    peer = None
    try:
        protocols = [protocol.encode() for protocol in request["alpn"]]  # The library keeps pointers into them.
        buffer = _client(request, protocols, server_name)
        begun = time.monotonic()
        if begun > deadline.end:
            raise Failure("local-overload", "the deadline passed before this request could be begun")
        peer = Peer(request["host"], request["port"], deadline)
        report["timings"]["connect"] = time.monotonic() - begun
        report["address"], report["sni"] = peer.address, server_name
        begun = time.monotonic()
        _run(buffer, peer)
        report["timings"]["handshake"] = time.monotonic() - begun
        report["alpn"] = buffer.negotiated_protocol()
        _say_goodbye(buffer, peer)
    except Failure as failure:
        report["failure"] = failure.report
    finally:
        if peer is not None:
            peer.close()
    _report_facts(report, request)
    return {"report": report}


def _client(request, protocols, server_name):
    """The package's client, which goes on whatever it thinks of the certificates: trust is decided after it."""
    oldest, newest = request["versions"]
    if oldest not in _VERSIONS:
        raise Failure("unsupported", "Mbed TLS 2.28 has no TLS 1.3")
    if any(b"\0" in protocol or not protocol.isascii() for protocol in protocols):
        raise Failure("unsupported", "the package reads the chosen protocol as ASCII, up to a zero")
    if server_name and "\0" in server_name:
        raise Failure("unsupported", "the package sends a name up to a zero")
    trust.judge_at(request)
    try:
        context = tls.ClientContext(tls.TLSConfiguration(
            validate_certificates=False,
            inner_protocols=protocols or None,
            lowest_supported_version=_VERSIONS[oldest],
            highest_supported_version=_VERSIONS.get(newest, tls.TLSVersion.TLSv1_2),
        ))
        return context.wrap_buffers(server_name)
    except (TLSError, ValueError) as error:
        raise Failure("unsupported", f"the package does not take what is asked: {error}") from error


def _run(buffer, peer):
    """Carries bytes between the package's buffers and the peer until the handshake is complete."""
    waiting = b""
    try:
        while buffer._handshake_state is not tls.HandshakeStep.HANDSHAKE_OVER:
            try:
                buffer.do_handshake()
            except tls.WantWriteError:
                _flush(buffer, peer)
            except tls.WantReadError:
                _flush(buffer, peer)
                if not waiting:
                    waiting = peer.receive()
                    presented.feed(waiting)
                buffer.receive_from_network(waiting[:_PIECE])
                waiting = waiting[_PIECE:]
    except TLSError as error:
        _flush(buffer, peer)
        number = -abs(error.err or 0)
        if number == _FRAGMENTED:
            _read_rest_of_chain(peer)
        raise _failure(number) from error
    _flush(buffer, peer)
    if presented.facts().chain_too_long:
        raise _failure(0)


def _flush(buffer, peer):
    while piece := buffer.peek_outgoing(_PIECE):
        buffer.consume_outgoing(len(piece))
        peer.send(piece)


def _read_rest_of_chain(peer):
    """Mbed TLS takes no message that is spread over records; a chain that is was presented all the same."""
    try:
        while presented.facts().chain_is_under_way:
            presented.feed(peer.receive())
    except Failure:
        pass


def _failure(error):
    """The failure for an error of the library, which is negative."""
    code, facts = error_code(error), presented.facts()
    if facts.chain_too_long:
        return Failure("chain-too-long", "the peer sent a longer chain than is taken", code)
    if error == _ALERT:
        # One that is encrypted is not in the clear, and the package does not hand it out.
        alert = facts.alert if facts.alert >= 0 else None
        return Failure("alert-received", f"the peer refused with alert {alert or 'unknown'}", code, alert)
    if error == _CLOSE_NOTIFY:
        return Failure("connection-closed", "the peer closed the connection with close_notify", code)
    return Failure("protocol-error", error_words(error), code)


def _say_goodbye(buffer, peer):
    try:
        buffer.shutdown()
        _flush(buffer, peer)
    except (TLSError, Failure):
        pass  # The peer is gone.


def _report_facts(report, request):
    """What was seen of the server, whether or not the handshake completed, and the decision on its chain."""
    facts = presented.facts()
    oldest, newest = request["versions"]
    version = _NUMBERS.get(facts.version)
    if version is None or not oldest <= version <= newest:
        return
    suite = suite_name(facts.suite)
    report["version"], report["cipherSuite"] = version, suite
    if suite and suite.startswith("TLS_ECDHE_"):
        report["group"] = group_name(facts.curve)
    # Before the handshake is complete a request may still come.
    if facts.certificate_requested or "failure" not in report:
        report["clientCertificateRequested"] = bool(facts.certificate_requested)
    chain = facts.chain
    report["chain"] = [base64.b64encode(der).decode() for der in chain]
    report["keys"] = [trust.read_key(der) for der in chain]
    if chain:
        begun = time.monotonic()
        report["trust"] = trust.evaluate(chain, {**request, "purpose": "server"}, _usage(suite or ""))
        report["timings"]["trust"] = time.monotonic() - begun


def _usage(suite):
    """The key usage that a suite needs of the leaf, as the library's TLS layer has it."""
    if suite.startswith("TLS_RSA_WITH_"):
        return trust.KEY_ENCIPHERMENT
    return trust.KEY_AGREEMENT if suite.startswith("TLS_ECDH_") else trust.DIGITAL_SIGNATURE
