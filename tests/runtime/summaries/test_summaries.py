"""Summaries: what event files say, eagerly, in functions and in sessions."""

from __future__ import annotations

import io
import os
import resource
import subprocess
import sys
import time
import wave
import zlib

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from runtime import keras
from runtime.summaries import png
from tests.runtime.summaries.reader import (
    array,
    events,
    fields,
    plugin,
    scalars,
    summaries,
)
from tests.support import ROOT, nightly


@pytest.fixture
def writer(tmp_path):
    made = tf.summary.create_file_writer(tmp_path)
    yield made
    made.close()


def written(writer, tmp_path):
    writer.flush()
    return scalars(tmp_path)


def staged_loop(x, n):
    i = tf.constant(0, tf.int64)
    while i < n:
        with tf.name_scope("loop"):
            if x > 0.3:
                tf.summary.scalar("large", x, step=i)
            tf.summary.scalar("x", x, step=i)
        x = x / 2
        i += 1
    return x


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])
def test_a_function_writes_what_eager_code_writes(wrap, writer, tmp_path):
    with writer.as_default():
        wrap(staged_loop)(tf.constant(1.0), tf.constant(3, tf.int64))
    assert written(writer, tmp_path) == [
        (0, "loop/large", 1.0), (0, "loop/x", 1.0), (1, "loop/large", 0.5), (1, "loop/x", 0.5),
        (2, "loop/x", 0.25),
    ]  # fmt: skip


def test_defaults_are_those_of_each_call(tmp_path):
    @tf.function
    def f(x):
        tf.summary.scalar("x", x)

    writers = [tf.summary.create_file_writer(tmp_path / str(k)) for k in range(2)]
    f(tf.constant(9.0))  # no writer: nothing is written
    for number, writer in enumerate(writers):
        with writer.as_default(step=number), tf.name_scope("outer"):
            f(tf.constant(1.0))
            with tf.summary.record_if(lambda: False):
                f(tf.constant(2.0))
            with tf.summary.record_if(tf.constant(True)):
                f(tf.constant(3.0))
    for number, writer in enumerate(writers):
        found = written(writer, tmp_path / str(number))
        assert found == [(number, "outer/x", 1.0), (number, "outer/x", 3.0)]


def test_the_step_may_be_set_or_be_a_variable(writer, tmp_path):
    step = tf.Variable(3, dtype=tf.int64)

    @tf.function
    def f(x):
        step.assign_add(1)
        return tf.summary.scalar("x", x)

    with writer.as_default():
        with pytest.raises(ValueError, match="No step set"):
            f(tf.constant(1.0))
        tf.summary.experimental.set_step(step)
        try:
            assert f(tf.constant(1.0)).numpy()
            assert tf.summary.experimental.get_step() is step
        finally:
            tf.summary.experimental.set_step(None)
    assert written(writer, tmp_path) == [(5, "x", 1.0)]
    assert not f(tf.constant(1.0)).numpy()


def test_writer_and_condition_inside_of_a_function(writer, tmp_path):
    @tf.function
    def f(x, n):
        with writer.as_default(step=n), tf.summary.record_if(n % 2 == 0):
            tf.summary.scalar("x", x)
        writer.flush()

    for k in range(3):
        f(tf.constant(k / 2), tf.constant(k))
    assert scalars(tmp_path) == [(0, "x", 0.0), (2, "x", 1.0)]


def test_what_a_graph_cannot_keep_is_refused(writer, tmp_path):
    inner = tf.function(lambda x: tf.summary.scalar("x", x, step=1))

    @tf.function
    def outer(x):
        with writer.as_default():
            return inner(x)

    with pytest.raises(StagingError, match="takes its writer from another function"):
        outer(tf.constant(1.0))
    for refused in (
        lambda: tf.summary.create_file_writer(tmp_path), lambda: writer.set_as_default(),
        lambda: tf.summary.experimental.set_step(1), lambda: tf.summary.should_record_summaries(),
        lambda: tf.summary.graph(tf.Graph()),
    ):  # fmt: skip
        with pytest.raises(StagingError):
            tf.function(refused)()


