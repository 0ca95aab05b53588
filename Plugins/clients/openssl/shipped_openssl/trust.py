"""What an OpenSSL decides on a chain, at any instant and without a connection, with its settings of a client.

These are the library's own, of a connection that verifies its peer, and the flag for host names of OpenSSL's example.
"""

import base64
import calendar
import time

from shipped_openssl import problems
from shipped_openssl.certificate import Certificate, add_anchor
from shipped_openssl.library import VERIFY_CALLBACK

_NO_PARTIAL_WILDCARDS = 0x4
_PURPOSES = {"server": 2, "client": 1}


def evaluate_request(library, request):
    """An evaluate-trust request."""
    return {"trust": evaluate(library, [base64.b64decode(der) for der in request["chain"]], request)}


def evaluate(library, chain, question):
    """The decision on a chain of DER certificates."""
    owned = []
    try:
        for der in chain:
            owned.append(Certificate(library, der))
    except ValueError as error:
        for certificate in owned:
            certificate.close()
        return problems.malformed(str(error), len(owned))
    if not owned:
        return problems.malformed("there is no certificate")
    store, others = library.X509_STORE_new(), library.OPENSSL_sk_new_null()
    context = library.X509_STORE_CTX_new()
    try:
        for der in question["anchors"]["certificates"]:
            add_anchor(library, store, base64.b64decode(der))
        for certificate in owned[1:]:
            library.OPENSSL_sk_push(others, certificate.pointer)
        if not library.X509_STORE_CTX_init(context, store, owned[0].pointer, others):
            return problems.refusal([{"cause": "other", "message": "OpenSSL can't begin to verify", "nativeCode": None}])
        _set(library, library.X509_STORE_CTX_get0_param(context), question)
        return _verify(library, context)
    finally:
        library.X509_STORE_CTX_free(context)
        library.OPENSSL_sk_free(others)
        library.X509_STORE_free(store)
        for certificate in owned:
            certificate.close()
        library.ERR_clear_error()


def _set(library, rules, question):
    instant = calendar.timegm(time.strptime(question["instant"][:19], "%Y-%m-%dT%H:%M:%S"))
    library.X509_VERIFY_PARAM_set_time(rules, instant)
    if not library.is_old:
        library.X509_VERIFY_PARAM_set_auth_level(rules, library.security_level)
    if question.get("maxDepth") is not None:
        # Before 1.1.0 the anchor counts.
        library.X509_VERIFY_PARAM_set_depth(rules, question["maxDepth"] + library.is_old)
    purpose = _PURPOSES.get(question.get("purpose", "server"))
    if purpose is not None:
        library.X509_VERIFY_PARAM_set_purpose(rules, purpose)
    library.X509_VERIFY_PARAM_set_hostflags(rules, _NO_PARTIAL_WILDCARDS)
    name = question.get("name")
    if name is None:
        return
    kind, _, text = name.partition(":")
    if kind == "dns":
        library.X509_VERIFY_PARAM_set1_host(rules, text.encode(), len(text))
    else:
        library.X509_VERIFY_PARAM_set1_ip_asc(rules, text.encode())


def _verify(library, context):
    found = problems.find(library, context, VERIFY_CALLBACK)
    if found:
        return problems.refusal(found)
    path = library.certificates(library.X509_STORE_CTX_get0_chain(context))
    return {"accepted": True, "problems": [], "path": [base64.b64encode(der).decode() for der in path]}
