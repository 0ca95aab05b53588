import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from .command import HERE, PROBE, results, targets


class ShardTests(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.list = self.folder / "list"

    def shard(self, index, count, *options, file=None, **settings):
        return subprocess.Popen(
            [HERE / "shard.sh", str(index), str(count), self.list, file or self.folder / str(index), "--backend", "nio",
             *options],
            env={**os.environ, "PROBE": PROBE}, stderr=subprocess.PIPE, text=True, **settings)

    def ended(self, process):
        words = process.communicate()[1]
        return process.returncode, words

    def test_the_parts_are_the_list(self):
        self.list.write_text("\n".join(targets(40)))
        for index in (1, 2, 3):
            self.assertEqual(self.ended(self.shard(index, 3)), (0, ""))
        found, complete = results(self.folder / str(index) for index in (1, 2, 3))
        self.assertEqual(found, sorted(targets(40)))
        self.assertTrue(complete)

    @unittest.skipUnless(shutil.which("zstd"), "zstd is not installed")
    def test_packed_results_are_complete_too(self):
        self.list.write_text("\n".join(targets(10)))
        packed = self.folder / "1.jsonl.zst"
        for _ in range(2):
            self.assertEqual(self.ended(self.shard(1, 1, file=packed)), (0, ""))
        plain = self.folder / "plain"
        plain.write_bytes(subprocess.run(["zstd", "-dcq", packed], check=True, stdout=subprocess.PIPE).stdout)
        self.assertEqual(results([plain]), (sorted(targets(10)), True))

    @unittest.skipUnless(shutil.which("sqlite3"), "sqlite3 is not installed")
    def test_a_database_is_complete_too(self):
        self.list.write_text("\n".join(targets(10)))
        file = self.folder / "1.sqlite"
        for _ in range(2):
            self.assertEqual(self.ended(self.shard(1, 1, file=file)), (0, ""))
        with sqlite3.connect(file) as database:
            found = [row[0] for row in database.execute("SELECT target FROM results ORDER BY target")]
        self.assertEqual(found, sorted(targets(10)))

    def test_a_bad_line_is_no_failure_of_the_part(self):
        self.list.write_text("two words\n127.0.0.1:1\n")
        self.assertEqual(self.ended(self.shard(1, 1))[0], 0)

    def test_a_bad_option_is_a_failure(self):
        self.list.write_text("127.0.0.1:1\n")
        code, words = self.ended(self.shard(1, 1, "--no-such-option"))
        self.assertEqual(code, 64)
        self.assertIn("no-such-option", words)

    def test_a_missing_list_is_a_failure(self):
        self.assertNotIn(self.ended(self.shard(1, 1))[0], (0,))

    def test_what_is_ended_goes_on_where_it_was(self):
        # One address is asked once in ten minutes, so that the end comes before the second target.
        self.list.write_text("".join(f"127.0.0.1:{port}\n" for port in (1, 2, 3)))
        process = self.shard(1, 1, "--spacing", "600")
        file = self.folder / "1"
        while not (file.exists() and file.stat().st_size):
            self.assertIsNone(process.poll(), "it ended before its first result")
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        self.assertNotEqual(self.ended(process)[0], 0)
        self.assertEqual(self.ended(self.shard(1, 1))[0], 0)
        found, complete = results([file])
        self.assertEqual(found, [f"127.0.0.1:{port}" for port in (1, 2, 3)])
        self.assertTrue(complete)
