import sys
import threading
import unittest

from probekit_spark.process import Pace, ScanFailed, run

MANIFEST = 'print(\'{"schema":"probe-scan/1","complete":true}\', flush=True)'
RESULT = 'print(\'{"schema":"probe/1"}\', flush=True)'


def script(*statements):
    """A program that does as the test wants, since no real scan ends like that on request."""
    return [sys.executable, "-c", "import os, sys, time\n" + "\n".join(statements)]


class ProcessTests(unittest.TestCase):
    def test_results_come_while_the_list_is_open(self):
        first = threading.Event()

        def lines():
            yield "a"
            self.assertTrue(first.wait(60), "the first result has to come before the second line")
            yield "b"

        results = []
        for result in run(script(f"for line in sys.stdin: {RESULT}", MANIFEST), lines(), "."):
            results.append(result)
            first.set()
        self.assertEqual(len(results), 2)

    def test_a_scan_that_is_killed_fails(self):
        with self.assertRaisesRegex(ScanFailed, "ended with -9"):
            list(run(script(RESULT, "os.kill(os.getpid(), 9)"), ["a"], "."))

    def test_a_scan_that_is_not_complete_fails_with_its_words(self):
        incomplete = MANIFEST.replace("true", "false")
        with self.assertRaisesRegex(ScanFailed, "no such option"):
            list(run(script("print('no such option', file=sys.stderr)", incomplete), ["a"], "."))
        with self.assertRaises(ScanFailed):
            list(run(script(RESULT), ["a"], "."))

    def test_a_scan_may_end_before_its_list_is_read(self):
        with self.assertRaises(ScanFailed):
            list(run(script("sys.stdin.close()", "sys.exit(64)"), ("a" * 1000 for _ in range(10_000)), "."))

    def test_a_missing_program_is_named(self):
        with self.assertRaisesRegex(ScanFailed, "'/none/probe' can't be run on this executor: No such file"):
            list(run(["/none/probe"], ["a"], "."))

    def test_what_the_list_raises_is_raised(self):
        def lines():
            yield "a"
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            list(run(script("for line in sys.stdin: pass", MANIFEST), lines(), "."))

    def test_who_stops_reading_ends_the_scan(self):
        endless = run(script(f"while True: {RESULT}"), iter(["a"]), ".")
        next(endless)
        endless.close()  # waits for the process, and for the thread that feeds it


    def test_a_scan_that_fails_does_not_wait_for_the_pace(self):
        pace = Pace(1 / 3600)

        def lines():
            for line in "ab":
                pace.wait()
                yield line

        with self.assertRaises(ScanFailed):
            list(run(script("sys.exit(64)"), lines(), ".", pace))


class PaceTests(unittest.TestCase):
    def setUp(self):
        self.now, self.slept = 0.0, []

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds

    def pace(self, rate):
        return Pace(rate, clock=lambda: self.now, sleep=self.sleep)

    def test_so_many_begin_in_a_second(self):
        pace = self.pace(10)
        for _ in range(11):
            pace.wait()
        self.assertAlmostEqual(self.now, 1)

    def test_lost_time_is_not_made_up_for(self):
        pace = self.pace(10)
        pace.wait()
        self.now = 100
        pace.wait()
        pace.wait()
        self.assertAlmostEqual(sum(self.slept), 0.1)

    def test_a_range_takes_the_time_of_its_addresses(self):
        pace = self.pace(10)
        pace.wait(256)
        pace.wait()
        self.assertAlmostEqual(self.now, 25.6)

    def test_without_a_rate_nothing_waits(self):
        pace = self.pace(None)
        pace.wait()
        self.assertEqual(self.slept, [])
