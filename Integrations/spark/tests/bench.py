"""The command under test, and servers on loopback."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def program():
    """Returns the command that is tested."""
    given = os.environ.get("PROBE_UNDER_TEST")
    return given or next(
        (str(path) for path in (ROOT / ".build/release/probe", ROOT / ".build-release/release/probe") if path.exists()),
        None)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Nginx:
    """nginx with a certificate for `*.spark.test` by an authority of its own (`ca`), on one free port of many loopback
    addresses: as many servers."""

    ADDRESSES = [f"127.0.0.{last}" for last in range(1, 65)]

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="spark-nginx-"))
        self.port = free_port()
        ca, key = self.folder / "ca.pem", self.folder / "ca.key"
        self._openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
                      "-keyout", key, "-out", ca, "-subj", "/CN=Spark test authority")
        self._openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                      "-keyout", self.folder / "leaf.key", "-out", self.folder / "leaf.csr", "-subj", "/CN=spark.test")
        (self.folder / "extensions").write_text(
            "subjectAltName=DNS:*.spark.test\nextendedKeyUsage=serverAuth\nkeyUsage=digitalSignature\n"
            "basicConstraints=critical,CA:FALSE\n")
        self._openssl("x509", "-req", "-in", self.folder / "leaf.csr", "-CA", ca, "-CAkey", key, "-CAcreateserial",
                      "-days", "20", "-extfile", self.folder / "extensions", "-out", self.folder / "leaf.pem")
        self.ca = ca
        (self.folder / "nginx.conf").write_text(f"""
            daemon off; master_process off; pid {self.folder}/pid; error_log {self.folder}/error.log;
            events {{ worker_connections 4096; }}
            http {{
                access_log off;
                server {{
                    {" ".join(f"listen {address}:{self.port} ssl backlog=1024;" for address in self.ADDRESSES)}
                    ssl_certificate {self.folder}/leaf.pem; ssl_certificate_key {self.folder}/leaf.key;
                    return 204;
                }}
            }}""")
        self.process = subprocess.Popen(
            ["nginx", "-p", self.folder, "-c", self.folder / "nginx.conf"], stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.05)
        raise RuntimeError((self.folder / "error.log").read_text())

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder)

    def _openssl(self, *arguments):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)
