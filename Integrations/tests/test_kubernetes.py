import shutil
import subprocess
import tempfile
import unittest

try:
    import kubernetes_validate
    import yaml
except ImportError:
    kubernetes_validate = None

from .command import HERE, PROBE, results, targets


@unittest.skipIf(kubernetes_validate is None, "kubernetes-validate is not installed: make integrations installs it")
class KubernetesTests(unittest.TestCase):
    """The manifests, held to the schemas of Kubernetes' releases. No cluster is asked."""

    def documents(self, *files):
        return [document for file in files for document in yaml.safe_load_all((HERE / "kubernetes" / file).read_text())]

    def test_the_manifests_keep_to_the_schemas(self):
        # The first release whose schema has a limit of tries for each index, and the newest.
        for version in ("1.29", kubernetes_validate.latest_version()):
            for document in self.documents("job.yaml", "results.yaml"):
                with self.subTest(version=version, kind=document["kind"]):
                    kubernetes_validate.validate(document, version, strict=True)

    def test_a_key_that_is_not_one_is_noticed(self):
        document = self.documents("job.yaml")[0]
        document["spec"]["completionsMode"] = "Indexed"
        with self.assertRaises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate(document, "1.29", strict=True)

    def test_there_are_as_many_parts_as_pods(self):
        spec = self.documents("job.yaml")[0]["spec"]
        environment = {entry["name"]: entry["value"] for entry in spec["template"]["spec"]["containers"][0]["env"]}
        self.assertEqual(environment["PARTS"], str(spec["completions"]))

    @unittest.skipIf(shutil.which("kubectl") is None, "there is no kubectl")
    def test_kustomize_makes_the_whole_of_them(self):
        made = subprocess.run(
            ["kubectl", "kustomize", "--load-restrictor", "LoadRestrictionsNone", HERE / "kubernetes"],
            capture_output=True, text=True, check=True).stdout
        documents = {document["kind"]: document for document in yaml.safe_load_all(made)}
        self.assertEqual(set(documents), {"ConfigMap", "Job", "PersistentVolumeClaim"})
        self.assertEqual(documents["ConfigMap"]["data"]["shard.sh"], (HERE / "shard.sh").read_text())
        pod = documents["Job"]["spec"]["template"]["spec"]
        self.assertEqual(pod["volumes"][0]["configMap"]["name"], documents["ConfigMap"]["metadata"]["name"])

    def test_the_pods_command_does_its_part(self):
        container = self.documents("job.yaml")[0]["spec"]["template"]["spec"]["containers"][0]
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/targets.txt", "w") as file:
                file.write("\n".join(targets(20)))
            # The mounts are this folder; what the shell is given is what the pod is.
            command = [part.replace("/list/shard.sh", str(HERE / "shard.sh")).replace("/list/", f"{folder}/")
                       .replace("/results/", f"{folder}/") for part in container["command"]]
            # Another number of parts has files of its own on the same volume.
            for parts in (2, 3):
                for index in range(parts):
                    subprocess.run(
                        [*command, "--backend", "nio"], check=True,
                        env={"JOB_COMPLETION_INDEX": str(index), "PARTS": str(parts), "PROBE": PROBE,
                             "PATH": "/usr/bin:/bin"})
            for parts in (2, 3):
                found, complete = results(f"{folder}/{part}-of-{parts}.jsonl" for part in range(1, parts + 1))
                self.assertEqual(found, sorted(targets(20)))
                self.assertTrue(complete)
