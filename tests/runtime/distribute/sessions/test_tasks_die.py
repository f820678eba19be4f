"""Tasks that are killed: errors within a second that name them, recovery, never a wrong number."""

from __future__ import annotations

import random
import signal
import socket
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import runtime.compat.v1 as tf
from runtime import errors
from tests.support import ROOT
from tests.support.extras import needs

pytestmark = needs("dask")

PS, WORKER = "/job:ps/task:0", "/job:worker/task:0"
SECONDS = 120
"""After which a test that hangs fails."""


@pytest.fixture(autouse=True)
def time_limit():
    def fail(*_):
        raise TimeoutError(f"the test took more than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def free_addresses(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    addresses = [f"localhost:{one.getsockname()[1]}" for one in sockets]
    for one in sockets:
        one.close()
    return addresses


class Killable:
    """The parameter server: a process that can be killed and started anew."""

    def __init__(self, addresses):
        self.command = [sys.executable, "-m", "tests.runtime.distribute.sessions.parameter_server",
                        "ps", "0", *addresses]  # fmt: skip
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, cwd=ROOT)

    def kill(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="module")
def cluster():
    """A worker, this process, and a parameter server in another one."""
    addresses = free_addresses(2)
    server = Killable(addresses)
    worker = tf.train.Server({"ps": addresses[:1], "worker": addresses[1:]}, "worker", 0)
    yield server, worker
    server.kill()


def model(placed):
    """The loss, update and global step of a model whose variables are on the parameter server."""
    setter = tf.train.replica_device_setter(ps_tasks=1 if placed else 0)
    with tf.device(setter):
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        w = tf.get_variable("w", initializer=tf.zeros([3, 1]))
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - tf.reduce_sum(x, 1, keepdims=True)))
        step = tf.train.get_or_create_global_step()
        train = tf.train.AdamOptimizer(0.1).minimize(loss, global_step=step)
    return x, w, train, step


def test_a_killed_task_is_an_error_that_names_it(cluster):
    server, worker = cluster
    with tf.Graph().as_default():
        x, w, train, step = model(placed=True)
        init = tf.global_variables_initializer()
        session = tf.Session(worker.target)
        session.run(init)
        assert w.device == PS
        session.run(train, {x: np.ones([2, 3])})
        assert session.run(step) == 1
        server.kill()
        start = time.monotonic()
        with pytest.raises(errors.UnavailableError, match=f"{PS} at 127.0.0.1.* was lost"):
            session.run(step)
        assert time.monotonic() - start < SECONDS / 4  # within a second on a machine at rest
        server.start()
        with pytest.raises((errors.AbortedError, errors.UnavailableError), match="lost"):
            session.run(step)  # the variables are not there any more
        session.close()
        with tf.Session(worker.target) as session:
            with pytest.raises(errors.FailedPreconditionError, match="has no value yet"):
                session.run(step)
            session.run(init)
            assert session.run(step) == 0


def test_waiting_for_a_task_that_is_killed(cluster):
    server, worker = cluster
    with tf.Graph().as_default():
        with tf.device(PS):
            item = tf.FIFOQueue(3, [tf.float32]).dequeue()
        with tf.Session(worker.target) as session:
            threading.Timer(1.0, server.kill).start()
            with pytest.raises(errors.UnavailableError, match=PS):
                session.run(item)
    server.start()


def trained(target, folder, steps, row_of):
    """The weights after training by rows that depend on the step alone."""
    with tf.Graph().as_default():
        x, w, train, step = model(placed=bool(target))
        hooks = [tf.train.StopAtStepHook(last_step=steps)]
        now = 0
        with tf.train.MonitoredTrainingSession(
            target, True, str(folder), hooks=hooks, save_checkpoint_steps=1
        ) as session:
            while not session.should_stop():
                _, now = session.run([train, step], {x: row_of(int(now))})
            return session.raw_session().run([w, step])


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.nightly)])
def test_training_ends_at_the_weights_of_a_run_without_kills(cluster, kills, tmp_path):
    server, worker = cluster
    rows = np.random.default_rng(0).normal(size=(1000, 1, 3)).astype("float32")
    chance = random.Random(kills)
    steps = 12 * kills
    at = sorted(chance.sample(range(1, steps), kills))
    expected = trained("", tmp_path / "plain", steps, lambda now: rows[now])

    def row_of(now):
        if at and now >= at[0]:
            del at[0]
            threading.Timer(chance.uniform(0.0, 0.05), restart).start()
        return rows[now]

    def restart():
        server.kill()
        server.start()

    signal.alarm(SECONDS * kills)
    actual = trained(worker.target, tmp_path / "killed", steps, row_of)
    assert not at and actual[1] == expected[1] == steps
    np.testing.assert_array_equal(actual[0], expected[0])
