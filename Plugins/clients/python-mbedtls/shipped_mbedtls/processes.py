"""The program protocol with a process for each request.

The package holds Python's lock while Mbed TLS works, and a chain may be made so that Mbed TLS works on it for minutes: a
thread could neither be ended at its deadline nor leave the others their time. A process can, and a crash costs one request.
"""

import collections
import json
import os
import select
import signal
import sys
import time

from probe_plugin.program import LONGEST_LINE, Deadline

PROCESSES = 64
# How long the process of a request may live beyond its deadline, in seconds.
_GRACE = 0.3


class Server:
    """Reads requests and writes replies, each a line; it never works itself, and has no thread."""

    def __init__(self, hello, handlers):
        self._hello = hello
        self._handlers = handlers
        self._begun, self._size = [], 0
        # Whole lines that wait for a process, with the time they came: a deadline does not wait.
        self._lines = collections.deque()
        # By the end of a pipe that a process writes its reply to: the process, the request's id and type, and what came.
        self._running = {}

    def serve(self):
        """Answers requests until the input ends."""
        is_open = True
        while is_open:
            while self._lines and len(self._running) < PROCESSES:
                self._begin(*self._lines.popleft())
            ready, _, _ = select.select(([] if self._lines else [0]) + list(self._running), [], [])
            for pipe in ready:
                if pipe == 0:
                    is_open = self._read()
                else:
                    self._collect(pipe)
        for process, *_ in self._running.values():
            os.kill(process, signal.SIGKILL)  # Nobody waits any more for what is still under way.

    def _read(self):
        piece = os.read(0, 1 << 16)
        first, *lines = piece.split(b"\n")
        self._keep(first)
        for line in lines:
            if self._size <= LONGEST_LINE:
                self._lines.append((b"".join(self._begun), time.monotonic()))
            self._begun, self._size = [], 0
            self._keep(line)
        return bool(piece)

    def _keep(self, piece):
        """Keeps a part of a line, unless the line is too long, which is then passed over."""
        self._size += len(piece)
        if self._size <= LONGEST_LINE:
            self._begun.append(piece)
        else:
            self._begun = []

    def _begin(self, line, arrival):
        try:
            request = json.loads(line)
            number, what, seconds = request["id"], request["type"], float(request.get("deadline", 0))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            print("a request that can't be read", file=sys.stderr, flush=True)
            return
        if what == "hello":
            _write({"id": number, **self._hello})
        elif not isinstance(what, str) or what not in self._handlers:
            _write(_error(number, f"there is no request '{what}' here"))
        else:
            self._start(number, request, Deadline(arrival - time.monotonic() + seconds))

    def _start(self, number, request, deadline):
        reading, writing = os.pipe()
        try:
            process = os.fork()
        except OSError as error:
            os.close(reading)
            os.close(writing)
            _write(_error(number, f"no process could be started for this request: {error.strerror}"))
            return
        if process == 0:
            _answer(self._handlers[request["type"]], request, deadline, writing)
        os.close(writing)
        self._running[reading] = (process, number, request["type"], bytearray())

    def _collect(self, pipe):
        process, number, what, reply = self._running[pipe]
        if piece := os.read(pipe, 1 << 16):
            reply += piece
            return
        os.close(pipe)
        del self._running[pipe]
        _, status = os.waitpid(process, 0)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
            _write(_late(number, what))
        elif status != 0:
            _write(_error(number, f"the process of this request ended with the wait status {status}"))
        else:
            sys.stdout.buffer.write(reply)
            sys.stdout.buffer.flush()


def _answer(work, request, deadline, pipe):
    """The life of a request's process, which ends here; the timer ends it in the midst of the library too."""
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, max(deadline.end + _GRACE - time.monotonic(), 0.01))
        try:
            reply = {"id": request["id"], "type": request["type"], **work(request, deadline)}
        except Exception as error:
            reply = _error(request["id"], f"{type(error).__name__}: {error}")
        signal.setitimer(signal.ITIMER_REAL, 0)  # A reply that is there is written to its end.
        with os.fdopen(pipe, "wb") as writing:
            writing.write(json.dumps(reply).encode() + b"\n")
        os._exit(0)
    finally:
        os._exit(1)  # Whatever it is: this process must not go on as if it were the server.


def _late(number, what):
    """The reply for a process that its timer ended; of a handshake that says nothing about the peer."""
    message = "the library did not come to an end within the deadline"
    if what != "handshake":
        return _error(number, message)
    return {"id": number, "type": what, "report": {"failure": {"code": "local-overload", "message": message}}}


def _error(number, message):
    return {"id": number, "type": "error", "message": message}


def _write(message):
    sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
    sys.stdout.buffer.flush()
