"""What `costs.py` calls worse, and what it writes.   python3 -m unittest Benchmarks/test_costs.py"""

import json
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).parent.resolve()
sys.path.insert(0, str(HERE))
import costs  # noqa: E402


def figure(median, low=None, high=None, group="scan", row="a", column="b"):
    return {"group": group, "row": row, "column": column, "median": median, "low": low or median, "high": high or median}


class CostsTests(unittest.TestCase):
    def test_a_figure_is_worse_beyond_the_recorded_range(self):
        recorded = figure(1.5, 1.4, 1.7)
        self.assertFalse(costs.is_worse(figure(1.79), recorded))
        self.assertTrue(costs.is_worse(figure(1.81), recorded))
        self.assertFalse(costs.is_worse(figure(0.2), recorded))

    def test_a_narrow_range_is_taken_for_five_percent(self):
        self.assertFalse(costs.is_worse(figure(2.09), figure(2.0)))
        self.assertTrue(costs.is_worse(figure(2.11), figure(2.0)))

    def test_only_the_same_figure_is_compared(self):
        known = [figure(1.0), figure(9.0, row="c")]
        new = [figure(2.0), figure(8.0, row="c"), figure(50, row="d"), figure(50, group="hash")]
        self.assertEqual([(new[0], known[0])], costs.worse(new, known))

    def test_groups_that_were_not_measured_stay(self):
        known = [figure(1.0), figure(3.0, group="hash")]
        self.assertEqual([known[1], figure(2.0)], costs.merged(known, [figure(2.0)]))

    def test_a_figure_that_was_not_measured_is_lost(self):
        known = [figure(1.0), figure(2.0, column="c"), figure(3.0, group="hash")]
        self.assertEqual([known[1]], costs.lost([figure(1.0)], known))
        self.assertEqual([], costs.lost([figure(5.0), figure(6.0, column="c")], known))

    def test_a_bench_that_breaks_has_no_figures(self):
        line = json.dumps({"row": "a", "column": "b", "ratio": 1.5})
        for code in (0, 1):
            broken = costs.Comparison("scan", ["sh", "-c", f"echo '{line}'; exit {code}"], 10)
            self.assertEqual({("a", "b"): (1.5, None)}, broken.ratios())
        for end in ("exit 2", "kill -9 $$"):
            broken = costs.Comparison("scan", ["sh", "-c", f"echo '{line}'; {end}"], 10)
            self.assertRaises(SystemExit, broken.ratios)
        for end in ("sys.exit('did 3999 of 4000 targets')", "raise ValueError"):
            bench = f"import sys, ending\ndef main():\n    print({line!r})\n    {end}\nending.run(main)"
            broken = costs.Comparison("scan", ["sh", "-c", 'exec "$@" 2> /dev/null', "sh", "env", f"PYTHONPATH={HERE}",
                                              sys.executable, "-c", bench], 10)
            self.assertRaises(SystemExit, broken.ratios)

    def test_a_script_that_can_not_measure_ends_with_2(self):
        scripts = [path for path in HERE.glob("*.py") if path.read_text().startswith("#!")]
        self.assertIn(HERE / "scanner.py", scripts)
        for script in scripts:
            with self.subTest(script=script.name):
                self.assertEqual(2, subprocess.run([script], capture_output=True, timeout=60).returncode)
        for script in ("compare.py", "met.py"):
            self.assertEqual(2, subprocess.run([HERE / script, "/bin/false"], capture_output=True, timeout=60).returncode)
        self.assertEqual(2, subprocess.run([HERE / "met.py", "/bin/true"], capture_output=True, timeout=60).returncode)

    def test_the_page_is_current(self):
        recorded = json.loads(costs.RECORDED.read_text())
        page = costs.PAGE.read_text()
        self.assertEqual(page, costs.written(page, recorded))
        for group in {comparison.group for comparison in costs.comparisons(HERE)}:
            self.assertIn(f"<!-- figures: {group} -->", page)

    def test_each_processor_has_its_table(self):
        mark = "<!-- figures: scan -->\n<!-- end -->"
        recorded = {
            "one": {"conditions": {"scan": "On one."}, "figures": [figure(1.0)]},
            "two": {"conditions": {}, "figures": [figure(2.0), figure(3.0, group="hash")]},
        }
        head = "| | b |\n|---|---|\n| a |"
        self.assertEqual(
            f"<!-- figures: scan -->\n{head} 1.00 |\n\nOn one.\n\n{head} 2.00 |\n<!-- end -->", costs.written(mark, recorded))
        self.assertEqual("<!-- figures: dns -->\n\n<!-- end -->", costs.written(mark.replace("scan", "dns"), recorded))

    def test_a_processor_is_named_with_its_units(self):
        text = "model name\t: AMD EPYC\nflags\t\t: fpu {}\nmodel name\t: AMD EPYC\n"
        self.assertEqual("AMD EPYC with SHA extensions and AVX-512", costs.processor(text.format("avx512f sha_ni")))
        self.assertEqual("AMD EPYC with SHA extensions", costs.processor(text.format("sha_ni avx2")))
        self.assertEqual("AMD EPYC", costs.processor(text.format("avx2")))

    def test_a_table_has_a_cell_for_each_figure(self):
        text = costs.table([figure(1.0, 0.9, 1.2), figure(2.0, row="c"), figure(30.4, row="c", column="d")])
        self.assertEqual("| | b | d |\n|---|---|---|\n| a | 1.00 (0.90 to 1.20) |  |\n| c | 2.00 | 30 |", text)


if __name__ == "__main__":
    unittest.main()
