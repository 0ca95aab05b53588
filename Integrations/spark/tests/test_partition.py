import json
import unittest

import pyarrow as pa

from probekit_spark.partition import PartitionScan

from .bench import Nginx, free_port, program


def scan(targets, retries=0, options=(), keep=None, files={}):
    keep = keep or {}
    fields = [pa.field(name, values.type) for name, values in keep.items()]
    batch = pa.RecordBatch.from_arrays([pa.array(targets, pa.string()), *keep.values()], ["target", *keep])
    batches = PartitionScan(program(), ["--backend", "nio", *options], files, retries, None, fields)([batch])
    return [row for part in batches for row in part.to_pylist()]


class PartitionTests(unittest.TestCase):
    def test_every_target_has_its_result_and_its_row(self):
        with Nginx() as nginx:
            at = f"127.0.0.1:{nginx.port}"
            targets = [f"{at},a.spark.test", None, "# nothing", "two\nwords", f"127.0.0.1/32:{nginx.port},b.spark.test",
                       json.dumps({"target": "c.spark.test", "connect": at, "service": "c"}), f"{at},d.other.test"]
            rows = scan(targets, options=["--ca", "ca.pem"], files={"ca.pem": nginx.ca.read_bytes()},
                        keep={"row": pa.array(range(len(targets)))})
        outcomes = {row["row"]: row["outcome"] for row in rows}
        self.assertEqual(
            outcomes, {0: "pass", 3: "usage-error", 4: "pass", 5: "pass", 6: "trust-failed"}, rows)
        self.assertEqual(len(rows), 5)
        self.assertEqual([row["service"] for row in rows if row["row"] == 5], ["c"])
        self.assertTrue(all(row["scan"]["retry"] is False for row in rows))

    def test_what_could_not_be_asked_is_asked_again_and_counts_once(self):
        with Nginx() as nginx:
            closed = [f"127.0.0.1:{free_port()}", f"127.0.0.1:{nginx.port},a.spark.test"]
            rows = scan(closed, retries=2, keep={"row": pa.array([7, 8])}, options=["--ca", "ca.pem"],
                        files={"ca.pem": nginx.ca.read_bytes()})
        self.assertEqual(sorted((row["row"], row["outcome"], row["scan"]["retry"]) for row in rows),
                         [(7, "unreachable", True), (8, "pass", False)])

    def test_a_range_is_asked_once(self):
        rows = scan([f"127.0.0.0/30:{free_port()}"], retries=2)
        self.assertEqual([row["outcome"] for row in rows], ["unreachable"] * 4)
        self.assertFalse(any(row["scan"]["retry"] for row in rows))
        rows = scan([f"[::/127]:{free_port()}", f"127.0.0.0/31 , a.spark.test:{free_port()}"], retries=2)
        self.assertEqual(len(rows), 4)
        self.assertFalse(any(row["scan"]["retry"] for row in rows))

    def test_nothing_to_do_is_no_fault(self):
        self.assertEqual(scan([]), [])
