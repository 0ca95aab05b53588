"""What libcurl with BoringSSL decides on a chain, at any instant and without a connection.

libcurl leaves the path to X509_verify_cert, as a client of TLS with the two flags below, and compares the name itself.
"""

import base64
import calendar
import time

from probe_plugin.verify_codes import CODES

from shipped_curl import names
from shipped_curl.certificate import Certificate
from shipped_curl.library import VERIFY_CALLBACK

_TRUSTED_FIRST, _PARTIAL_CHAIN = 0x8000, 0x80000
_PURPOSES = {"server": b"ssl_server", "client": b"ssl_client"}
_MOST_PROBLEMS = 50
# Codes that mean something else in later versions of OpenSSL, or are missing in the table.
_CODES = CODES | {
    42: ("INVALID_POLICY_EXTENSION", "malformed"),
    43: ("NO_EXPLICIT_POLICY", "constraint-violated"),
    66: ("STORE_LOOKUP", "other"),
    67: ("NAME_CONSTRAINTS_WITHOUT_SANS", "constraint-violated"),
}


def evaluate_request(library, request):
    """An evaluate-trust request."""
    return {"trust": evaluate(library, [base64.b64decode(der) for der in request["chain"]], request)}


def read_key_request(library, request):
    """A read-key request."""
    return {"key": read_key(library, base64.b64decode(request["certificate"]))}


def read_key(library, der):
    """The library's own reading of a certificate's key."""
    try:
        certificate = Certificate(library, der)
    except ValueError as error:
        return {"unreadable": str(error)}
    key = certificate.key
    certificate.close()
    return {"unreadable": "BoringSSL can't read the key"} if key is None else {"spki": base64.b64encode(key).decode()}


def evaluate(library, chain, question):
    """The decision on a chain of DER certificates."""
    owned = []
    try:
        for der in chain:
            owned.append(Certificate(library, der))
        return _decide(library, owned, question)
    except ValueError as error:
        return _refusal([{"cause": "malformed", "message": str(error), "nativeCode": None, "depth": len(owned)}])
    finally:
        for certificate in owned:
            certificate.close()
        library.ERR_clear_error()


def _decide(library, certificates, question):
    if not certificates:
        return _refusal([{"cause": "malformed", "message": "there is no certificate", "nativeCode": None}])
    store, others, context = library.X509_STORE_new(), library.OPENSSL_sk_new_null(), library.X509_STORE_CTX_new()
    try:
        library.X509_STORE_set_flags(store, _TRUSTED_FIRST | _PARTIAL_CHAIN)
        for der in question["anchors"]["certificates"]:
            _add_anchor(library, store, base64.b64decode(der))
        for certificate in certificates[1:]:
            library.OPENSSL_sk_push(others, certificate.pointer)
        if not library.X509_STORE_CTX_init(context, store, certificates[0].pointer, others):
            return _refusal([{"cause": "other", "message": "BoringSSL can't begin to verify", "nativeCode": None}])
        _set(library, context, question)
        problems = _problems(library, context)
        name = question.get("name")
        if name is not None and not names.accepts(library, certificates[0], name):
            problems.append({
                "cause": "hostname-mismatch", "message": f"no name of the certificate matches {name}",
                "nativeCode": "CURLE_PEER_FAILED_VERIFICATION", "depth": 0,
            })
        if problems:
            return _refusal(problems)
        path = library.elements(library.X509_STORE_CTX_get0_chain(context))
        ders = [library.encoded(library.i2d_X509, certificate) for certificate in path]
        return {"accepted": True, "problems": [], "path": [base64.b64encode(der).decode() for der in ders]}
    finally:
        library.X509_STORE_CTX_free(context)
        library.OPENSSL_sk_free(others)
        library.X509_STORE_free(store)


def _add_anchor(library, store, der):
    try:
        anchor = Certificate(library, der)
    except ValueError:
        return  # What can't be read is no anchor, as when libcurl loads a file.
    library.X509_STORE_add_cert(store, anchor.pointer)
    anchor.close()


def _set(library, context, question):
    purpose = _PURPOSES.get(question.get("purpose", "server"))
    if purpose is not None:
        library.X509_STORE_CTX_set_default(context, purpose)
    rules = library.X509_STORE_CTX_get0_param(context)
    instant = calendar.timegm(time.strptime(question["instant"][:19], "%Y-%m-%dT%H:%M:%S"))
    library.X509_VERIFY_PARAM_set_time_posix(rules, instant)
    if question.get("maxDepth") is not None:
        library.X509_VERIFY_PARAM_set_depth(rules, question["maxDepth"])


def _problems(library, context):
    problems = []

    def note(is_good, store_context):
        # It goes on after an error, so that all are found; libcurl stops at the first.
        if not is_good and len(problems) < _MOST_PROBLEMS:
            code = library.X509_STORE_CTX_get_error(store_context)
            problem = _problem(library, code, library.X509_STORE_CTX_get_error_depth(store_context))
            if problem not in problems:
                problems.append(problem)
        return 1

    callback = VERIFY_CALLBACK(note)
    library.X509_STORE_CTX_set_verify_cb(context, callback)
    if library.X509_verify_cert(context) != 1 and not problems:
        problems.append(_problem(library, library.X509_STORE_CTX_get_error(context), None))
    return problems


def _problem(library, code, depth):
    name, cause = _CODES.get(code, (str(code), "other"))
    message = library.X509_verify_cert_error_string(code).decode()
    return {"cause": cause, "message": message, "nativeCode": f"X509_V_ERR_{name}", "depth": depth}


def _refusal(problems):
    return {"accepted": False, "problems": problems, "path": None}
