"""One OpenSSL: its functions with their types, and what every version has under another name.

All calls hold Python's lock: OpenSSL before 1.1.0 may only be used by one thread at a time.
"""

import ctypes
import re

from shipped_openssl import symbols

POINTER, INT, LONG, TEXT = ctypes.c_void_p, ctypes.c_int, ctypes.c_long, ctypes.c_char_p
VERIFY_CALLBACK = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p)

# A function by the names that it has had, the newest first: its result and its arguments.
_FUNCTIONS = {
    "d2i_X509": (POINTER, POINTER, ctypes.POINTER(TEXT), LONG),
    "i2d_X509": (INT, POINTER, ctypes.POINTER(POINTER)),
    "i2d_PUBKEY": (INT, POINTER, ctypes.POINTER(POINTER)),
    "X509_free": (None, POINTER),
    "X509_get_pubkey": (POINTER, POINTER),
    "EVP_PKEY_free": (None, POINTER),
    "CRYPTO_free": (None, POINTER, TEXT, INT),
    "ERR_clear_error": (None,),
    "ERR_get_error": (ctypes.c_ulong,),
    "ERR_reason_error_string": (TEXT, ctypes.c_ulong),
    "OPENSSL_sk_new_null sk_new_null": (POINTER,),
    "OPENSSL_sk_push sk_push": (INT, POINTER, POINTER),
    "OPENSSL_sk_num sk_num": (INT, POINTER),
    "OPENSSL_sk_value sk_value": (POINTER, POINTER, INT),
    "OPENSSL_sk_free sk_free": (None, POINTER),
    "X509_STORE_new": (POINTER,),
    "X509_STORE_free": (None, POINTER),
    "X509_STORE_add_cert": (INT, POINTER, POINTER),
    "X509_STORE_CTX_new": (POINTER,),
    "X509_STORE_CTX_free": (None, POINTER),
    "X509_STORE_CTX_init": (INT, POINTER, POINTER, POINTER, POINTER),
    "X509_STORE_CTX_get0_param": (POINTER, POINTER),
    "X509_STORE_CTX_get0_chain X509_STORE_CTX_get_chain": (POINTER, POINTER),
    "X509_STORE_CTX_get_error": (INT, POINTER),
    "X509_STORE_CTX_get_error_depth": (INT, POINTER),
    "X509_STORE_CTX_set_verify_cb": (None, POINTER, VERIFY_CALLBACK),
    "X509_verify_cert": (INT, POINTER),
    "X509_verify_cert_error_string": (TEXT, LONG),
    "X509_VERIFY_PARAM_set_time": (None, POINTER, ctypes.c_int64),
    "X509_VERIFY_PARAM_set_depth": (None, POINTER, INT),
    "X509_VERIFY_PARAM_set_purpose": (INT, POINTER, INT),
    "X509_VERIFY_PARAM_set_hostflags": (None, POINTER, ctypes.c_uint),
    "X509_VERIFY_PARAM_set1_host": (INT, POINTER, TEXT, ctypes.c_size_t),
    "X509_VERIFY_PARAM_set1_ip_asc": (INT, POINTER, TEXT),
    "TLS_client_method SSLv23_client_method": (POINTER,),
    "SSL_CTX_new": (POINTER, POINTER),
    "SSL_CTX_free": (None, POINTER),
    "SSL_CTX_ctrl": (LONG, POINTER, INT, LONG, POINTER),
    "SSL_new": (POINTER, POINTER),
    "SSL_free": (None, POINTER),
    "SSL_ctrl": (LONG, POINTER, INT, LONG, TEXT),
    "SSL_set_alpn_protos": (INT, POINTER, TEXT, ctypes.c_uint),
    "SSL_set_bio": (None, POINTER, POINTER, POINTER),
    "SSL_set_connect_state": (None, POINTER),
    "SSL_do_handshake": (INT, POINTER),
    "SSL_get_error": (INT, POINTER, INT),
    "SSL_shutdown": (INT, POINTER),
    "SSL_version": (INT, POINTER),
    "SSL_get_current_cipher": (POINTER, POINTER),
    "SSL_CIPHER_get_name": (TEXT, POINTER),
    "SSL_get_peer_cert_chain": (POINTER, POINTER),
    "SSL_get0_alpn_selected": (None, POINTER, ctypes.POINTER(POINTER), ctypes.POINTER(ctypes.c_uint)),
    "BIO_new": (POINTER, POINTER),
    "BIO_s_mem": (POINTER,),
    "BIO_read": (INT, POINTER, POINTER, INT),
    "BIO_write": (INT, POINTER, TEXT, INT),
}
# Before 1.1.0 there are none of these, and what they set does not exist.
_SINCE_1_1_0 = {
    "X509_VERIFY_PARAM_set_auth_level": (None, POINTER, INT),
    "SSL_CTX_get_security_level": (INT, POINTER),
    "SSL_CTX_set_security_level": (None, POINTER, INT),
    "SSL_CIPHER_standard_name": (TEXT, POINTER),
}
# What has to be called once before 1.1.0.
_BEFORE_1_1_0 = ["SSL_library_init", "SSL_load_error_strings"]


class Library:
    """The functions of one OpenSSL as attributes, by their newest names."""

    title = "OpenSSL"
    # What is behind a certificate is nothing to d2i_X509.
    refuses_rest = False

    def __init__(self, path):
        places = symbols.functions(path)
        # Kept, so that it stays loaded.
        self._handle = ctypes.CDLL(str(path))
        entry = next(name for name in places if name.startswith("PyInit_") and hasattr(self._handle, name))
        base = ctypes.cast(getattr(self._handle, entry), POINTER).value - places[entry]
        for names, (result, *arguments) in {**_FUNCTIONS, **_SINCE_1_1_0}.items():
            name = next((name for name in names.split() if name in places), None)
            if name is None and names not in _SINCE_1_1_0:
                raise ValueError(f"{path} has no {names}")
            prototype = ctypes.PYFUNCTYPE(result, *arguments)
            setattr(self, names.split()[0], prototype(base + places[name]) if name else None)
        for name in _BEFORE_1_1_0:
            if name in places:
                ctypes.PYFUNCTYPE(INT)(base + places[name])()
        self.version = _version(path)
        self.is_old = self.SSL_CTX_get_security_level is None
        self.security_level = self._level()

    def _level(self):
        """The default security level of a connection; None before there were any."""
        if self.is_old:
            return None
        context = self.SSL_CTX_new(self.TLS_client_method())
        level = self.SSL_CTX_get_security_level(context)
        self.SSL_CTX_free(context)
        return level

    def der(self, certificate):
        """The DER of an X509 that belongs to somebody else."""
        return self.encoded(self.i2d_X509, certificate)

    def certificates(self, stack):
        """The DER of each X509 of a stack that belongs to somebody else."""
        if not stack:
            return []
        return [self.der(self.OPENSSL_sk_value(stack, index)) for index in range(self.OPENSSL_sk_num(stack))]

    def encoded(self, encode, thing):
        """The library's DER of a thing; None where it can't write it."""
        memory = POINTER()
        count = encode(thing, ctypes.byref(memory))
        if count <= 0:
            self.ERR_clear_error()
            return None
        try:
            return ctypes.string_at(memory, count)
        finally:
            self.CRYPTO_free(memory, None, 0)


def _version(path):
    """The version by the text that the library has of itself."""
    with open(path, "rb") as file:
        return re.search(rb"OpenSSL (\d+\.\d+\.\d+[a-z]*) +\d+ [A-Z][a-z]+ \d{4}", file.read())[1].decode()
