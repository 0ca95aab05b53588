"""What x509.verification decides on a chain, with the policy that it has for the Web's PKI."""

import base64
import datetime
import ipaddress

import cryptography
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509 import verification

from shipped_cryptography.causes import cause_of

VERSION = cryptography.__version__


def evaluate_request(request, deadline):
    """An evaluate-trust request."""
    return {"trust": evaluate([base64.b64decode(der) for der in request["chain"]], request)}


def read_key_request(request, deadline):
    """A read-key request."""
    return {"key": read_key(base64.b64decode(request["certificate"]))}


def read_key(der):
    """The library's own reading of a certificate's key."""
    try:
        key = x509.load_der_x509_certificate(der).public_key()
        spki = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    except Exception as error:  # What it raises is as various as what it reads.
        return {"unreadable": f"{type(error).__name__}: {error}"}
    return {"spki": base64.b64encode(spki).decode()}


def evaluate(chain, question):
    """The decision on a chain of DER certificates."""
    certificates = []
    for depth, der in enumerate(chain):
        try:
            certificates.append(x509.load_der_x509_certificate(der))
        except Exception as error:
            return _refusal("malformed", error, depth)
    if not certificates:
        return _refusal("malformed", "there is no certificate", None)
    anchors = _anchors(question)
    if not anchors:
        return _refusal("unknown-issuer", "there are no anchors", None)
    instant = datetime.datetime.strptime(question["instant"][:19], "%Y-%m-%dT%H:%M:%S")
    try:
        builder = verification.PolicyBuilder().store(verification.Store(anchors)).time(instant)
        if question.get("maxDepth") is not None:
            # It keeps one byte, and no chain that is taken has as many certificates.
            builder = builder.max_chain_depth(min(question["maxDepth"], 255))
        path = _verified(builder, certificates, question)
    except Exception as error:
        return _refusal(cause_of(error, certificates + anchors, instant), error, None)
    ders = [certificate.public_bytes(Encoding.DER) for certificate in path]
    return {"accepted": True, "problems": [], "path": [base64.b64encode(der).decode() for der in ders]}


def _verified(builder, certificates, question):
    """The path: for a server with a name its server's verifier decides, else the one of clients, which asks for no name."""
    leaf, others = certificates[0], certificates[1:]
    purpose, name = question.get("purpose", "server"), question.get("name")
    if purpose == "server":
        return builder.build_server_verifier(_subject(name, leaf)).verify(leaf, others)
    if purpose == "any":
        agnostic = verification.Criticality.AGNOSTIC
        leaves, authorities = (
            policy.may_be_present(x509.ExtendedKeyUsage, agnostic, None)
            for policy in (
                verification.ExtensionPolicy.webpki_defaults_ee(), verification.ExtensionPolicy.webpki_defaults_ca())
        )
        builder = builder.extension_policies(ee_policy=leaves, ca_policy=authorities)
    return builder.build_client_verifier().verify(leaf, others).chain


def _subject(name, leaf):
    """The name to prove; without one, the leaf's own, since the verifier of servers always asks for one."""
    if name is None:
        names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        for found in names:
            if isinstance(found, (x509.DNSName, x509.IPAddress)):
                return found
        raise x509.ExtensionNotFound("the leaf has no name of a server", x509.SubjectAlternativeName.oid)
    kind, _, text = name.partition(":")
    return x509.DNSName(text) if kind == "dns" else x509.IPAddress(ipaddress.ip_address(text))


def _anchors(question):
    anchors = []
    for der in question["anchors"]["certificates"]:
        try:
            anchors.append(x509.load_der_x509_certificate(base64.b64decode(der)))
        except Exception:
            pass  # What can't be read is not an anchor.
    return anchors


def _refusal(cause, error, depth):
    native = type(error).__name__ if isinstance(error, Exception) else None
    message = str(error) or native
    return {
        "accepted": False, "path": None,
        "problems": [{"cause": cause, "message": message, "nativeCode": native, "depth": depth}],
    }
