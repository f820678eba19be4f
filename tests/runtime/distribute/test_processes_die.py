"""Processes that die, end too early or get out of step: each job ends with an error that says so.

Every job has a time after which it is killed, and the test fails.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import runtime as tf
from tests.runtime.distribute import dying
from tests.support import ROOT
from tests.support.extras import needs

pytestmark = needs("mpi")

SECONDS = 500
TASK_1 = r"/job:worker/task:1 \(process \d+ on \S+\) has ended "


@pytest.mark.parametrize("way", [pytest.param("eager", marks=pytest.mark.nightly), "graph"])
def test_a_killed_process_is_named_at_once(way, tmp_path):
    with pytest.raises(tf.errors.UnavailableError, match=TASK_1 + "unexpectedly, while"):
        tf.distribute.launch(
            dying.killed, (way, str(tmp_path)), processes=2, timeout=SECONDS
        )
    killed, *noticed = [float(path.read_text()) for path in sorted(tmp_path.iterdir())]
    assert len(noticed) == 1
    assert noticed[0] - killed < SECONDS / 4  # within a second on a machine at rest
    assert dying.running(tmp_path.name) == []


@pytest.mark.parametrize(
    ("how", "error", "text"),
    [
        ("returns", tf.errors.AbortedError, TASK_1 + "its program, while /job:worker/task:0 waits"),
        pytest.param("raises", KeyError, "lost", marks=pytest.mark.nightly),
        ("takes another step", tf.errors.FailedPreconditionError, "another process in another one"),
        pytest.param(
            "sleeps", tf.errors.DeadlineExceededError, "has waited for 0.5 seconds in all_reduce",
            marks=pytest.mark.nightly,
        ),
    ],
)  # fmt: skip
def test_processes_out_of_step(how, error, text):
    with pytest.raises(error, match=text):
        tf.distribute.launch(dying.out_of_step, (how,), processes=2, timeout=SECONDS)


@pytest.mark.nightly
def test_a_job_that_takes_too_long_is_killed(tmp_path):
    with pytest.raises(tf.errors.DeadlineExceededError, match="that launch was given is over"):
        tf.distribute.launch(time.sleep, (10_000,), processes=2, timeout=5)
    assert dying.running("runtime.distribute.worker", parent=os.getpid()) == []


def kills(count, seed):
    """Moments, in epochs of 30 or before the first, and processes of as many kills."""
    rng = random.Random(seed)
    moments = sorted(round(rng.uniform(-2.0, 30.0), 2) for _ in range(count))
    return [(moment, rng.randrange(4)) for moment in moments]


@pytest.mark.parametrize(
    ("count", "seed", "sizes"),
    [pytest.param(2, 0, [2, 3, 1], marks=pytest.mark.nightly),
     *[pytest.param(5, n, [4] * 6, marks=pytest.mark.nightly) for n in range(1, 11)],
     pytest.param(5, 11, [4, 3, 2, 4, 1, 3], marks=pytest.mark.nightly)],
)  # fmt: skip
def test_training_goes_on_after_kills(count, seed, sizes, tmp_path):
    """Runs that are killed at random moments end at the weights of one that nothing interrupted.

    Each restart may have another number of processes.
    """
    expected = dying.train(str(tmp_path / "whole"), [])
    counts = iter(sizes)
    results = tf.distribute.launch(
        dying.train, (str(tmp_path / "killed"), kills(count, seed)),
        processes=lambda: next(counts), restarts=count, timeout=SECONDS,
    )  # fmt: skip
    assert len(results) == sizes[-1]
    for weights in results:
        for own, alone in zip(weights, expected, strict=True):
            np.testing.assert_allclose(own, alone, atol=1e-6)
    written = [path.name for path in (tmp_path / "killed").rglob("*") if path.is_file()]
    assert sorted(written) == [f"{n}.kill" for n in range(count)]
    assert dying.running("runtime.distribute.worker", parent=os.getpid()) == []


@pytest.mark.nightly
def test_a_session_goes_on_after_kills(tmp_path):
    """``MonitoredTrainingSession`` goes on from the chief's checkpoint, in any number of processes.
    """
    (tmp_path / "whole").mkdir()
    (tmp_path / "killed").mkdir()
    expected = dying.train_in_session(str(tmp_path / "whole"), [])
    counts = iter([2, 3, 2, 1])
    results = tf.distribute.launch(
        dying.train_in_session, (str(tmp_path / "killed"), [(10, 1), (30, 0), (31, 1)]),
        processes=lambda: next(counts), restarts=3, timeout=SECONDS,
    )  # fmt: skip
    np.testing.assert_allclose(results, expected, atol=1e-6)
    assert len(list((tmp_path / "killed").glob("*.kill"))) == 3


SCRIPT = """
import sys
import runtime as tf
strategy = tf.distribute.MultiWorkerMirroredStrategy()
number = strategy.cluster_resolver.task_id
total = strategy.reduce("SUM", tf.constant(number + 1), axis=None)
print(sys.argv[1], int(total), flush=True)
if sys.argv[1] == "exits" and number == 1:
    sys.exit(3)
if sys.argv[1] == "raises":
    raise ValueError("wrong")
"""


@pytest.mark.parametrize(
    ("word", "code", "text"),
    [
        ("exits", 3, ""),
        pytest.param("ends", 0, "", marks=pytest.mark.nightly),
        pytest.param("raises", 1, "ValueError: wrong", marks=pytest.mark.nightly),
    ],
)
def test_command(word, code, text, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    ran = subprocess.run(
        [sys.executable, "-m", "autograph", "launch", "-n", "2", str(script), word],
        cwd=ROOT, capture_output=True, text=True, timeout=SECONDS,
        env={**os.environ, "PYTHONUNBUFFERED": ""},  # each process writes a line at once
    )  # fmt: skip
    assert ran.returncode == code, ran.stderr
    assert ran.stdout.split() == [word, "3"] * 2
    assert text in ran.stderr


def test_command_without_a_script():
    ran = subprocess.run(
        [sys.executable, "-m", "autograph", "launch", "absent.py"],
        cwd=ROOT, capture_output=True, text=True, timeout=SECONDS,
    )  # fmt: skip
    assert ran.returncode == 2 and "absent.py: no such file" in ran.stderr


def test_processes_end_when_their_launcher_is_killed(tmp_path):
    launcher = subprocess.Popen(
        [sys.executable, "-c", "import runtime as tf; from tests.runtime.distribute import dying; "
         f"tf.distribute.launch(dying.endless, ({str(tmp_path)!r},))"],
        cwd=ROOT, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        end = time.monotonic() + 60
        while len(list(tmp_path.iterdir())) < 2:
            assert time.monotonic() < end and launcher.poll() is None
            time.sleep(0.1)
    finally:
        launcher.send_signal(signal.SIGKILL)
        launcher.wait()
    processes = [int(path.name) for path in tmp_path.iterdir()]
    end = time.monotonic() + 30
    while any(dying.is_running(process) for process in processes):
        assert time.monotonic() < end
        time.sleep(0.1)
