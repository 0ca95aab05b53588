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

#: The names of results in each form whose reader is installed.
FORMS = [name for name, reader in (("1.jsonl", "grep"), ("1.jsonl.zst", "zstd"), ("1.sqlite", "sqlite3"))
         if shutil.which(reader)]


class ShardTests(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.list = self.folder / "list"

    def shard(self, index, count, *options, file=None, list=None, probe=PROBE):
        return subprocess.Popen(
            [HERE / "shard.sh", str(index), str(count), list or self.list, file or self.folder / str(index),
             "--backend", "nio", *options],
            env={**os.environ, "PROBE": probe}, stderr=subprocess.PIPE, text=True)

    def command(self, *lines):
        """Returns the path of a command that stands for `probe`."""
        path = self.folder / "command"
        path.write_text("\n".join(("#!/bin/sh", *lines, "")))
        path.chmod(0o755)
        return path

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

    def test_an_empty_file_is_begun(self):
        self.list.write_text("\n".join(targets(10)))
        for name in FORMS:
            with self.subTest(name):
                (self.folder / name).touch()
                self.assertEqual(self.ended(self.shard(1, 1, file=self.folder / name)), (0, ""))

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

    def test_a_run_that_fails_does_so_after_a_complete_one(self):
        self.list.write_text("127.0.0.1:1\n")
        killed = self.command("kill -KILL $$")
        for form in FORMS:
            file = self.folder / form
            self.assertEqual(self.ended(self.shard(1, 1, file=file)), (0, ""))
            for code, options, settings in (
                (128 + signal.SIGKILL, [], {"probe": killed}),
                (64, ["--no-such-option"], {}),
                (64, ["--min-tls", "1.3"], {}),
                (65, [], {"list": self.folder / "gone"}),
                (127, [], {"probe": "/nonexistent"}),
                # A command that does nothing, and says that all is well.
                (75, [], {"probe": "true"}),
            ):
                with self.subTest(form=form, code=code, options=options, **settings):
                    self.assertEqual(self.ended(self.shard(1, 1, *options, file=file, **settings))[0], code)
            with self.subTest(form=form):
                # Begun in the same second, perhaps, with the same counts: nothing is left to do.
                for _ in range(2):
                    self.assertEqual(self.ended(self.shard(1, 1, file=file)), (0, ""))

    def test_a_scan_that_is_killed_after_a_complete_one_fails_and_is_continued(self):
        # One address is asked once in ten minutes, so that the end comes before the third target.
        killed = self.command(f'echo $$ >"{self.folder}/pid"', f'exec "{PROBE}" "$@"')
        for form in FORMS:
            with self.subTest(form=form):
                file = self.folder / form
                self.list.write_text("127.0.0.1:1\n")
                self.assertEqual(self.ended(self.shard(1, 1, file=file)), (0, ""))
                self.list.write_text("".join(f"127.0.0.1:{port}\n" for port in (1, 2, 3)))
                before = self.sizes(file)
                process = self.shard(1, 1, "--spacing", "600", file=file, probe=killed)
                while self.sizes(file) == before:
                    self.assertIsNone(process.poll(), "it ended before its first result")
                    time.sleep(0.05)
                os.kill(int((self.folder / "pid").read_text()), signal.SIGKILL)
                self.assertEqual(self.ended(process)[0], 128 + signal.SIGKILL)
                self.assertEqual(self.ended(self.shard(1, 1, file=file)), (0, ""))

    def sizes(self, file):
        """The sizes of a file and, of a database, of the one beside it that has its newest lines."""
        return [path.stat().st_size for path in sorted(file.parent.glob(file.name + "*")) if path.suffix != ".sqlite-shm"]

    def test_an_older_manifest_is_not_a_new_one_when_the_end_after_it_was_cut_off(self):
        self.list.write_text("127.0.0.1:1\n")
        file = self.folder / "1"
        self.assertEqual(self.ended(self.shard(1, 1))[0], 0)
        whole = file.read_bytes()
        # Torn within a result, and a manifest that lacks its line break alone.
        for torn in (b'{"evidence":{"attempts":[', whole.splitlines()[-1]):
            file.write_bytes(whole + torn)
            killed = self.command(f'truncate -s {len(whole)} "{file}"', "kill -KILL $$")
            self.assertEqual(self.ended(self.shard(1, 1, probe=killed))[0], 128 + signal.SIGKILL)
            file.write_bytes(whole + torn)
            self.assertEqual(self.ended(self.shard(1, 1)), (0, ""))

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
