"""One run of `probe scan`: lines in as they come, results out as they end."""

import json
import subprocess
import tempfile
import threading
import time

#: How much of what the command says of itself an error repeats.
_SAID = 2000


class ScanFailed(RuntimeError):
    """A scan that did not come to its end. Nothing of it counts: the stage asks for the whole partition again."""


class Pace:
    """Lets so many targets a second begin, and never makes up for time that was lost.

    Args:
        rate: the targets a second; None for no limit.
        clock: the time in seconds.
        sleep: waits so many seconds; by default until `stop` at most.
    """

    def __init__(self, rate, clock=time.monotonic, sleep=None):
        self._interval = 1 / rate if rate else 0
        self._stopped = threading.Event()
        self._clock, self._sleep = clock, sleep or self._stopped.wait
        self._next = clock()

    def stop(self):
        """Ends every wait: what would begin is not wanted."""
        self._stopped.set()

    def wait(self, weight=1):
        """Waits until a line that names so many targets may begin."""
        if not self._interval:
            return
        now = self._clock()
        if now < self._next:
            self._sleep(self._next - now)
        self._next = max(now, self._next) + self._interval * weight


def run(command, lines, folder, pace=None):
    """Yields the objects that a scan writes, its manifest not among them.

    The list is read while results are: neither is held. What the caller does not take ends the scan.

    Args:
        command: the program and its arguments.
        lines: the lines of the list; they are taken from a thread of their own.
        folder: the folder in which file names of arguments are looked up.
        pace: the pace that the lines wait for, which a scan that ends before its list stops.
    Raises:
        ScanFailed: the program could not be started, or did not answer for every line.
    """
    with tempfile.TemporaryFile() as said:
        try:
            process = subprocess.Popen(
                command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said)
        except OSError as error:
            raise ScanFailed(
                f"'{command[0]}' can't be run on this executor: {error.strerror}; "
                "install it there, or name its path with program=") from error
        feeder = _Feeder(process.stdin, lines)
        feeder.start()
        manifest = None
        try:
            for text in process.stdout:
                result = json.loads(text)
                if result["schema"] == "probe-scan/1":
                    manifest = result
                else:
                    yield result
            code = process.wait()
        finally:
            feeder.stop()
            if pace and not (manifest and manifest["complete"]):
                pace.stop()
            process.terminate()
            process.stdout.close()
            process.wait()
            feeder.join()
        if feeder.error:
            raise feeder.error
        if not (manifest and manifest["complete"]):
            said.seek(0)
            words = said.read(_SAID).decode("utf-8", "replace").strip()
            raise ScanFailed(f"'{command[0]} scan' ended with {code} before its list did: {words}")


class _Feeder(threading.Thread):
    """Writes the list to the command. It has a thread, since the command may wait for its output to be read."""

    def __init__(self, pipe, lines):
        super().__init__(daemon=True)
        self._pipe, self._lines, self._stopped = pipe, lines, threading.Event()
        self.error = None

    def stop(self):
        self._stopped.set()

    def run(self):
        try:
            for line in self._lines:
                if self._stopped.is_set():
                    break
                self._pipe.write(line.encode() + b"\n")
                self._pipe.flush()
        except BrokenPipeError:
            # The command ended before its list; its exit code and its words tell why.
            pass
        except BaseException as error:  # what the list's source raises belongs to the reader
            self.error = error
        finally:
            try:
                self._pipe.close()
            except BrokenPipeError:
                pass
