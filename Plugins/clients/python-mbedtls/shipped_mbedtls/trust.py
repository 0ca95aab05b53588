"""What the Mbed TLS of the package decides on a chain, as its TLS layer asks for it, at any instant."""

import base64
import calendar
import ctypes
import time

from shipped_mbedtls import library
from shipped_mbedtls.library import Certificate, beside, error_code, error_words, mbedtls, x509

DIGITAL_SIGNATURE, KEY_ENCIPHERMENT, KEY_AGREEMENT = 0x80, 0x20, 0x08
_PURPOSES = {"server": b"\x2b\x06\x01\x05\x05\x07\x03\x01", "client": b"\x2b\x06\x01\x05\x05\x07\x03\x02"}
_VERIFY_FAILED, _FATAL_ERROR, _UNKNOWN_SIGNATURE_ALGORITHM = -0x2700, -0x3000, -0x2600 - 0x2E
_KEY_USAGE, _EXTENDED_KEY_USAGE = 0x0800, 0x1000

# Each flag of a verification, with its name and our cause.
_FLAGS = [
    (0x01, "EXPIRED", "expired"), (0x02, "REVOKED", "revoked"), (0x04, "CN_MISMATCH", "hostname-mismatch"),
    (0x08, "NOT_TRUSTED", "unknown-issuer"), (0x40, "MISSING", "malformed"), (0x0200, "FUTURE", "not-yet-valid"),
    (_KEY_USAGE, "KEY_USAGE", "wrong-purpose"), (_EXTENDED_KEY_USAGE, "EXT_KEY_USAGE", "wrong-purpose"),
    (0x2000, "NS_CERT_TYPE", "wrong-purpose"), (0x4000, "BAD_MD", "weak-signature"), (0x8000, "BAD_PK", "weak-key"),
    (0x010000, "BAD_KEY", "weak-key"),
]


def evaluate_request(request, deadline):
    """An evaluate-trust request; without a handshake the leaf has to be able to sign one."""
    return {"trust": evaluate([base64.b64decode(der) for der in request["chain"]], request, DIGITAL_SIGNATURE)}


def read_key_request(request, deadline):
    """A read-key request."""
    return {"key": read_key(base64.b64decode(request["certificate"]))}


def read_key(der):
    """The package's own reading of a certificate's key."""
    try:
        key = mbedtls.x509.CRT.from_DER(der).subject_public_key.export_public_key("DER")
    except Exception as error:  # What it raises is as various as what it reads.
        return {"unreadable": str(error) or type(error).__name__}
    return {"spki": base64.b64encode(key).decode()} if key else {"unreadable": "it is not a public key"}


def judge_at(question):
    """Sets the library's clock to the instant of the request."""
    beside.judge_at(calendar.timegm(time.strptime(question["instant"][:19], "%Y-%m-%dT%H:%M:%S")))


def evaluate(chain, question, usage):
    """The decision on a chain of DER certificates; `usage` is the key usage that the cipher suite needs of the leaf."""
    if not chain:
        return _refusal([_problem("malformed", "there is no certificate", None, None)])
    if "\0" in (question.get("name") or ""):
        return _refusal([_problem("hostname-mismatch", "no certificate has a name with a zero in it", None, 0)])
    # The process of this request frees them with its end.
    presented, anchors = Certificate(), Certificate()
    x509.mbedtls_x509_crt_init(presented)
    x509.mbedtls_x509_crt_init(anchors)
    for depth, der in enumerate(chain):
        error = x509.mbedtls_x509_crt_parse_der(presented, der, len(der))
        # As in a handshake: an issuer whose signature algorithm is unknown is left out.
        if error and (depth == 0 or error != _UNKNOWN_SIGNATURE_ALGORITHM):
            return _refusal([_problem("malformed", error_words(error), error_code(error), depth)])
    for text in question["anchors"]["certificates"]:
        der = base64.b64decode(text)
        x509.mbedtls_x509_crt_parse_der(anchors, der, len(der))  # What can't be read is not an anchor.
    judge_at(question)
    return _verify(presented, anchors, question, usage)


def _verify(presented, anchors, question, usage):
    name = question.get("name")
    path, flags = {}, ctypes.c_uint32()

    def note(context, certificate, depth, found):
        path[depth] = (certificate.contents.raw.value, _is_self_issued(certificate.contents), found.contents.value)
        return 0

    error = x509.mbedtls_x509_crt_verify_with_profile(
        presented, anchors, None, library.DEFAULT_PROFILE, name.partition(":")[2].encode() if name else None,
        ctypes.byref(flags), library.Note(note), None)
    if error not in (0, _VERIFY_FAILED):
        cause = "too-complex" if error == _FATAL_ERROR else "other"
        return _refusal([_problem(cause, error_words(error), error_code(error), None)])
    problems = []
    for depth, (_, is_self_issued, found) in sorted(path.items()):
        if depth == 0:
            found |= _leaf_flags(presented, question.get("purpose", "server"), usage)
        problems += _problems(found, depth, is_self_issued)
    if error and not problems:
        problems = _problems(flags.value, None, False)
    limit = question.get("maxDepth")
    if limit is not None and len(path) - 2 > limit:
        problems.append(_problem("constraint-violated", "the path has more intermediates than are allowed", None, None))
    if problems:
        return _refusal(problems)
    ders = [der for _, (der, _, _) in sorted(path.items())]
    return {"accepted": True, "problems": [], "path": [base64.b64encode(der).decode() for der in ders]}


def _is_self_issued(certificate):
    return certificate.issuer.value == certificate.subject.value


def _leaf_flags(leaf, purpose, usage):
    """What the TLS layer asks of a leaf after the chain: `mbedtls_ssl_check_cert_usage` is not exported."""
    oid = _PURPOSES.get(purpose)
    if oid is None:
        return 0
    flags = 0
    if x509.mbedtls_x509_crt_check_key_usage(leaf, usage) != 0:
        flags |= _KEY_USAGE
    if x509.mbedtls_x509_crt_check_extended_key_usage(leaf, oid, len(oid)) != 0:
        flags |= _EXTENDED_KEY_USAGE
    return flags


def _problems(flags, depth, is_self_issued):
    problems = []
    for flag, name, cause in _FLAGS:
        if not flags & flag:
            continue
        words = ctypes.create_string_buffer(256)
        x509.mbedtls_x509_crt_verify_info(words, len(words), b"", flag)
        if name == "NOT_TRUSTED" and is_self_issued:
            cause = "self-signed"
        message = words.value.decode(errors="replace").strip()
        problems.append(_problem(cause, message, f"MBEDTLS_X509_BADCERT_{name}", depth))
        flags &= ~flag
    if flags:
        problems.append(_problem("other", f"the certificate was refused with the flags {flags:#x}", None, depth))
    return problems


def _problem(cause, message, native, depth):
    return {"cause": cause, "message": message, "nativeCode": native, "depth": depth}


def _refusal(problems):
    return {"accepted": False, "problems": problems, "path": None}
