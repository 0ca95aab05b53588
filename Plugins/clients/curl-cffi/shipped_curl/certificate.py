"""One certificate as BoringSSL reads it."""

import ctypes

from shipped_curl.library import TEXT


class Certificate:
    """One X509, which it owns."""

    def __init__(self, library, der):
        self._library = library
        cursor = TEXT(der)
        start = ctypes.cast(cursor, ctypes.c_void_p).value
        self.pointer = library.d2i_X509(None, ctypes.byref(cursor), len(der))
        library.ERR_clear_error()
        if not self.pointer:
            raise ValueError("BoringSSL can't read a certificate")
        if ctypes.cast(cursor, ctypes.c_void_p).value != start + len(der):
            self.close()
            raise ValueError("there is something behind a certificate")

    def close(self):
        self._library.X509_free(self.pointer)

    @property
    def key(self):
        """The SubjectPublicKeyInfo as BoringSSL encodes the key; None where it can't read it."""
        key = self._library.X509_get_pubkey(self.pointer)
        self._library.ERR_clear_error()
        if not key:
            return None
        try:
            return self._library.encoded(self._library.i2d_PUBKEY, key)
        finally:
            self._library.EVP_PKEY_free(key)
