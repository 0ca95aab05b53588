"""One connection of libcurl, over one end of a pair of sockets: the other end, and all bytes on the wire, are ours."""

import ctypes
import socket

from shipped_curl.library import CLOSE_CALLBACK, CONTEXT_CALLBACK, INT, OPEN_CALLBACK, OPENED_CALLBACK, POINTER

# Options by libcurl's numbers (curl.h).
_VERSION, _VERIFY_PEER, _VERIFY_HOST, _NO_SIGNAL, _CONNECT_ONLY = 32, 64, 81, 99, 141
_ENABLE_ALPN, _ENABLE_ALPS = 226, 1002
_URL, _PROXY, _ERROR_BUFFER, _CA_FILE, _CA_FOLDER, _CONNECT_TO = 10002, 10004, 10010, 10065, 10097, 10243
_ECH = 10325
_CONTEXT_FUNCTION, _OPENED_FUNCTION, _OPEN_FUNCTION, _CLOSE_FUNCTION = 20108, 20148, 20163, 20208
_VERSIONS = {"1.0": 4, "1.1": 5, "1.2": 6, "1.3": 7}
_ALREADY_CONNECTED, _NO_SOCKET = 2, -1
_PIECE = 65536
# libcurl resolves nothing and dials nobody, so this address is never used.
_NOBODY = b"::127.0.0.1:443"


class _Message(ctypes.Structure):
    _fields_ = [("what", INT), ("easy", POINTER), ("result", INT)]


class Transfer:
    """An easy handle in a multi handle of its own, so that no session or connection is shared."""

    def __init__(self, library, browser, host, versions, has_http2, prepare):
        """`prepare` gets the SSL_CTX before libcurl makes a connection of it."""
        self._library = library
        self._theirs, self._ours = socket.socketpair()
        self._ours.setblocking(False)
        self._is_open = False
        self._error = ctypes.create_string_buffer(256)
        # Kept while libcurl has them. The sockets are closed here.
        self._callbacks = {
            _OPEN_FUNCTION: OPEN_CALLBACK(lambda *_: self._open()),
            _OPENED_FUNCTION: OPENED_CALLBACK(lambda *_: _ALREADY_CONNECTED),
            _CLOSE_FUNCTION: CLOSE_CALLBACK(lambda *_: 0),
            _CONTEXT_FUNCTION: CONTEXT_CALLBACK(lambda _, context, __: prepare(context)),
        }
        self._route = library.curl_slist_append(None, _NOBODY)
        self._multi, self._easy = library.curl_multi_init(), library.curl_easy_init()
        if library.curl_easy_impersonate(self._easy, browser.impersonation.encode(), 0):
            self.close()
            raise ValueError(f"libcurl knows no browser {browser.impersonation}")
        oldest, newest = (_VERSIONS[version] for version in versions)
        address = f"[{host}]" if ":" in host else host
        options = {
            _URL: f"https://{address}/".encode(), _PROXY: b"", _CONNECT_TO: self._route, _ERROR_BUFFER: self._error,
            _CONNECT_ONLY: 1, _NO_SIGNAL: 1, _VERSION: oldest | newest << 16,
            # Trust is decided on what the connection shows.
            _VERIFY_PEER: 0, _VERIFY_HOST: 0, _CA_FILE: None, _CA_FOLDER: None,
            # libcurl would begin HTTP/2 when it has agreed on it: the offer is made by the observer.
            _ENABLE_ALPN: 0,
        } | self._callbacks
        if not has_http2:
            options[_ENABLE_ALPS] = 0  # The browser's settings for it make no sense alone.
        if browser.sends_ech:
            options[_ECH] = b"grease"  # libcurl would ask the system's DNS servers for a configuration.
        refused = [option for option, value in options.items() if not library.set_option(self._easy, option, value)]
        if refused:
            self.close()
            raise ValueError(f"libcurl does not take the options {refused}")
        library.curl_multi_add_handle(self._multi, self._easy)

    def close(self):
        library = self._library
        library.curl_multi_remove_handle(self._multi, self._easy)
        library.curl_easy_cleanup(self._easy)
        library.curl_multi_cleanup(self._multi)
        library.curl_slist_free_all(self._route)
        self._theirs.close()
        self._ours.close()

    def _open(self):
        """libcurl gets the socket once: it must not begin a second connection."""
        if self._is_open:
            return _NO_SOCKET
        self._is_open = True
        return self._theirs.fileno()

    def step(self):
        """Lets libcurl go on as far as it can; its result once it has one."""
        count = INT()
        self._library.curl_multi_perform(self._multi, ctypes.byref(count))
        message = self._library.curl_multi_info_read(self._multi, ctypes.byref(count))
        return _Message.from_address(message).result if message else None

    @property
    def error(self):
        """libcurl's sentence about its result."""
        return self._error.value.decode(errors="replace")

    def take(self):
        """What libcurl has sent since the last time."""
        return _drained(self._ours)

    def give(self, piece):
        """Hands libcurl what the peer sent: at most 64 KiB, which fit, since a step reads all."""
        self._ours.sendall(piece)

    def untouched(self):
        """What libcurl has been given and has not read."""
        self._theirs.setblocking(False)
        return _drained(self._theirs)


def _drained(end):
    pieces = []
    try:
        while piece := end.recv(_PIECE):
            pieces.append(piece)
    except OSError:
        pass  # There is nothing more.
    return b"".join(pieces)
