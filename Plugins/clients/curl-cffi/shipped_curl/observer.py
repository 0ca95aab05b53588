"""The view of an SSL that libcurl has made: BoringSSL's own callbacks, set on its context before the handshake."""

import base64
import ctypes

from probe_plugin.peer import Failure

from shipped_curl.library import CERTIFICATE_CALLBACK, INFO_CALLBACK, POINTER, SIZE

# ssl.h: what a call of the information callback is about.
_BEGUN, _COMPLETE, _LEFT, _ALERT_READ = 0x10, 0x20, 0x1002, 0x4004
_FATAL = 2
_VERSIONS = {0x301: "1.0", 0x302: "1.1", 0x303: "1.2", 0x304: "1.3"}
# The groups that these browsers offer.
_GROUPS = {
    0x17: "secp256r1", 0x18: "secp384r1", 0x19: "secp521r1", 0x1D: "x25519", 0x11EC: "X25519MLKEM768",
    0x6399: "X25519Kyber768Draft00",
}


class Observer:
    """One handshake, from its first message on; valid while the connection is."""

    def __init__(self, library, protocols):
        self._library, self._protocols = library, protocols
        self._information = INFO_CALLBACK(self._note)
        self._request = CERTIFICATE_CALLBACK(self._note_request)
        self._error = 0
        self.ssl = None
        self.is_complete = False
        self.alert = None
        self.chain = []
        self.is_certificate_requested = False
        self.issuers = []

    def watch(self, context):
        """Prepares an SSL_CTX."""
        self._library.SSL_CTX_set_info_callback(context, self._information)
        self._library.SSL_CTX_set_cert_cb(context, self._request, None)
        return 0

    def _note(self, ssl, what, value):
        if what == _BEGUN and self.ssl is None:
            self.ssl = ssl
            self._offer_protocols()
        elif what == _COMPLETE:
            self.is_complete = True
        elif what == _ALERT_READ and (value >> 8 == _FATAL or value & 0xFF == 0):
            self.alert = value & 0xFF
        elif what == _LEFT:
            # The SSL may be gone when libcurl returns.
            certificates = self._library.elements(self._library.SSL_get0_peer_certificates(ssl))
            self.chain = self.chain or [self._library.buffer(certificate) for certificate in certificates]
            self._error = self._library.ERR_peek_error()

    def _note_request(self, ssl, _):
        """BoringSSL asks for a certificate, since the server does; there is none."""
        self.is_certificate_requested = True
        names = self._library.elements(self._library.SSL_get0_server_requested_CAs(ssl))
        self.issuers = [self._library.buffer(name) for name in names]
        return 1

    def _offer_protocols(self):
        """ALPN as the request has it; libcurl offers none itself."""
        wire = b"".join(bytes([len(protocol)]) + protocol for protocol in self._protocols)
        if wire:
            self._library.SSL_set_alpn_protos(self.ssl, wire, len(wire))

    @property
    def agreed(self):
        """What the two agreed on."""
        library, ssl = self._library, self.ssl
        group = library.SSL_get_group_id(ssl)
        return {
            "version": _VERSIONS[library.SSL_version(ssl)],
            "cipherSuite": library.SSL_CIPHER_standard_name(library.SSL_get_current_cipher(ssl)).decode(),
            "group": _GROUPS.get(group, f"0x{group:04X}") if group else None,
            "alpn": self._bytes(library.SSL_get0_alpn_selected, ctypes.c_uint).decode(errors="replace") or None,
            "ocspStaple": _text(self._bytes(library.SSL_get0_ocsp_response, SIZE)) or None,
            "handshakeSCTs": [_text(timestamp) for timestamp in self._timestamps],
        }

    @property
    def _timestamps(self):
        """The signed certificate timestamps (RFC 6962 section 3.3); BoringSSL has checked the list's form."""
        listed, found = self._bytes(self._library.SSL_get0_signed_cert_timestamp_list, SIZE)[2:], []
        while listed:
            end = 2 + int.from_bytes(listed[:2], "big")
            found.append(listed[2:end])
            listed = listed[end:]
        return found

    @property
    def server_name(self):
        """The name that was sent."""
        name = self._library.SSL_get_servername(self.ssl, 0) if self.ssl else None
        return name.decode() if name else None

    def _bytes(self, read, kind):
        start, length = POINTER(), kind()
        read(self.ssl, ctypes.byref(start), ctypes.byref(length))
        return ctypes.string_at(start, length.value) if length.value else b""

    def failure(self, result=None, sentence=None):
        """Why there is no connection, or none any more."""
        if self.alert == 0:
            return Failure("connection-closed", "the peer closed the connection with close_notify")
        if self.alert is not None:
            text = self._library.SSL_alert_desc_string_long(self.alert).decode()
            return Failure("alert-received", f"the peer refused with alert {self.alert} ({text})", text, self.alert)
        if not self._error:
            return Failure("protocol-error", sentence or f"libcurl ended with {result}", f"CURLE {result}")
        text = (self._library.ERR_reason_error_string(self._error) or b"unknown").decode()
        if text == "EXCESSIVE_MESSAGE_SIZE":
            return Failure("chain-too-long", "the peer sent a larger certificate message than BoringSSL takes", text)
        return Failure("protocol-error", text, f"{self._error:#x}")


def _text(data):
    return base64.b64encode(data).decode()
