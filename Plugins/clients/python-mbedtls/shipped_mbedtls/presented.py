"""What a server sent in the clear, which up to TLS 1.2 is its whole chain: the library hands out a readable leaf alone."""

import ctypes

from shipped_mbedtls.library import beside

_FIELDS = [
    "version", "suite", "curve", "alert", "chain_too_long", "chain_is_under_way", "certificate_requested",
    "certificate_count",
]


class Presented(ctypes.Structure):
    """The facts so far; presented.c has the same fields in the same order."""

    _fields_ = [(name, ctypes.c_int) for name in _FIELDS]

    @property
    def chain(self):
        """The certificates in DER, as they were sent."""
        size, chain = ctypes.c_size_t(), []
        for index in range(self.certificate_count):
            data = beside.presented_certificate(index, ctypes.byref(size))
            chain.append(ctypes.string_at(data, size.value))
        return chain


def feed(data):
    """Reads along the next bytes of the server."""
    beside.presented_feed(data, len(data))


def facts():
    """A `Presented` of what was fed."""
    result = Presented()
    beside.presented_facts(ctypes.byref(result))
    return result


beside.presented_feed.argtypes, beside.presented_feed.restype = [ctypes.c_char_p, ctypes.c_size_t], None
beside.presented_facts.argtypes, beside.presented_facts.restype = [ctypes.POINTER(Presented)], None
beside.presented_certificate.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_size_t)]
beside.presented_certificate.restype = ctypes.c_void_p