def test_histogram(writer, tmp_path):
    with writer.as_default(step=2):
        tf.summary.histogram("h", [0.0, 1.0, 1.0, 4.0], buckets=4)
        tf.summary.histogram("one", [2, 2], buckets=2)
        tf.summary.histogram("none", tf.zeros([0]), buckets=2)
        with pytest.raises(tf.errors.InvalidArgumentError, match="finite"):
            tf.summary.histogram("nan", [float("nan")])
        with pytest.raises(ValueError, match="negative"):
            tf.summary.histogram("few", [1.0], buckets=-1)
    writer.flush()
    found = {tag: value for _, tag, value in summaries(tmp_path)}
    assert plugin(found["h"]) == "histograms"
    assert array(found["h"]).tolist() == [[0, 1, 1], [1, 2, 2], [2, 3, 0], [3, 4, 1]]
    assert array(found["one"]).tolist() == [[2, 2, 0], [2, 2, 2]]
    assert array(found["none"]).tolist() == [[0, 0, 0]] * 2


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_a_png_holds_the_pixels(channels, dtype):
    image = np.random.default_rng(0).integers(0, 2**8, (5, 3, channels)).astype(dtype)
    data = png.encode(image)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    place, pixels = 8, b""
    while place < len(data):
        size = int.from_bytes(data[place : place + 4])
        kind, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + size]
        assert zlib.crc32(kind + body) == int.from_bytes(data[place + 8 + size : place + 12 + size])
        pixels += body if kind == b"IDAT" else b""
        place += 12 + size
    rows = np.frombuffer(zlib.decompress(pixels), np.uint8).reshape(5, -1)
    assert not rows[:, 0].any()
    big = np.ascontiguousarray(rows[:, 1:]).view(np.dtype(dtype).newbyteorder(">"))
    assert (big.reshape(image.shape) == image).all()


def test_images_texts_and_sound(writer, tmp_path):
    picture = tf.constant(np.linspace(-0.1, 1.1, 12).reshape(4, 1, 3, 1), tf.float32)
    with writer.as_default(step=0):
        tf.summary.image("picture", picture, max_outputs=2)
        tf.summary.text("text", ["a", "ä"], description="*two*")
        tf.summary.audio("sound", tf.constant([[[0.0], [1.0], [-2.0]]]), 8000)
        tf.summary.write("raw", tf.constant([1, 2]), metadata=b"")
    writer.flush()
    found = {tag: value for _, tag, value in summaries(tmp_path)}
    assert array(found["picture"]) == [
        b"3", b"1", png.encode(np.array([[[0], [2], [30]]], np.uint8)),
        png.encode(np.array([[[58], [85], [113]]], np.uint8)),
    ]  # fmt: skip
    assert array(found["text"]) == ["a".encode(), "ä".encode()]
    assert array(found["raw"]).tolist() == [1, 2]
    with wave.open(io.BytesIO(array(found["sound"])[0])) as clip:
        assert clip.getframerate() == 8000
        assert np.frombuffer(clip.readframes(3), "<i2").tolist() == [0, 32767, -32767]
    assert [plugin(found[tag]) for tag in ("picture", "text", "sound")] == [
        "images", "text", "audio",
    ]  # fmt: skip


@pytest.mark.parametrize("call, error", [
    (lambda: tf.summary.image("i", tf.zeros([2, 3])), "images of shape"),
    (lambda: tf.summary.image("i", tf.zeros([1, 2, 3, 5])), "1 to 4"),
    (lambda: tf.summary.image("i", tf.zeros([1, 2, 3, 1], tf.int32)), "uint8"),
    (lambda: tf.summary.audio("a", tf.zeros([3]), 1), "clips, frames"),
    (lambda: tf.summary.scalar("s", [1.0]), "takes a scalar"),
    (lambda: tf.summary.scalar("", 1.0), "not empty"),
    (lambda: tf.summary.audio("a", tf.zeros([1, 1, 1]), 1, encoding="mp3"), "mp3"),
    (lambda: tf.summary.scalar("s", 1.0, step=1.5), "step"),
    (lambda: tf.summary.graph(3), "Graph"),
])  # fmt: skip
def test_bad_values_are_told(writer, call, error):
    with writer.as_default(step=0), pytest.raises(
        (tf.errors.InvalidArgumentError, ValueError, TypeError), match=error
    ):  # fmt: skip
        call()


def test_a_closed_writer_is_told(tmp_path):
    with tf.summary.create_file_writer(tmp_path) as writer:
        tf.summary.scalar("x", 1.0, step=0)
    assert scalars(tmp_path) == [(0, "x", 1.0)]
    with pytest.raises(tf.errors.FailedPreconditionError, match="closed"):
        writer.as_default()
    (tmp_path / "file").write_text("")
    with pytest.raises(tf.errors.OpError, match="file"):
        tf.summary.create_file_writer(tmp_path / "file")


