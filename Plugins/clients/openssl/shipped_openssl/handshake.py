"""One handshake of an OpenSSL, over memory: the socket, the deadline and the first look at the bytes are ours."""

import base64
import ctypes
import time

from probe_plugin.peer import Failure, Peer

from shipped_openssl import suites, trust
from shipped_openssl.certificate import report_chain
from shipped_openssl.library import POINTER

CAPABILITIES = [
    "presented-chain", "key-reading", "version-range", "trust-evaluation", "verified-path", "sni", "alpn",
]

_VERSIONS = {"1.0": 0x301, "1.1": 0x302, "1.2": 0x303, "1.3": 0x304}
# Before 1.1.0 a version is left out by an option.
_WITHOUT = {"1.0": 0x04000000, "1.1": 0x10000000, "1.2": 0x08000000}
_WITHOUT_SSL = 0x01000000 | 0x02000000
_SET_OPTIONS, _SET_NAME, _SET_OLDEST, _SET_NEWEST = 32, 55, 123, 124
_ERROR_SSL, _WANT_READ, _WANT_WRITE, _ZERO_RETURN = 1, 2, 3, 6
_EXCESSIVE_MESSAGE = 152


def handshake(library, request, deadline):
    """A handshake request."""
    kind, _, name = request["name"].partition(":")
    server_name = name if kind == "dns" else None
    report = {"timings": {}}
    peer = connection = None
    try:
        connection = Connection(library, request, server_name)
        begun = time.monotonic()
        peer = Peer(request["host"], request["port"], deadline)
        report["timings"]["connect"] = time.monotonic() - begun
        report["address"], report["sni"] = peer.address, server_name
        begun = time.monotonic()
        try:
            connection.run(peer)
            report.update(connection.agreed)
        finally:
            report["timings"]["handshake"] = time.monotonic() - begun
            report_chain(library, report, connection.chain)
        connection.say_goodbye(peer)
    except Failure as failure:
        report["failure"] = failure.report
    finally:
        if connection is not None:
            connection.close()
        if peer is not None:
            peer.close()
    if report.get("chain"):
        begun = time.monotonic()
        chain = [base64.b64decode(der) for der in report["chain"]]
        report["trust"] = trust.evaluate(library, chain, {**request, "purpose": "server"})
        report["timings"]["trust"] = time.monotonic() - begun
    return {"report": report}


class Connection:
    """An SSL with its context, which it owns; it verifies nothing, and trust is decided on what it shows."""

    def __init__(self, library, request, server_name):
        self._library = library
        oldest, newest = request["versions"]
        if library.is_old and oldest == "1.3":
            raise Failure("unsupported", f"OpenSSL {library.version} has no TLS 1.3")
        protocols = [protocol.encode() for protocol in request["alpn"]]
        if any(not 0 < len(protocol) < 256 for protocol in protocols):
            raise Failure("unsupported", "OpenSSL offers protocols of 1 to 255 bytes")
        if server_name and len(server_name) > 255:
            raise Failure("unsupported", "OpenSSL sends names of at most 255 bytes")
        self._context = library.SSL_CTX_new(library.TLS_client_method())
        self._choose_versions(oldest, newest)
        self._ssl = library.SSL_new(self._context)
        self._incoming = library.BIO_new(library.BIO_s_mem())
        self._outgoing = library.BIO_new(library.BIO_s_mem())
        library.SSL_set_bio(self._ssl, self._incoming, self._outgoing)  # They are the SSL's now.
        library.SSL_set_connect_state(self._ssl)
        if server_name:
            library.SSL_ctrl(self._ssl, _SET_NAME, 0, server_name.encode())
        if protocols:
            wire = b"".join(bytes([len(protocol)]) + protocol for protocol in protocols)
            library.SSL_set_alpn_protos(self._ssl, wire, len(wire))

    def close(self):
        self._library.SSL_free(self._ssl)
        self._library.SSL_CTX_free(self._context)

    def _choose_versions(self, oldest, newest):
        library = self._library
        if library.is_old:
            without = [option for version, option in _WITHOUT.items() if not oldest <= version <= newest]
            library.SSL_CTX_ctrl(self._context, _SET_OPTIONS, sum(without) | _WITHOUT_SSL, None)
            return
        library.SSL_CTX_ctrl(self._context, _SET_OLDEST, _VERSIONS[oldest], None)
        library.SSL_CTX_ctrl(self._context, _SET_NEWEST, _VERSIONS[newest], None)
        # Level 1 lets weak keys be seen, which the decision then refuses. What is older than TLS 1.2 needs SHA-1.
        level = 0 if oldest in ("1.0", "1.1") else min(library.security_level, 1)
        library.SSL_CTX_set_security_level(self._context, level)

    def run(self, peer):
        """Carries bytes between the SSL and the peer until the handshake is complete."""
        while True:
            self._library.ERR_clear_error()
            result = self._library.SSL_do_handshake(self._ssl)
            kind = self._library.SSL_get_error(self._ssl, result) if result != 1 else None
            failure = self._failure(kind) if kind not in (None, _WANT_READ, _WANT_WRITE) else None
            peer.send(self._pending())
            if failure:
                raise failure
            if kind is None:
                return
            piece = peer.receive()
            self._library.BIO_write(self._incoming, piece, len(piece))

    def _pending(self):
        buffer, sent = ctypes.create_string_buffer(1 << 16), b""
        while (count := self._library.BIO_read(self._outgoing, buffer, len(buffer))) > 0:
            sent += buffer.raw[:count]
        return sent

    def _failure(self, kind):
        if kind == _ZERO_RETURN:
            return Failure("connection-closed", "the peer closed the connection with close_notify")
        code = self._library.ERR_get_error()
        self._library.ERR_clear_error()
        text = (self._library.ERR_reason_error_string(code) or b"unknown").decode()
        # Before 3.0 there is a function's number between the library's and the reason.
        reason = code & (0x7FFFFF if self._library.version[0] == "3" else 0xFFF)
        if 1000 <= reason < 1256:
            alert = reason - 1000
            return Failure("alert-received", f"the peer refused with alert {alert} ({text})", text, alert)
        if reason == _EXCESSIVE_MESSAGE and not self.chain:
            return Failure("chain-too-long", "the peer sent a larger certificate message than OpenSSL takes", text)
        return Failure("protocol-error", text, f"{code:#x}")

    @property
    def agreed(self):
        """What the two agreed on."""
        library = self._library
        cipher = library.SSL_get_current_cipher(self._ssl)
        native = library.SSL_CIPHER_get_name(cipher).decode()
        text, length = POINTER(), ctypes.c_uint()
        library.SSL_get0_alpn_selected(self._ssl, ctypes.byref(text), ctypes.byref(length))
        number = library.SSL_version(self._ssl)
        return {
            "version": next(version for version, code in _VERSIONS.items() if code == number),
            "cipherSuite": suites.name(native)
            if library.is_old
            else library.SSL_CIPHER_standard_name(cipher).decode(),
            "alpn": ctypes.string_at(text, length.value).decode(errors="replace") if length.value else None,
        }

    @property
    def chain(self):
        """The certificates as they were presented."""
        return self._library.certificates(self._library.SSL_get_peer_cert_chain(self._ssl))

    def say_goodbye(self, peer):
        self._library.SSL_shutdown(self._ssl)
        try:
            peer.send(self._pending())
        except Failure:
            pass
