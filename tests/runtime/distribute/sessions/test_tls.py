"""A task at an address that other machines reach: with TLS, for those who show a certificate."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import sys

import pytest

import runtime.compat.v1 as tf
from runtime import errors
from tests.support import ROOT
from tests.support.extras import needs

pytestmark = [needs("dask"), pytest.mark.nightly]

PROGRAM = """
import sys
import runtime.compat.v1 as tf
tf.disable_v2_behavior()
server = tf.train.Server({"ps": [sys.argv[1]]})
with tf.device("/job:ps/task:0"):
    v = tf.Variable(2.0)
with tf.Session(server.target) as session:
    session.run(v.initializer)
    print(session.run(v), flush=True)
sys.stdin.read()
"""


def own_address():
    """An address of this machine that is not loopback; the test is skipped without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing
        except OSError:
            pytest.skip("this machine has no address")
        host = probe.getsockname()[0]
    with socket.socket() as probe:
        probe.bind((host, 0))
        return host, probe.getsockname()[1]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
def test_nobody_connects_without_a_certificate(tmp_path):
    host, port = own_address()
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
         "/CN=test", "-keyout", key, "-out", certificate], check=True, capture_output=True,
    )  # fmt: skip
    tls = {"CA_FILE": certificate}
    for role in "SCHEDULER", "WORKER", "CLIENT":
        tls |= {f"{role}__CERT": certificate, f"{role}__KEY": key}
    names = {f"DASK_DISTRIBUTED__COMM__TLS__{name}": str(path) for name, path in tls.items()}
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, f"{host}:{port}"], env={**os.environ, **names}, cwd=ROOT,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        try:
            assert process.stdout.readline() == "2.0\n"
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            with pytest.raises(ssl.SSLError, match="certificate required|CERTIFICATE_REQUIRED"):
                with socket.create_connection((host, port), 10) as plain:
                    with context.wrap_socket(plain) as stranger:
                        stranger.recv(1)
            with pytest.raises(errors.PermissionDeniedError):
                tf.Session(f"dask://{host}:{port}", graph=tf.Graph())
        finally:
            process.kill()
