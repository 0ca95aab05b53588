import json
import subprocess
import unittest

import pyarrow as pa

from probekit_spark.result import RESULT, arrow_type, error_result

from .bench import Nginx, program


def without_nulls(value):
    """A key that is left out and one that is null are alike in Arrow."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


class ResultTests(unittest.TestCase):
    def test_columns_are_the_keys_of_the_schema(self):
        self.assertEqual(RESULT.field("outcome").type, pa.string())
        self.assertEqual(RESULT.field("scan").type.field("line").type, pa.int64())
        chain = RESULT.field("evidence").type.field("chain").type.value_type
        self.assertEqual(chain.field("isCA").type, pa.bool_())
        self.assertEqual(chain.field("dnsNames").type, pa.list_(pa.string()))
        self.assertEqual(RESULT.field("evidence").type.field("timings").type.field("handshake").type, pa.float64())

    def test_a_nested_list_stays_one(self):
        schema = {"type": "array", "items": {"type": ["array", "null"], "items": {"type": "integer"}}}
        self.assertEqual(arrow_type(schema), pa.list_(pa.list_(pa.int64())))

    def test_nothing_of_a_real_result_is_lost(self):
        with Nginx() as nginx:
            lines = f"127.0.0.1:{nginx.port},a.spark.test\n127.0.0.1:{nginx.port},other.test\n127.0.0.1:1\n"
            answer = subprocess.run(
                [program(), "scan", "--list", "-", "--ca", nginx.ca], input=lines, capture_output=True, text=True)
        results = [json.loads(line) for line in answer.stdout.splitlines()]
        self.assertEqual(results.pop()["schema"], "probe-scan/1")
        self.assertGreaterEqual(len({result["outcome"] for result in results}), 3)
        rows = pa.RecordBatch.from_pylist(results, schema=RESULT).to_pylist()
        self.assertEqual(list(map(without_nulls, rows)), list(map(without_nulls, results)))

    def test_a_line_without_a_target_is_a_result(self):
        answer = subprocess.run(
            [program(), "scan", "--list", "-"], input="two words\n", capture_output=True, text=True)
        error = json.loads(answer.stdout.splitlines()[0])
        row = pa.RecordBatch.from_pylist([error_result(error)], schema=RESULT).to_pylist()[0]
        self.assertEqual((row["schema"], row["outcome"], row["target"]),
                         ("probe-scan-error/1", "usage-error", "two words"))
        self.assertEqual(row["findings"][0]["message"], error["message"])
        self.assertEqual(row["findings"][0]["fix"], error["fix"])
        self.assertEqual(row["scan"]["line"], 1)
