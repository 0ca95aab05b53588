"""The work on one partition: what runs on an executor. It needs no Spark."""

import os
import tempfile

import pyarrow as pa

from . import process, target
from .result import RESULT, error_result

#: The outcomes after which a target is asked again: nothing was learned of the server, or not enough.
RETRIED = frozenset({"unreachable", "handshake-failed", "dns-indeterminate", "local-overload", "internal-error"})

#: How many results are handed on at once: little enough for the first to come soon.
_ROWS = 512


class PartitionScan:
    """Judges the targets of a partition, each once, and asks again those that could not be asked.

    Args:
        program: the command.
        options: further arguments of `probe scan`.
        files: the names and bytes of files that the options name.
        retries: how often a target is asked again that could not be asked.
        rate: how many targets a second may begin here; None for no limit.
        keep: the columns of the input that the results repeat, with their Arrow types.
    """

    def __init__(self, program, options, files, retries, rate, keep):
        self.command = [program, "scan", *options, "--list", "-"]
        self.files, self.retries, self.rate, self.keep = files, retries, rate, keep

    @property
    def schema(self):
        """The columns of the results: those that are kept, then the result's own."""
        return pa.schema(list(self.keep) + list(RESULT))

    def __call__(self, batches):
        """Yields record batches of results for record batches of a column `target` and those that are kept."""
        rows = []
        for row in self._rows(batches):
            rows.append(row)
            if len(rows) == _ROWS:
                yield pa.RecordBatch.from_pylist(rows, schema=self.schema)
                rows = []
        yield pa.RecordBatch.from_pylist(rows, schema=self.schema)

    def _rows(self, batches):
        pace = process.Pace(self.rate)
        names = [field.name for field in self.keep]
        #: The list so far, and what belongs to each of its lines.
        texts, kept = [], []

        def read():
            for batch in batches:
                columns = [batch.column(name).to_pylist() for name in names]
                for index, text in enumerate(batch.column("target").to_pylist()):
                    text = target.line(text)
                    texts.append(text)
                    kept.append([column[index] for column in columns])
                    pace.wait(target.weight(text))
                    yield text

        def again(numbers):
            for number in numbers:
                pace.wait(target.weight(texts[number]))
                yield texts[number]

        with tempfile.TemporaryDirectory(prefix="probe-scan-") as folder:
            for name, content in self.files.items():
                with open(os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
                    file.write(content)
            lines, numbers = read(), None
            for attempt in range(self.retries + 1):
                failed = {}
                for results in _by_target(process.run(self.command, lines, folder, pace)):
                    place = results[0]["scan"]
                    number = place["line"] - 1 if numbers is None else numbers[place["line"] - 1]
                    # A range has one line for many targets, and is not asked again for one of them.
                    if (attempt < self.retries and target.weight(texts[number]) == 1
                            and any(result["outcome"] in RETRIED for result in results)):
                        failed[number] = True
                        continue
                    for result in results:
                        place = result["scan"] | {"line": None, "retry": attempt > 0}
                        yield dict(zip(names, kept[number])) | result | {"scan": place}
                if not failed:
                    break
                numbers = list(failed)
                lines = again(numbers)


def _by_target(results):
    """Yields the results of each target together; they come together."""
    together = []
    for result in results:
        if result["schema"] != "probe/1":
            result = error_result(result)
        together.append(result)
        if len(together) == result["scan"]["results"]:
            yield together
            together = []
