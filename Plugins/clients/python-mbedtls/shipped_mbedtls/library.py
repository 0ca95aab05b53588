"""The Mbed TLS that the package brings along, as the package itself has it loaded, with a clock that can be set.

beside.so has a `mbedtls_platform_gmtime_r` of its own, the function in which Mbed TLS turns the machine's time into a date
and which it documents as replaceable. beside.so is loaded first and globally, so that the library's calls end there.
"""

import ctypes
import os
import pathlib
import sys

_BUILD = pathlib.Path(__file__).resolve().parents[1] / "build"

beside = ctypes.CDLL(str(_BUILD / "beside.so"), mode=os.RTLD_GLOBAL)
beside.judge_at.argtypes, beside.judge_at.restype = [ctypes.c_int64], None
beside.clock_is_ours.restype = ctypes.c_bool

sys.path.insert(0, str(_BUILD))
import mbedtls  # noqa: E402: its libraries have to come after beside.so

VERSION = f"{mbedtls.__version__} ({mbedtls.version.version})"


def _loaded(name):
    """A library of the wheel, if the package has loaded it: it is not loaded a second time."""
    (path,) = (_BUILD / "python_mbedtls.libs").glob(f"{name}-*")
    return ctypes.CDLL(str(path), mode=os.RTLD_NOLOAD)


class Bytes(ctypes.Structure):
    """mbedtls_x509_buf."""

    _fields_ = [("tag", ctypes.c_int), ("size", ctypes.c_size_t), ("data", ctypes.c_void_p)]

    @property
    def value(self):
        """A copy of the bytes."""
        return ctypes.string_at(self.data, self.size) if self.size else b""


class Certificate(ctypes.Structure):
    """The first fields of mbedtls_x509_crt, which are the same in all of Mbed TLS 2.28, and far more room than it needs."""

    _fields_ = [
        ("own_buffer", ctypes.c_int), ("raw", Bytes), ("tbs", Bytes), ("version", ctypes.c_int), ("serial", Bytes),
        ("signature_algorithm", Bytes), ("issuer", Bytes), ("subject", Bytes), ("rest", ctypes.c_char * 4096),
    ]


class Curve(ctypes.Structure):
    """mbedtls_ecp_curve_info."""

    _fields_ = [
        ("group", ctypes.c_int), ("tls", ctypes.c_uint16), ("bits", ctypes.c_uint16), ("name", ctypes.c_char_p),
    ]


Note = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Certificate), ctypes.c_int, ctypes.POINTER(ctypes.c_uint32))
_CERTIFICATE = ctypes.POINTER(Certificate)

x509, _tls, _crypto = _loaded("libmbedx509"), _loaded("libmbedtls"), _loaded("libmbedcrypto")
x509.mbedtls_x509_crt_init.argtypes = [_CERTIFICATE]
x509.mbedtls_x509_crt_free.argtypes = [_CERTIFICATE]
x509.mbedtls_x509_crt_parse_der.argtypes = [_CERTIFICATE, ctypes.c_char_p, ctypes.c_size_t]
x509.mbedtls_x509_crt_verify_with_profile.argtypes = [
    _CERTIFICATE, _CERTIFICATE, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint32), Note,
    ctypes.c_void_p,
]
x509.mbedtls_x509_crt_verify_info.argtypes = [
    ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_uint32]
x509.mbedtls_x509_crt_check_key_usage.argtypes = [_CERTIFICATE, ctypes.c_uint]
x509.mbedtls_x509_crt_check_extended_key_usage.argtypes = [_CERTIFICATE, ctypes.c_char_p, ctypes.c_size_t]
_tls.mbedtls_ssl_get_ciphersuite_name.argtypes = [ctypes.c_int]
_tls.mbedtls_ssl_get_ciphersuite_name.restype = ctypes.c_char_p
_crypto.mbedtls_ecp_curve_info_from_tls_id.argtypes = [ctypes.c_uint16]
_crypto.mbedtls_ecp_curve_info_from_tls_id.restype = ctypes.POINTER(Curve)
_crypto.mbedtls_strerror.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t]
_crypto.mbedtls_strerror.restype = None

DEFAULT_PROFILE = ctypes.addressof(ctypes.c_char.in_dll(x509, "mbedtls_x509_crt_profile_default"))


def error_words(error):
    """The library's own words for one of its errors, which are negative."""
    words = ctypes.create_string_buffer(160)
    _crypto.mbedtls_strerror(error, words, len(words))
    return words.value.decode(errors="replace")


def error_code(error):
    """An error as the library prints it."""
    return f"-0x{-error:04X}"


def suite_name(number):
    """The IANA name of a cipher suite, with its separators; None for one that the library does not have."""
    name = _tls.mbedtls_ssl_get_ciphersuite_name(number).decode()
    return name.replace("-", "_") if name.startswith("TLS-") else None


def group_name(number):
    """The name of a curve; None for one that the library does not have."""
    curve = _crypto.mbedtls_ecp_curve_info_from_tls_id(number)
    return curve.contents.name.decode() if curve else None
