"""Functions that the tests of dying processes launch."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np

import runtime as tf


def killed(way, folder):
    """Process 1 kills itself between two steps; process 0 writes when it has heard of it."""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    number = strategy.cluster_resolver.task_id

    def step():
        return strategy.reduce("SUM", tf.ones([1000]), axis=None)

    step = tf.function(step) if way == "graph" else step
    step()
    if number == 1:
        Path(folder, "0 killed").write_text(repr(time.time()))
        os.kill(os.getpid(), signal.SIGKILL)
    try:
        step()
    except tf.errors.UnavailableError:
        Path(folder, "1 noticed").write_text(repr(time.time()))
        raise


def out_of_step(how):
    """Process 1 does something else than process 0."""
    options = tf.distribute.experimental.CommunicationOptions(timeout_seconds=0.5)
    strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=options)
    if strategy.cluster_resolver.task_id == 1:
        if how == "returns":
            return
        if how == "raises":
            raise KeyError("lost")
        if how == "takes another step":
            strategy.gather(tf.ones([3]), axis=0)
        time.sleep(1.5)
    strategy.reduce("SUM", tf.ones([3]), axis=None)


def train(folder, kills):
    """Weights after training that goes on where an earlier run stopped.

    ``kills`` has for each run the moment at which a process is killed, and its number; the files
    in the folder count them.
    """
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    tf.keras.utils.set_random_seed(11)
    x = np.random.default_rng(5).normal(size=(96, 6)).astype("float32")
    y = x.sum(axis=1, keepdims=True)
    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.Input((6,)), tf.keras.layers.Dense(8, "tanh"), tf.keras.layers.Dense(1),
        ])
        model.compile(tf.keras.optimizers.Adam(0.01), "mse", jit_compile=False)
    os.makedirs(folder, exist_ok=True)
    number = len(list(Path(folder).glob("*.kill")))
    callbacks = [tf.keras.callbacks.BackupAndRestore(f"{folder}/backup")]
    if number < len(kills):
        callbacks.append(Killer(folder, number, *kills[number], strategy))
    model.fit(x, y, 12, epochs=30, verbose=0, callbacks=callbacks)
    return [weight.numpy() for weight in model.weights]


class Killer(tf.keras.callbacks.Callback):
    """Kills a process at a moment of training, counted in epochs, or soon after it goes on."""

    def __init__(self, folder, number, moment, rank, strategy):
        super().__init__()
        self._file = Path(folder, f"{number}.kill")
        self._moment = moment
        count = strategy.num_replicas_in_sync
        self._is_victim = strategy.cluster_resolver.task_id == rank % count

    def on_train_begin(self, logs=None):
        if self._moment < 0:  # while the step is traced
            self._after(-self._moment)

    def on_epoch_begin(self, epoch, logs=None):
        if epoch >= self._moment >= 0:
            self._after(0.05 * (self._moment % 1.0))
            self._moment = 1e9

    def on_epoch_end(self, epoch, logs=None):
        time.sleep(0.03)
        if epoch == 29 and self._is_victim:
            self._kill()

    def _after(self, seconds):
        if self._is_victim:
            threading.Timer(seconds, self._kill).start()

    def _kill(self):
        self._file.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def endless(folder):
    """Steps for ever; the folder has a file with the name of each process."""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    Path(folder, str(os.getpid())).touch()
    while True:
        strategy.reduce("SUM", tf.ones([3]), axis=None)


def is_running(process):
    """Whether a process is there, and no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def running(word, parent=None):
    """Ids of the processes with a word in their command line."""
    ids = []
    for path in Path("/proc").iterdir():
        if path.name.isdecimal() and int(path.name) != os.getpid():
            try:
                command = (path / "cmdline").read_text()
                environment = (path / "environ").read_text()
            except OSError:
                continue
            launched = parent is None or f"AUTOGRAPH_LAUNCHER={parent}\0" in environment
            if word in command and launched and is_running(int(path.name)):
                ids.append(int(path.name))
    return ids


def train_in_session(folder, kills):
    """Weight after steps in a session, which go on from the last checkpoint."""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    number = strategy.cluster_resolver.task_id
    data = np.random.default_rng(2).normal(size=(60, 12)).astype("float32")
    victim = dict(enumerate(kills)).get(len(list(Path(folder).glob("*.kill"))))
    with tf.Graph().as_default(), strategy.scope():
        x = tf.placeholder(tf.float32, [None])
        weight = tf.get_variable("weight", initializer=0.5)
        step = tf.train.get_or_create_global_step()
        own = 2.0 * (weight - x)
        gradient = strategy.reduce("MEAN", own, axis=0)
        train = tf.train.MomentumOptimizer(0.05, 0.5).apply_gradients(
            [(gradient, weight)], global_step=step
        )
        with tf.control_dependencies([train]):
            updated = weight.read_value()
        with tf.train.MonitoredTrainingSession(
            checkpoint_dir=f"{folder}/saved", save_checkpoint_steps=7,
            save_summaries_steps=0, hooks=[tf.train.StopAtStepHook(last_step=60)],
        ) as session:  # fmt: skip
            while not session.should_stop():
                done = int(session.run_step_fn(lambda context: context.session.run(step)))
                if victim == (done, number):
                    Path(folder, f"{time.time()}.kill").touch()
                    os.kill(os.getpid(), signal.SIGKILL)
                rows = np.array_split(data[done], strategy.num_replicas_in_sync)[number]
                _, last = session.run([train, updated], {x: rows})
    return float(last)
