"""One certificate as a library with OpenSSL's functions reads it; its `title` is in the messages."""

import base64
import ctypes

from probe_plugin.peer import Failure

_CERTIFICATES, _CHAIN_BYTES = 100, 512 * 1024


class Certificate:
    """One X509, which it owns."""

    def __init__(self, library, der):
        self._library = library
        cursor = ctypes.c_char_p(der)
        start = ctypes.cast(cursor, ctypes.c_void_p).value
        self.pointer = library.d2i_X509(None, ctypes.byref(cursor), len(der))
        library.ERR_clear_error()
        if not self.pointer:
            raise ValueError(f"{library.title} can't read a certificate")
        if library.refuses_rest and ctypes.cast(cursor, ctypes.c_void_p).value != start + len(der):
            self.close()
            raise ValueError("there is something behind a certificate")

    def close(self):
        self._library.X509_free(self.pointer)

    @property
    def key(self):
        """The SubjectPublicKeyInfo as the library encodes the key; None where it can't read it."""
        key = self._library.X509_get_pubkey(self.pointer)
        self._library.ERR_clear_error()
        if not key:
            return None
        try:
            return self._library.encoded(self._library.i2d_PUBKEY, key)
        finally:
            self._library.EVP_PKEY_free(key)


def read_key_request(library, request):
    """A read-key request."""
    return {"key": read_key(library, base64.b64decode(request["certificate"]))}


def read_key(library, der):
    """The library's own reading of a certificate's key."""
    try:
        certificate = Certificate(library, der)
    except ValueError as error:
        return {"unreadable": str(error)}
    try:
        key = certificate.key
    finally:
        certificate.close()
    if key is None:
        return {"unreadable": f"{library.title} can't read the key"}
    return {"spki": base64.b64encode(key).decode()}


def add_anchor(library, store, der):
    """Adds an anchor to a store. What can't be read is not an anchor, as when the library loads a file."""
    try:
        anchor = Certificate(library, der)
    except ValueError:
        return
    library.X509_STORE_add_cert(store, anchor.pointer)
    anchor.close()


def report_chain(library, report, chain):
    """Puts the certificates that were presented, and their keys, into the report of a handshake."""
    if len(chain) > _CERTIFICATES or sum(map(len, chain)) > _CHAIN_BYTES:
        raise Failure("chain-too-long", f"the peer sent {len(chain)} certificates")
    report["chain"] = [base64.b64encode(der).decode() for der in chain]
    report["keys"] = [read_key(library, der) for der in chain]
