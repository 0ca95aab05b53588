"""What libcurl with BoringSSL decides on a chain, at any instant and without a connection.

libcurl leaves the path to X509_verify_cert, as a client of TLS with the two flags below, and compares the name itself.
"""

import base64
import calendar
import time

from probe_plugin.verify_codes import CODES

from shipped_curl import names
from shipped_curl.library import VERIFY_CALLBACK
from shipped_openssl import problems
from shipped_openssl.certificate import Certificate, add_anchor

_TRUSTED_FIRST, _PARTIAL_CHAIN = 0x8000, 0x80000
_PURPOSES = {"server": b"ssl_server", "client": b"ssl_client"}
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


def evaluate(library, chain, question):
    """The decision on a chain of DER certificates."""
    owned = []
    try:
        for der in chain:
            owned.append(Certificate(library, der))
        return _decide(library, owned, question)
    except ValueError as error:
        return problems.malformed(str(error), len(owned))
    finally:
        for certificate in owned:
            certificate.close()
        library.ERR_clear_error()


def _decide(library, certificates, question):
    if not certificates:
        return problems.malformed("there is no certificate")
    store, others, context = library.X509_STORE_new(), library.OPENSSL_sk_new_null(), library.X509_STORE_CTX_new()
    try:
        library.X509_STORE_set_flags(store, _TRUSTED_FIRST | _PARTIAL_CHAIN)
        for der in question["anchors"]["certificates"]:
            add_anchor(library, store, base64.b64decode(der))
        for certificate in certificates[1:]:
            library.OPENSSL_sk_push(others, certificate.pointer)
        if not library.X509_STORE_CTX_init(context, store, certificates[0].pointer, others):
            return problems.refusal([{"cause": "other", "message": "BoringSSL can't begin to verify", "nativeCode": None}])
        _set(library, context, question)
        found = problems.find(library, context, VERIFY_CALLBACK, _CODES)
        name = question.get("name")
        if name is not None and not names.accepts(library, certificates[0], name):
            found.append({
                "cause": "hostname-mismatch", "message": f"no name of the certificate matches {name}",
                "nativeCode": "CURLE_PEER_FAILED_VERIFICATION", "depth": 0,
            })
        if found:
            return problems.refusal(found)
        path = library.elements(library.X509_STORE_CTX_get0_chain(context))
        ders = [library.encoded(library.i2d_X509, certificate) for certificate in path]
        return {"accepted": True, "problems": [], "path": [base64.b64encode(der).decode() for der in ders]}
    finally:
        library.X509_STORE_CTX_free(context)
        library.OPENSSL_sk_free(others)
        library.X509_STORE_free(store)


def _set(library, context, question):
    purpose = _PURPOSES.get(question.get("purpose", "server"))
    if purpose is not None:
        library.X509_STORE_CTX_set_default(context, purpose)
    rules = library.X509_STORE_CTX_get0_param(context)
    instant = calendar.timegm(time.strptime(question["instant"][:19], "%Y-%m-%dT%H:%M:%S"))
    library.X509_VERIFY_PARAM_set_time_posix(rules, instant)
    if question.get("maxDepth") is not None:
        library.X509_VERIFY_PARAM_set_depth(rules, question["maxDepth"])
