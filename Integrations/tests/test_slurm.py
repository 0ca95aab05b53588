"""The array on a real Slurm of one node, with daemons of its own on loopback."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from .command import HERE, PROBE, results, targets

MISSING = [program for program in ("slurmctld", "slurmd", "munged", "sbatch") if not shutil.which(program)]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Slurm:
    """A cluster of one node on this machine, whose daemons end with it."""

    def __init__(self, folder):
        self.folder = folder
        self.daemons = []
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}

    def __enter__(self):
        (self.folder / "key").write_bytes(os.urandom(128))
        (self.folder / "key").chmod(0o600)
        socket_file = self.folder / "munge.socket"
        self.start("munged", "--foreground", "--force", f"--key-file={self.folder}/key", f"--socket={socket_file}",
                   f"--pid-file={self.folder}/munge.pid", f"--seed-file={self.folder}/seed",
                   f"--log-file={self.folder}/munge.log")
        self.until(socket_file.exists, "munged")
        cores = os.cpu_count()
        (self.folder / "slurm.conf").write_text(f"""
            ClusterName=probe
            SlurmctldHost=localhost(127.0.0.1)
            SlurmctldPort={free_port()}
            SlurmdPort={free_port()}
            AuthType=auth/munge
            AuthInfo=socket={socket_file}
            CredType=cred/munge
            SlurmUser=root
            SlurmdUser=root
            StateSaveLocation={self.folder}/state
            SlurmdSpoolDir={self.folder}/spool
            SlurmctldPidFile={self.folder}/slurmctld.pid
            SlurmdPidFile={self.folder}/slurmd.pid
            ProctrackType=proctrack/linuxproc
            TaskPlugin=task/none
            SwitchType=switch/none
            MpiDefault=none
            SchedulerType=sched/builtin
            SelectType=select/cons_tres
            SelectTypeParameters=CR_CPU
            JobCompType=jobcomp/none
            AccountingStorageType=accounting_storage/none
            ReturnToService=2
            NodeName=localhost NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN
            PartitionName=all Nodes=localhost Default=YES State=UP
            """)
        self.start("slurmctld", "-D")
        self.start("slurmd", "-D", "-N", "localhost")
        self.until(lambda: "idle" in self.ask("sinfo", "-h", "-o", "%T"), "slurmd")
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            daemon.wait()

    def start(self, program, *arguments):
        with open(self.folder / f"{program}.said", "wb") as said:
            self.daemons.append(
                subprocess.Popen([program, *arguments], env=self.environment, stdout=said, stderr=said))

    def until(self, condition, program):
        deadline = time.monotonic() + 120
        while not condition():
            if time.monotonic() > deadline or any(daemon.poll() is not None for daemon in self.daemons):
                raise RuntimeError(f"{program}: " + (self.folder / f"{program}.said").read_text()[-2000:])
            time.sleep(0.1)

    def ask(self, *command, **settings):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, **settings).stdout.strip()


@unittest.skipIf(MISSING, f"not installed: {', '.join(MISSING)}")
@unittest.skipIf(os.geteuid() != 0, "slurmd starts jobs, which takes root")
class SlurmTests(unittest.TestCase):
    def test_the_array_does_the_list(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            folder.chmod(0o755)
            (folder / "list").write_text("\n".join(targets(200)))
            with Slurm(folder) as slurm:
                slurm.environment |= {"PROBE": PROBE, "SHARD": str(HERE / "shard.sh")}
                # Numbered from 5 on, as who adds to an array does.
                said = slurm.ask(
                    "sbatch", "--parsable", "--wait", "--array=5-8", "--cpus-per-task=1", "--mem-per-cpu=0",
                    f"--output={folder}/said-%a", HERE / "slurm/probe-scan.sbatch", folder / "list", folder / "results",
                    "--backend", "nio", cwd=folder)
                self.assertTrue(said.isdigit(), (folder / "slurmctld.said").read_text()[-2000:])
                files = sorted((folder / "results").glob("*.jsonl"))
                self.assertEqual([file.name for file in files], [f"{part}-of-4.jsonl" for part in (1, 2, 3, 4)])
                found, complete = results(files)
                self.assertEqual(found, sorted(targets(200)))
                self.assertTrue(complete)

                refused = subprocess.run(
                    ["sbatch", "--wait", "--array=1,3", "--cpus-per-task=1", "--mem-per-cpu=0",
                     f"--output={folder}/gaps-%a", HERE / "slurm/probe-scan.sbatch", folder / "list", folder / "gaps"],
                    env=slurm.environment, cwd=folder, capture_output=True)
                self.assertEqual(refused.returncode, 64)
                self.assertIn("the array has gaps", (folder / "gaps-1").read_text())
                self.assertFalse((folder / "gaps").exists())
