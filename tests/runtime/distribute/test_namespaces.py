"""Two hosts, as network namespaces with addresses of their own: one is cut off in mid-step."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time

import pytest

from tests.runtime.distribute import dying
from tests.support import ROOT
from tests.support.extras import needs

pytestmark = [needs("mpi"), pytest.mark.nightly]

SECONDS = 120
NAMES = [f"agtest{os.getpid()}{end}" for end in "ab"]
ADDRESSES = ["10.213.7.1", "10.213.7.2"]
LAUNCHER = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
case "$1" in 10.213.7.1) name=%s ;; *) name=%s ;; esac
shift
exec ip netns exec $name sh -c "$*"
"""


def ip(*words):
    return subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


@pytest.fixture
def hosts(tmp_path):
    """Two namespaces with a link between them; the command that starts one process in each."""
    if shutil.which("ip") is None:
        pytest.skip("iproute2 is not installed")
    mpiexec = shutil.which("mpiexec", path=os.path.dirname(sys.executable))
    if mpiexec is None:
        pytest.skip("MPICH's mpiexec is not beside this Python")
    launcher = tmp_path / "launcher"
    launcher.write_text(LAUNCHER % tuple(NAMES))
    launcher.chmod(0o755)
    try:
        try:
            for name in NAMES:
                ip("netns", "add", name)
            ip("link", "add", "agl0", "netns", NAMES[0], "type", "veth",
               "peer", "name", "agl1", "netns", NAMES[1])  # fmt: skip
        except subprocess.CalledProcessError as error:
            pytest.skip(f"network namespaces are refused: {error.stderr.strip()}")
        for number, (name, address) in enumerate(zip(NAMES, ADDRESSES)):
            ip("-n", name, "addr", "add", f"{address}/24", "dev", f"agl{number}")
            for device in ("lo", f"agl{number}"):
                ip("-n", name, "link", "set", device, "up")
        yield ["ip", "netns", "exec", NAMES[0], mpiexec, "-localhost", ADDRESSES[0],
               "-hosts", ",".join(ADDRESSES), "-launcher", "ssh", "-launcher-exec", str(launcher),
               # else MPI uses the memory that both share
               "-genv", "MPIR_CVAR_NOLOCAL", "1", "-genv", "UCX_TLS", "tcp,self",
               "-disable-auto-cleanup", "-n", "2"]  # fmt: skip
    finally:
        for name in NAMES:
            with contextlib.suppress(subprocess.CalledProcessError):
                ip("netns", "delete", name)


PROGRAM = """
import sys, time
from pathlib import Path
import runtime as tf
folder, how = Path(sys.argv[1]), sys.argv[2]
options = tf.distribute.experimental.CommunicationOptions(timeout_seconds=8)
strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=options)
number = strategy.cluster_resolver.task_id
try:
    for step in range(10_000):
        total = strategy.reduce("SUM", tf.fill([200_000], number + 1.0), axis=None)
        assert total[-1] == 3.0
        (folder / f"{number}.step").write_text(str(step))
        if how == "slow" and number == 1 and step == 5:
            time.sleep(20)
except tf.errors.OpError as error:
    (folder / f"{number}.error").write_text(f"{type(error).__name__}: {error}")
"""


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ("cut", "UnavailableError: nothing was heard of /job:worker/task:{} (process "),
        ("slow", "DeadlineExceededError: /job:worker/task:{} has waited for 8 seconds in "),
    ],
)
def test_a_lost_connection_is_told_from_a_slow_process(how, error, hosts, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    job = subprocess.Popen(
        [*hosts, sys.executable, str(program), str(tmp_path), how], start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        wait_for(lambda: (tmp_path / "1.step").exists())
        if how == "cut":
            ip("-n", NAMES[0], "link", "set", "agl0", "down")
        waiting = [0, 1] if how == "cut" else [0]
        wait_for(lambda: all((tmp_path / f"{n}.error").exists() for n in waiting))
        for number in waiting:
            text = (tmp_path / f"{number}.error").read_text()
            assert text.startswith(error.format(1 - number if how == "cut" else number)), text
    finally:
        for process in dying.running(str(program)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, 9)
        job.wait(30)
    assert dying.running(str(program)) == []


def wait_for(condition):
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)
