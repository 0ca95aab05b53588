"""Our name for each reason of a refusal: the verifier has sentences alone."""

import datetime

from cryptography import x509

# The first whose words are in a message; of several paths the last one's reason is in it.
_CAUSES = [
    ("no matching subjectAltName", "hostname-mismatch"), ("has no subjectAltName", "hostname-mismatch"),
    ("RSA key is too weak", "weak-key"), ("Forbidden public key algorithm", "weak-key"),
    ("Forbidden signature algorithm", "weak-signature"), ("signature does not match", "bad-signature"),
    ("required EKU not found", "wrong-purpose"), ("must not be asserted in an EE", "wrong-purpose"),
    ("candidates exhausted with no interior errors", "unknown-issuer"),
    ("path length constraint", "constraint-violated"), ("name constraint", "constraint-violated"),
    ("max depth", "constraint-violated"), ("unaccounted-for critical", "constraint-violated"),
    ("keyUsage", "constraint-violated"), ("basicConstraints", "constraint-violated"),
    ("check limit", "too-complex"), ("invalid extension", "malformed"), ("missing required extension", "malformed"),
    ("serial", "malformed"), ("malformed", "malformed"), ("X509v3", "malformed"), ("UtcTime", "malformed"),
    ("mismatch between", "malformed"), ("ASN.1", "malformed"), ("parsing", "malformed"),
]


def cause_of(error, certificates, instant):
    """The cause of an exception."""
    if isinstance(error, x509.ExtensionNotFound):
        return "hostname-mismatch"
    text = str(error).split(" (encountered processing")[0]
    if "not valid at validation time" in text:
        return _date(certificates, instant)
    for words, cause in _CAUSES:
        if words in text:
            return cause
    return "malformed" if isinstance(error, ValueError) else "other"


def _date(certificates, instant):
    """It does not say whose validity it is, nor which end: that of the first certificate that has one."""
    utc = instant.replace(tzinfo=datetime.timezone.utc)
    for certificate in certificates:
        try:
            if certificate.not_valid_after_utc < utc:
                return "expired"
        except ValueError:
            pass  # A date that Python can't hold.
    return "not-yet-valid"
