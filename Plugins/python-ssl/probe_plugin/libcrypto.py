"""The OpenSSL that Python's ssl is linked with, for what ssl does with it and does not show.

Each object has one owner with a `close`, and every function's types are declared here.
"""

import _ssl
import ctypes

_HANDLE = ctypes.CDLL(_ssl.__file__)  # Its libssl and libcrypto, and no other copy of them.

VERIFY_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p)

_POINTER, _INT, _LONG, _TEXT = ctypes.c_void_p, ctypes.c_int, ctypes.c_long, ctypes.c_char_p


def _function(name, result, *arguments):
    function = getattr(_HANDLE, name)
    function.restype, function.argtypes = result, arguments
    return function


d2i_X509 = _function("d2i_X509", _POINTER, _POINTER, ctypes.POINTER(_TEXT), _LONG)
i2d_X509 = _function("i2d_X509", _INT, _POINTER, ctypes.POINTER(_POINTER))
i2d_PUBKEY = _function("i2d_PUBKEY", _INT, _POINTER, ctypes.POINTER(_POINTER))
X509_free = _function("X509_free", None, _POINTER)
X509_get0_pubkey = _function("X509_get0_pubkey", _POINTER, _POINTER)
X509_up_ref = _function("X509_up_ref", _INT, _POINTER)
CRYPTO_free = _function("CRYPTO_free", None, _POINTER, _TEXT, _INT)
ERR_clear_error = _function("ERR_clear_error", None)

OPENSSL_sk_new_null = _function("OPENSSL_sk_new_null", _POINTER)
OPENSSL_sk_push = _function("OPENSSL_sk_push", _INT, _POINTER, _POINTER)
OPENSSL_sk_num = _function("OPENSSL_sk_num", _INT, _POINTER)
OPENSSL_sk_value = _function("OPENSSL_sk_value", _POINTER, _POINTER, _INT)
OPENSSL_sk_free = _function("OPENSSL_sk_free", None, _POINTER)

X509_STORE_new = _function("X509_STORE_new", _POINTER)
X509_STORE_free = _function("X509_STORE_free", None, _POINTER)
X509_STORE_add_cert = _function("X509_STORE_add_cert", _INT, _POINTER, _POINTER)
X509_STORE_CTX_new = _function("X509_STORE_CTX_new", _POINTER)
X509_STORE_CTX_free = _function("X509_STORE_CTX_free", None, _POINTER)
X509_STORE_CTX_init = _function("X509_STORE_CTX_init", _INT, _POINTER, _POINTER, _POINTER, _POINTER)
X509_STORE_CTX_get0_param = _function("X509_STORE_CTX_get0_param", _POINTER, _POINTER)
X509_STORE_CTX_get0_chain = _function("X509_STORE_CTX_get0_chain", _POINTER, _POINTER)
X509_STORE_CTX_get_error = _function("X509_STORE_CTX_get_error", _INT, _POINTER)
X509_STORE_CTX_get_error_depth = _function("X509_STORE_CTX_get_error_depth", _INT, _POINTER)
X509_STORE_CTX_set_verify_cb = _function("X509_STORE_CTX_set_verify_cb", None, _POINTER, VERIFY_CALLBACK)
X509_verify_cert = _function("X509_verify_cert", _INT, _POINTER)
X509_verify_cert_error_string = _function("X509_verify_cert_error_string", _TEXT, _LONG)
X509_VERIFY_PARAM_set_time = _function("X509_VERIFY_PARAM_set_time", None, _POINTER, ctypes.c_int64)
X509_VERIFY_PARAM_set_flags = _function("X509_VERIFY_PARAM_set_flags", _INT, _POINTER, ctypes.c_ulong)
X509_VERIFY_PARAM_set_auth_level = _function("X509_VERIFY_PARAM_set_auth_level", None, _POINTER, _INT)
X509_VERIFY_PARAM_set_depth = _function("X509_VERIFY_PARAM_set_depth", None, _POINTER, _INT)
X509_VERIFY_PARAM_set_purpose = _function("X509_VERIFY_PARAM_set_purpose", _INT, _POINTER, _INT)
X509_VERIFY_PARAM_set_hostflags = _function("X509_VERIFY_PARAM_set_hostflags", None, _POINTER, ctypes.c_uint)
X509_VERIFY_PARAM_set1_host = _function(
    "X509_VERIFY_PARAM_set1_host", _INT, _POINTER, _TEXT, ctypes.c_size_t)
X509_VERIFY_PARAM_set1_ip_asc = _function("X509_VERIFY_PARAM_set1_ip_asc", _INT, _POINTER, _TEXT)

SSL_CTX_new = _function("SSL_CTX_new", _POINTER, _POINTER)
TLS_client_method = _function("TLS_client_method", _POINTER)
SSL_CTX_free = _function("SSL_CTX_free", None, _POINTER)
SSL_CTX_get_security_level = _function("SSL_CTX_get_security_level", _INT, _POINTER)
SSL_new = _function("SSL_new", _POINTER, _POINTER)
SSL_free = _function("SSL_free", None, _POINTER)
SSL_CIPHER_find = _function("SSL_CIPHER_find", _POINTER, _POINTER, _TEXT)
SSL_CIPHER_standard_name = _function("SSL_CIPHER_standard_name", _TEXT, _POINTER)


def _encoded(encode, thing):
    """What OpenSSL writes of a thing, as DER; None where it can't."""
    memory = _POINTER()
    count = encode(thing, ctypes.byref(memory))
    if count <= 0:
        ERR_clear_error()
        return None
    try:
        return ctypes.string_at(memory, count)
    finally:
        CRYPTO_free(memory, None, 0)


class Certificate:
    """One X509, which it owns."""

    def __init__(self, der):
        bytes_ = ctypes.c_char_p(der)
        self.pointer = d2i_X509(None, ctypes.byref(bytes_), len(der))
        ERR_clear_error()
        if not self.pointer:
            raise ValueError("OpenSSL can't read a certificate")

    def close(self):
        X509_free(self.pointer)

    @property
    def key(self):
        """The SubjectPublicKeyInfo as OpenSSL encodes the key; None where it can't read it."""
        key = X509_get0_pubkey(self.pointer)
        ERR_clear_error()
        return _encoded(i2d_PUBKEY, key) if key else None


def der_of(certificate):
    """The DER of an X509 that belongs to somebody else."""
    return _encoded(i2d_X509, certificate)


def _standard_names():
    """The IANA names of all suites by their numbers."""
    context = SSL_CTX_new(TLS_client_method())
    connection = SSL_new(context)
    names = {}
    for number in range(0x10000):
        cipher = SSL_CIPHER_find(connection, number.to_bytes(2, "big"))
        name = SSL_CIPHER_standard_name(cipher) if cipher else None
        if name:
            names[number] = name.decode()
    SSL_free(connection)
    SSL_CTX_free(context)
    return names


def _security_level():
    """The default level of a connection."""
    context = SSL_CTX_new(TLS_client_method())
    level = SSL_CTX_get_security_level(context)
    SSL_CTX_free(context)
    return level


SUITE_NAMES = _standard_names()
SECURITY_LEVEL = _security_level()
