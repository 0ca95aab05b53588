"""A connection after the handshake: BoringSSL's SSL is taken out of libcurl's hands, and reads and writes memory.

libcurl itself reads nothing more, and closes a connection that it has only made without close_notify.
"""

import ctypes
import time

from probe_plugin.peer import Failure, Peer

_PIECE = 16384
_HEADER = 5
# How long a refusal is waited for, in seconds.
_PATIENCE = 1
_REFUSALS = {"connection-closed", "connection-reset"}


class PatientPeer(Peer):
    """A peer that can be waited for for a second, or until the deadline where that is earlier."""

    def receive_soon(self, since):
        """The next bytes, unless a second has passed."""
        deadline = self._deadline
        self._deadline = _Second(deadline, since + _PATIENCE)
        try:
            return self.receive()
        finally:
            self._deadline = deadline


class _Second:
    def __init__(self, deadline, end):
        self._deadline, self._end = deadline, end

    @property
    def left(self):
        """How many seconds are left; raises TimeoutError when there are none."""
        seconds = min(self._deadline.left, self._end - time.monotonic())
        if seconds <= 0:
            raise TimeoutError("the second is over")
        return seconds


class Afterwards:
    """What follows a complete handshake."""

    def __init__(self, library, observer, untouched):
        self._library, self._observer, self._came = library, observer, untouched
        self._incoming = library.BIO_new(library.BIO_s_mem())
        self._outgoing = library.BIO_new(library.BIO_s_mem())
        library.SSL_set_bio(observer.ssl, self._incoming, self._outgoing)  # They are the SSL's now.

    def hear_refusal(self, peer):
        """Waits for the server's first record, and raises if that, or the end of the connection, is a refusal."""
        since = time.monotonic()
        try:
            while len(self._came) < _HEADER + int.from_bytes(self._came[3:_HEADER], "big"):
                self._came += peer.receive_soon(since)
        except Failure as failure:
            if failure.report["code"] in _REFUSALS:
                failure.report["message"] = "the peer ended the connection after the handshake"
                failure.report["afterHandshake"] = True
                raise
            return  # Silence is no refusal.
        self._library.BIO_write(self._incoming, self._came, len(self._came))
        self._library.SSL_read(self._observer.ssl, ctypes.create_string_buffer(1), 1)
        if self._observer.alert is not None:
            failure = self._observer.failure()
            failure.report["afterHandshake"] = True
            raise failure

    def say_goodbye(self, peer):
        """Sends close_notify."""
        self._library.SSL_shutdown(self._observer.ssl)
        self._library.ERR_clear_error()
        buffer = ctypes.create_string_buffer(_PIECE)
        count = self._library.BIO_read(self._outgoing, buffer, _PIECE)
        try:
            peer.send(buffer.raw[:max(count, 0)])
        except Failure:
            pass
