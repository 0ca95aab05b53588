"""The name of a server as libcurl compares it with a certificate: its own rules, not BoringSSL's.

libcurl's function for this needs a connection. The one that it calls to compare two names does not, and is called here.
"""

import ctypes
import ipaddress

from shipped_curl.library import INT, POINTER

_COMMON_NAME, _ALTERNATIVE_NAMES = 13, 85
_DNS, _ADDRESS = 2, 7


def accepts(library, certificate, name):
    """Whether a certificate is for a name like "dns:good.test"."""
    kind, _, text = name.partition(":")
    wanted = _DNS if kind == "dns" else _ADDRESS
    alternatives = _alternatives(library, certificate)
    for form, value in alternatives:
        if form != wanted:
            continue
        if value == ipaddress.ip_address(text).packed if form == _ADDRESS else _is_same(library, value, text):
            return True
    # The common name counts where there is no other name of a server.
    return not alternatives and _is_same(library, _common_name(library, certificate), text)


def _is_same(library, pattern, text):
    if not pattern or b"\0" in pattern:
        return False
    return library.Curl_cert_hostcheck(pattern, len(pattern), text.encode(), len(text))


def _alternatives(library, certificate):
    """The DNS names and addresses; none where the extension can't be read, or is there twice."""
    names = library.X509_get_ext_d2i(certificate.pointer, _ALTERNATIVE_NAMES, None, None)
    library.ERR_clear_error()
    if not names:
        return []
    found, form = [], INT()
    for element in library.elements(names):
        value = library.GENERAL_NAME_get0_value(element, ctypes.byref(form))
        if form.value in (_DNS, _ADDRESS):
            found.append((form.value, library.string(value)))
    library.GENERAL_NAMES_free(names)
    return found


def _common_name(library, certificate):
    """The last one as UTF-8; None where there is none."""
    subject = library.X509_get_subject_name(certificate.pointer)
    last, following = -1, library.X509_NAME_get_index_by_NID(subject, _COMMON_NAME, -1)
    while following >= 0:
        last, following = following, library.X509_NAME_get_index_by_NID(subject, _COMMON_NAME, following)
    if last < 0:
        return None
    value = library.X509_NAME_ENTRY_get_data(library.X509_NAME_get_entry(subject, last))
    memory = POINTER()
    count = library.ASN1_STRING_to_UTF8(ctypes.byref(memory), value)
    library.ERR_clear_error()
    if count < 0:
        return None
    try:
        return ctypes.string_at(memory, count)
    finally:
        library.OPENSSL_free(memory)
