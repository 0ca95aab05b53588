"""The program protocol: requests come in a line each, every one is answered by a thread of its own."""

import concurrent.futures
import json
import os
import sys
import threading
import time

# The longest line that is read, in bytes: a hostile chain of the largest size in base64, and the system's anchors.
LONGEST_LINE = 16 << 20
THREADS = 64

_lock = threading.Lock()


def _send(message):
    line = json.dumps(message) + "\n"
    with _lock:
        sys.stdout.write(line)
        sys.stdout.flush()


class Deadline:
    """When a request has to be answered, on a clock that only goes forward."""

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    @property
    def left(self):
        """How many seconds are left; raises TimeoutError when there are none."""
        seconds = self.end - time.monotonic()
        if seconds <= 0:
            raise TimeoutError("the deadline passed")
        return seconds


def _answer(work, request, deadline):
    identity = {"id": request["id"], "type": request["type"]}
    try:
        _send({**identity, **work(request, deadline)})
    except Exception as error:  # What goes wrong with one request costs that request alone.
        _send({"id": request["id"], "type": "error", "message": f"{type(error).__name__}: {error}"})


def serve(kind, name, library, version, capabilities, handlers):
    """Answers requests until the input ends."""
    pool = concurrent.futures.ThreadPoolExecutor(THREADS)
    while line := sys.stdin.readline(LONGEST_LINE):
        try:
            request = json.loads(line)
            number, what = request["id"], request["type"]
        except (ValueError, KeyError, TypeError, RecursionError):
            print("a request that can't be read", file=sys.stderr)
            continue
        if what == "hello":
            _send({
                "id": number, "type": "hello", "protocol": 1, "kind": kind, "name": name, "library": library,
                "version": version, "capabilities": capabilities,
            })
        elif what in handlers:
            pool.submit(_answer, handlers[what], request, Deadline(request.get("deadline", 0)))
        else:
            _send({"id": number, "type": "error", "message": f"there is no request '{what}' here"})
    # Nobody waits any more for what is still under way.
    os._exit(0)