def test_the_graph_of_a_function(writer, tmp_path):
    @tf.function
    def f(x):
        while x > 1:
            x = x / 2
        return x

    with writer.as_default():
        assert tf.summary.graph(f.get_concrete_function(tf.constant(8.0)).graph)
    writer.flush()
    graph = fields(events(tmp_path)[-1][4][0])
    nodes = {fields(n)[1][0].decode(): fields(n) for n in graph[1]}
    assert nodes["while"][3] == [b"x"]
    functions = [fields(fields(f)[1][0])[1][0].decode() for f in fields(graph[2][0])[1]]
    assert functions == ["test_0", "body_1"]


def test_sessions_fetch_messages(tmp_path):
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [])
        with tf.name_scope("scope"):
            tf.summary.scalar("x", x, family="family")
        tf.summary.histogram("h", [x, -x, 1.0])
        tf.summary.image("i", tf.reshape(tf.stack([x, 1.0]), [1, 1, 2, 1]))
        merged = tf.summary.merge_all()
        with tf.Session() as session, tf.summary.FileWriter(tmp_path, graph) as writer:
            writer.add_summary(session.run(merged, {x: 2.0}), global_step=5)
            with pytest.raises(TypeError, match="Summary"):
                writer.add_summary(3)
    found = {tag: (step, value) for step, tag, value in summaries(tmp_path)}
    assert [*found] == ["scope/family/x", "h", "i/image/0"]
    assert found["scope/family/x"][0] == 5
    assert found["scope/family/x"][1][2] == [2.0]
    histogram = fields(found["h"][1][5][0])
    assert [histogram[k][0] for k in (1, 2, 3, 4, 5)] == [-2.0, 2.0, 3.0, 1.0, 9.0]
    assert sum(np.frombuffer(histogram[7][0])) == 3


def test_the_callback_of_keras(tmp_path):
    x = np.random.default_rng(1).normal(size=(20, 3)).astype(np.float32)
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse", metrics=["mae"])
    history = model.fit(
        x, x[:, 0], epochs=2, validation_split=0.2, verbose=0, batch_size=8,
        callbacks=[keras.callbacks.TensorBoard(tmp_path, histogram_freq=1, update_freq=2)],
    ).history  # fmt: skip
    train = {(step, tag) for step, tag, _ in summaries(tmp_path / "train")}
    assert {(0, "keras"), (2, "batch_loss"), (4, "batch_mae"), (1, "epoch_learning_rate")} <= train
    assert any(tag.endswith("/kernel/histogram") for _, tag in train)
    losses = [v for _, tag, v in scalars(tmp_path / "validation") if tag == "epoch_loss"]
    np.testing.assert_allclose(losses, history["val_loss"], rtol=1e-6)
    with pytest.raises(NotImplementedError, match="profile"):
        keras.callbacks.TensorBoard(tmp_path, profile_batch=2)


def test_tensorboard_reads_the_files(writer, tmp_path):
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    with writer.as_default(step=1):
        tf.summary.scalar("x", 0.5)
        tf.summary.image("i", tf.zeros([1, 2, 2, 3]))
    writer.flush()
    found = accumulator.EventAccumulator(str(tmp_path))
    found.Reload()
    assert found.Tags()["tensors"] == ["x", "i"]
    assert found.SummaryMetadata("i").plugin_data.plugin_name == "images"


def test_a_full_disk_leaves_whole_records(tmp_path):
    """What could not be written waits, and is written whole once there is space."""
    writer = tf.summary.create_file_writer(tmp_path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    values = np.arange(1000, dtype=np.float32)
    with writer.as_default():
        tf.summary.histogram("h", values, step=0)
        writer.flush()
        (path,) = tmp_path.iterdir()
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 100, limits[1]))
            for step in (1, 2):
                tf.summary.histogram("h", values, step=step)
                with pytest.raises(tf.errors.ResourceExhaustedError):
                    writer.flush()
                assert [step for step, _, _ in summaries(tmp_path)] == [0]
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        writer.flush()
    assert [step for step, _, _ in summaries(tmp_path)] == [0, 1, 2]


KILLED = """
import sys
import runtime as tf
writer = tf.summary.create_file_writer(sys.argv[1], max_queue=1000)
print("ready", flush=True)
with writer.as_default():
    for step in range(1_000_000):
        tf.summary.scalar("x", 1.0, step=step)
"""


def test_a_killed_writer_leaves_whole_records(tmp_path):
    for turn in range(3 if nightly.EVERYTHING else 1):
        folder = tmp_path / str(turn)
        child = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(folder)], stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        assert child.stdout is not None and child.stdout.readline() == b"ready\n"
        time.sleep(0.1 * (turn + 1))
        child.kill()
        child.communicate()
        steps = [step for step, _, _ in summaries(folder)]  # raises for a record that is cut
        assert steps == list(range(len(steps)))
