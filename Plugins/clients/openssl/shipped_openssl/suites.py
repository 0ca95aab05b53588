"""The IANA names of the cipher suites of OpenSSL 1.0.2, which knows only its own."""

import re

# What a suite begins with, the longest first: how keys are exchanged, and who signs.
_EXCHANGES = {
    "ECDHE-ECDSA-": "ECDHE_ECDSA", "ECDHE-RSA-": "ECDHE_RSA", "ECDH-ECDSA-": "ECDH_ECDSA", "ECDH-RSA-": "ECDH_RSA",
    "DHE-RSA-": "DHE_RSA", "DHE-DSS-": "DHE_DSS", "EDH-RSA-": "DHE_RSA", "EDH-DSS-": "DHE_DSS", "DH-RSA-": "DH_RSA",
    "DH-DSS-": "DH_DSS", "": "RSA",
}
_CIPHERS = {
    "DES-CBC3": "3DES_EDE_CBC", "DES-CBC": "DES_CBC", "RC4": "RC4_128", "IDEA-CBC": "IDEA_CBC", "SEED": "SEED_CBC",
    "AES128-GCM": "AES_128_GCM", "AES256-GCM": "AES_256_GCM", "AES128": "AES_128_CBC", "AES256": "AES_256_CBC",
    "CAMELLIA128": "CAMELLIA_128_CBC", "CAMELLIA256": "CAMELLIA_256_CBC",
}


def name(native):
    """The registered name of a suite, or OpenSSL's where it is none of a default offer."""
    prefix = next(prefix for prefix in _EXCHANGES if native.startswith(prefix))
    parts = re.fullmatch(r"(.+)-(SHA|SHA256|SHA384|MD5)", native[len(prefix):])
    if not parts or parts[1] not in _CIPHERS:
        return native
    return f"TLS_{_EXCHANGES[prefix]}_WITH_{_CIPHERS[parts[1]]}_{parts[2]}"
