"""What Python's ssl decides on a chain, at any instant and without a connection.

A context of `ssl.create_default_context()` leaves the decision to OpenSSL's X509_verify_cert, with the settings below. The
module offers neither a chain without a connection nor another time than now, so that it is asked of OpenSSL directly.
"""

import base64
import calendar
import ctypes
import ssl
import time

from probe_plugin import libcrypto as c
from probe_plugin.verify_codes import CODES

_NO_PARTIAL_WILDCARDS, _NEVER_CHECK_SUBJECT = 0x4, 0x20
_PURPOSES = {"server": 2, "client": 1}
_CONTEXT = ssl.create_default_context()

def evaluate_request(request, deadline):
    """An evaluate-trust request."""
    return {"trust": evaluate([base64.b64decode(der) for der in request["chain"]], request)}


def read_key_request(request, deadline):
    """A read-key request."""
    return {"key": read_key(base64.b64decode(request["certificate"]))}


def read_key(der):
    """OpenSSL's own reading of a certificate's key."""
    try:
        certificate = c.Certificate(der)
    except ValueError as error:
        return {"unreadable": str(error)}
    try:
        key = certificate.key
    finally:
        certificate.close()
    return {"unreadable": "OpenSSL can't read the key"} if key is None else {"spki": base64.b64encode(key).decode()}


def evaluate(chain, question):
    """The decision on a chain of DER certificates."""
    owned = []
    try:
        for der in chain:
            owned.append(c.Certificate(der))
    except ValueError as error:
        for certificate in owned:
            certificate.close()
        return _refusal([{"cause": "malformed", "message": str(error), "nativeCode": None, "depth": len(owned)}])
    if not owned:
        return _refusal([{"cause": "malformed", "message": "there is no certificate", "nativeCode": None}])
    store, others, context = c.X509_STORE_new(), c.OPENSSL_sk_new_null(), c.X509_STORE_CTX_new()
    try:
        for der in question["anchors"]["certificates"]:
            _add_anchor(store, base64.b64decode(der))
        for certificate in owned[1:]:
            c.OPENSSL_sk_push(others, certificate.pointer)
        if not c.X509_STORE_CTX_init(context, store, owned[0].pointer, others):
            return _refusal([{"cause": "other", "message": "OpenSSL can't begin to verify", "nativeCode": None}])
        _set(c.X509_STORE_CTX_get0_param(context), question)
        return _verify(context)
    finally:
        c.X509_STORE_CTX_free(context)
        c.OPENSSL_sk_free(others)
        c.X509_STORE_free(store)
        for certificate in owned:
            certificate.close()
        c.ERR_clear_error()


def _add_anchor(store, der):
    try:
        anchor = c.Certificate(der)
    except ValueError:
        return  # What can't be read is not an anchor, as when ssl loads a file.
    c.X509_STORE_add_cert(store, anchor.pointer)
    anchor.close()


def _set(rules, question):
    """The settings of a default context (Modules/_ssl.c, Lib/ssl.py) and of the question."""
    instant = calendar.timegm(time.strptime(question["instant"][:19], "%Y-%m-%dT%H:%M:%S"))
    c.X509_VERIFY_PARAM_set_time(rules, instant)
    c.X509_VERIFY_PARAM_set_flags(rules, int(_CONTEXT.verify_flags))
    c.X509_VERIFY_PARAM_set_auth_level(rules, c.SECURITY_LEVEL)
    if question.get("maxDepth") is not None:
        c.X509_VERIFY_PARAM_set_depth(rules, question["maxDepth"])
    purpose = _PURPOSES.get(question.get("purpose", "server"))
    if purpose is not None:
        c.X509_VERIFY_PARAM_set_purpose(rules, purpose)
    subject = 0 if _CONTEXT.hostname_checks_common_name else _NEVER_CHECK_SUBJECT
    c.X509_VERIFY_PARAM_set_hostflags(rules, _NO_PARTIAL_WILDCARDS | subject)
    name = question.get("name")
    if name is None:
        return
    kind, _, text = name.partition(":")
    if kind == "dns":
        c.X509_VERIFY_PARAM_set1_host(rules, text.encode(), len(text))
    else:
        c.X509_VERIFY_PARAM_set1_ip_asc(rules, text.encode())


def _verify(context):
    problems = []

    def note(is_good, store_context):
        # It goes on after an error, so that all are found; ssl stops at the first.
        if not is_good and len(problems) < 50:
            code = c.X509_STORE_CTX_get_error(store_context)
            problems.append(_problem(code, c.X509_STORE_CTX_get_error_depth(store_context)))
        return 1

    callback = c.VERIFY_CALLBACK(note)
    c.X509_STORE_CTX_set_verify_cb(context, callback)
    if c.X509_verify_cert(context) != 1 and not problems:
        problems.append(_problem(c.X509_STORE_CTX_get_error(context), None))
    if problems:
        return _refusal(problems)
    path = c.X509_STORE_CTX_get0_chain(context)
    certificates = [c.der_of(c.OPENSSL_sk_value(path, index)) for index in range(c.OPENSSL_sk_num(path))]
    return {
        "accepted": True, "problems": [], "path": [base64.b64encode(der).decode() for der in certificates],
    }


def _problem(code, depth):
    name, cause = CODES.get(code, (str(code), "other"))
    message = c.X509_verify_cert_error_string(code).decode()
    return {"cause": cause, "message": message, "nativeCode": f"X509_V_ERR_{name}", "depth": depth}


def _refusal(problems):
    return {"accepted": False, "problems": problems, "path": None}
