"""The stage on a real cluster: two workers, each an executor in a process of its own."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

try:
    from pyspark.sql import SparkSession
except ImportError:
    SparkSession = None

from .bench import Nginx, program

TARGETS = int(os.environ.get("TARGETS", 2000))


@unittest.skipIf(SparkSession is None, "pyspark is not installed: make integrations installs it")
class ScanTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.nginx = Nginx().__enter__()
        # Read by Spark's own scripts, in the workers too: nothing listens beyond loopback.
        os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_HOSTNAME": "localhost"}
        cls.spark = (
            SparkSession.builder.master("local-cluster[2,1,1024]").appName("probekit-spark")
            .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
            .config("spark.log.level", "ERROR").config("spark.executorEnv.PYTHONPATH", os.pathsep.join(sys.path))
            .getOrCreate())

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()
        cls.nginx.__exit__()

    def scan(self, frame, options=(), **arguments):
        from probekit_spark import probe_scan

        options = ["--backend", "nio", "--ca", "ca.pem", *options]
        return probe_scan(frame, options, program=program(), files=[self.nginx.ca], **arguments)

    def targets(self, count):
        """Targets on all of the servers in turn, each with a name of its own."""
        address = f"concat('127.0.0.', id % {len(Nginx.ADDRESSES)} + 1, ':{self.nginx.port},n', id, '.spark.test')"
        return self.spark.range(count).selectExpr("id", f"{address} as target")

    def test_a_lost_executor_costs_its_partitions_and_nothing_else(self):
        tracker = self.spark.sparkContext.statusTracker()
        lost, done = [], threading.Event()

        def lose_one():
            while not done.wait(0.05):
                stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
                busy = [stage for stage in stages if stage and stage.numTasks == 16
                        and stage.numCompletedTasks >= 3 and stage.numActiveTasks >= 2]
                if busy and not lost:
                    found = subprocess.run(
                        ["pgrep", "-f", f"CoarseGrainedExecutorBackend.*{self.spark.sparkContext.applicationId}"],
                        capture_output=True, text=True).stdout.split()
                    if found:
                        lost.append(int(found[0]))
                        os.kill(lost[0], signal.SIGKILL)

        thread = threading.Thread(target=lose_one)
        thread.start()
        with tempfile.TemporaryDirectory() as folder:
            try:
                self.scan(self.targets(TARGETS), keep=["id"], partitions=16).write.parquet(f"{folder}/results")
            finally:
                done.set()
                thread.join()
            results = self.spark.read.parquet(f"{folder}/results")
            self.assertEqual(results.count(), TARGETS)
            self.assertEqual(results.select("id").distinct().count(), TARGETS)
            self.assertEqual(
                {row["outcome"]: row["count"] for row in results.groupBy("outcome").count().collect()},
                {"pass": TARGETS})
        self.assertEqual(len(lost), 1, "no executor was lost")

    def test_a_server_belongs_to_one_partition(self):
        from pyspark.sql import functions as F

        results = self.scan(self.targets(256), partitions=8).select(
            F.split("target", ":")[0].alias("name"), "evidence.tls.address", F.spark_partition_id().alias("partition"))
        by_address = {}
        for row in results.collect():
            by_address.setdefault(row["address"], set()).add(row["partition"])
        self.assertEqual(len(by_address), len(Nginx.ADDRESSES))
        self.assertEqual({len(partitions) for partitions in by_address.values()}, {1})
        self.assertGreater(len(set.union(*by_address.values())), 1)

    def test_the_schema_is_what_a_result_is(self):
        from pyspark.sql.pandas.types import to_arrow_schema

        from probekit_spark import RESULT

        self.assertEqual(to_arrow_schema(self.scan(self.targets(1)).schema).names, RESULT.names)

    def test_a_scan_that_cannot_be_done_fails_the_job_with_the_reason(self):
        with self.assertRaisesRegex(Exception, "no-such-option"):
            self.scan(self.targets(1), ["--no-such-option"]).collect()

    def test_what_has_no_meaning_is_refused_at_once(self):
        for options, arguments, reason in [
            (["--list", "x"], {}, "--list can't be given"), (["--shard=1/2"], {}, "a partition is a shard"),
            (["--format", "json"], {}, "schema RESULT"), ([], {"keep": ["target"]}, "rename it before"),
            ([], {"retries": -1}, "not a number of times"), ([], {"rate": 0}, "lets no target begin"),
        ]:
            with self.subTest(reason), self.assertRaisesRegex(ValueError, reason):
                self.scan(self.targets(1), options, **arguments)

    def test_the_rate_holds_for_the_whole_job(self):
        # A rate promises the least time that a job takes; a busy machine only makes it longer.
        began = time.monotonic()
        self.assertEqual(self.scan(self.targets(60), rate=20, partitions=4).count(), 60)
        self.assertGreater(time.monotonic() - began, (60 - 4) / 20)
