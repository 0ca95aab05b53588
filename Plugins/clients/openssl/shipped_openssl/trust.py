"""What an OpenSSL decides on a chain, at any instant and without a connection, with its settings of a client.

These are the library's own, of a connection that verifies its peer, and the flag for host names of OpenSSL's example.
"""

import base64
import calendar
import time

from probe_plugin.verify_codes import CODES

from shipped_openssl.library import VERIFY_CALLBACK, Certificate

_NO_PARTIAL_WILDCARDS = 0x4
_PURPOSES = {"server": 2, "client": 1}


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
    try:
        key = certificate.key
    finally:
        certificate.close()
    return {"unreadable": "OpenSSL can't read the key"} if key is None else {"spki": base64.b64encode(key).decode()}


def evaluate(library, chain, question):
    """The decision on a chain of DER certificates."""
    owned = []
    try:
        for der in chain:
            owned.append(Certificate(library, der))
    except ValueError as error:
        for certificate in owned:
            certificate.close()
        return _refusal([{"cause": "malformed", "message": str(error), "nativeCode": None, "depth": len(owned)}])
    if not owned:
        return _refusal([{"cause": "malformed", "message": "there is no certificate", "nativeCode": None}])
    store, others = library.X509_STORE_new(), library.OPENSSL_sk_new_null()
    context = library.X509_STORE_CTX_new()
    try:
        for der in question["anchors"]["certificates"]:
            _add_anchor(library, store, base64.b64decode(der))
        for certificate in owned[1:]:
            library.OPENSSL_sk_push(others, certificate.pointer)
        if not library.X509_STORE_CTX_init(context, store, owned[0].pointer, others):
            return _refusal([{"cause": "other", "message": "OpenSSL can't begin to verify", "nativeCode": None}])
        _set(library, library.X509_STORE_CTX_get0_param(context), question)
        return _verify(library, context)
    finally:
        library.X509_STORE_CTX_free(context)
        library.OPENSSL_sk_free(others)
        library.X509_STORE_free(store)
        for certificate in owned:
            certificate.close()
        library.ERR_clear_error()


def _add_anchor(library, store, der):
    try:
        anchor = Certificate(library, der)
    except ValueError:
        return  # What can't be read is no anchor, as when OpenSSL loads a file.
    library.X509_STORE_add_cert(store, anchor.pointer)
    anchor.close()


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
    problems = []

    def note(is_good, store_context):
        # It goes on after an error, so that all are found; a client stops at the first.
        if not is_good and len(problems) < 50:
            code = library.X509_STORE_CTX_get_error(store_context)
            depth = library.X509_STORE_CTX_get_error_depth(store_context)
            problems.append(_problem(library, code, depth))
        return 1

    callback = VERIFY_CALLBACK(note)
    library.X509_STORE_CTX_set_verify_cb(context, callback)
    if library.X509_verify_cert(context) != 1 and not problems:
        problems.append(_problem(library, library.X509_STORE_CTX_get_error(context), None))
    if problems:
        return _refusal(problems)
    path = library.certificates(library.X509_STORE_CTX_get0_chain(context))
    return {"accepted": True, "problems": [], "path": [base64.b64encode(der).decode() for der in path]}


def _problem(library, code, depth):
    name, cause = CODES.get(code, (str(code), "other"))
    message = library.X509_verify_cert_error_string(code).decode()
    return {"cause": cause, "message": message, "nativeCode": f"X509_V_ERR_{name}", "depth": depth}


def _refusal(problems):
    return {"accepted": False, "problems": problems, "path": None}
