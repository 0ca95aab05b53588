import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from .bench import ROOT


class ZipTests(unittest.TestCase):
    def test_the_package_works_from_the_zip_file_of_the_readme(self):
        # Spark puts the zip files of --py-files on the path of its executors as they are.
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "probekit_spark.zip"
            subprocess.run([sys.executable, "-m", "zipfile", "-c", file, "probekit_spark"],
                           cwd=ROOT / "Integrations/spark", check=True)
            said = subprocess.run(
                [sys.executable, "-c",
                 "import sys; sys.path.insert(0, sys.argv[1]); import probekit_spark, probekit_spark.partition; "
                 "print(probekit_spark.__file__, *probekit_spark.RESULT.names)", file],
                cwd=folder, capture_output=True, text=True)
        self.assertEqual(said.returncode, 0, said.stderr)
        place, *names = said.stdout.split()
        self.assertTrue(place.startswith(str(file)), place)
        self.assertIn("outcome", names)
