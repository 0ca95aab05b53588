"""The program protocol with a process for each request.

The package holds Python's lock while Mbed TLS works, and a chain may be made so that Mbed TLS works on it for minutes: a
thread could neither be ended at its deadline nor leave the others their time. A process can, and a crash costs one request.
"""

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
        self._input = b""
        self._is_passing_over = False
        # By the end of a pipe that a process writes its reply to: the process, the request's id and what came.
        self._running = {}

    def serve(self):
        """Answers requests until the input ends."""
        while True:
            wanted = [0] if len(self._running) < PROCESSES else []
            ready, _, _ = select.select(wanted + list(self._running), [], [])
            for pipe in ready:
                if pipe != 0:
                    self._collect(pipe)
                elif not self._read():
                    break
            else:
                continue
            break
        for process, _, _ in self._running.values():
            os.kill(process, signal.SIGKILL)  # Nobody waits any more for what is still under way.

    def _read(self):
        piece = os.read(0, 1 << 16)
        self._input += piece
        arrival = time.monotonic()
        *lines, self._input = self._input.split(b"\n")
        for line in lines:
            if not self._is_passing_over:
                self._begin(line, arrival)
            self._is_passing_over = False
        if len(self._input) > LONGEST_LINE:
            self._input, self._is_passing_over = b"", True
        return bool(piece)

    def _begin(self, line, arrival):
        try:
            request = json.loads(line)
            number, what = request["id"], request["type"]
            deadline = Deadline(float(request.get("deadline", 0)))
        except (ValueError, KeyError, TypeError, RecursionError):
            print("a request that can't be read", file=sys.stderr, flush=True)
            return
        if what == "hello":
            _write(json.dumps({"id": number, **self._hello}).encode() + b"\n")
        elif what not in self._handlers:
            _write(_error(number, f"there is no request '{what}' here"))
        else:
            self._start(number, request, deadline)

    def _start(self, number, request, deadline):
        reading, writing = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(reading)
            _answer(self._handlers[request["type"]], request, deadline, writing)
        os.close(writing)
        self._running[reading] = (process, number, bytearray())

    def _collect(self, pipe):
        process, number, reply = self._running[pipe]
        if piece := os.read(pipe, 1 << 16):
            reply += piece
            return
        os.close(pipe)
        del self._running[pipe]
        _, status = os.waitpid(process, 0)
        if reply.endswith(b"\n"):
            _write(reply)
        elif os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
            _write(_error(number, "the library did not come to an end within the deadline"))
        else:
            _write(_error(number, f"the process of this request ended with the wait status {status}"))


def _answer(work, request, deadline, pipe):
    """The life of a request's process, which ends here; the timer ends it in the midst of the library too."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, max(deadline.end + _GRACE - time.monotonic(), 0.01))
    number = request["id"]
    try:
        reply = json.dumps({"id": number, "type": request["type"], **work(request, deadline)}).encode() + b"\n"
    except BaseException as error:  # Whatever it is, this process must not go on as if it were the server.
        reply = _error(number, f"{type(error).__name__}: {error}")
    signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        with os.fdopen(pipe, "wb") as writing:
            writing.write(reply)
    finally:
        os._exit(0)


def _error(number, message):
    return json.dumps({"id": number, "type": "error", "message": message}).encode() + b"\n"


def _write(line):
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
