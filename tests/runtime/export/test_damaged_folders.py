"""Damaged saved models: each loads as it was or raises one clear error; none runs code."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import threading
import zlib
from pathlib import Path

import numpy as np
import pytest

import runtime as tf
from runtime.export import folder as folder_format
from tests.support.nightly import NIGHTLY

X = np.array([[1.0, 2.0], [-3.0, 4.0]], np.float32)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """The folder of a model with all kinds of objects, and the files in it."""
    path = tmp_path_factory.mktemp("saved") / "model"
    file = path.parent / "words.txt"
    file.write_text("word")
    net = tf.Module()
    net.w = tf.Variable([[1.0, 0.5], [2.0, -1.0]], name="w")
    net.names = {"a": [tf.Variable(3, trainable=False)], "b": (0.5, None, "text")}
    net.file = tf.saved_model.Asset(file)
    table = tf.constant(np.arange(100.0, dtype=np.float32))

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
    def f(x):
        total = x
        while tf.reduce_sum(tf.abs(total)) < 20.0:
            total = tf.matmul(total, net.w) + tf.gather(table, net.names["a"][0])
        tf.debugging.Assert(tf.reduce_all(tf.math.is_finite(total)), [total])
        return {"total": total, "word": tf.io.read_file(net.file.asset_path)}

    net.f = f
    tf.saved_model.save(net, path)
    return path, {p.relative_to(path): p.read_bytes() for p in path.rglob("*") if p.is_file()}


def outcome(path):
    """What the loaded model computes, as text; DataLossError passes."""
    loaded = tf.saved_model.load(path)
    found = loaded.f(X)
    return repr((found["total"].numpy().tolist(), found["word"].numpy(), loaded.w.numpy().tolist(),
                 loaded.names["b"], list(loaded.signatures)))  # fmt: skip


def restore(path, files):
    for name, content in files.items():
        (path / name).write_bytes(content)


def damaged(content, rng):
    """The bytes with one to three changes."""
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(content) + 1)
        to = min(len(content), at + rng.choice((1, 2, 8, 100)))
        kind = rng.randrange(5)
        if kind == 0:
            content = content[:at] + content[to:]
        elif kind == 1:
            content = content[:at] + rng.randbytes(to - at) + content[to:]
        elif kind == 2:
            content = content[:at] + content[at:to] * 2 + content[to:]
        elif kind == 3 and rng.random() < 0.2:
            content = content[:at]
        else:
            content = content[:at] + bytes([rng.randrange(32, 127)]) + content[at + 1 :]
    return content


@pytest.mark.parametrize("count", [100, pytest.param(10_000, marks=NIGHTLY)])
def test_a_changed_file_loads_as_it_was_or_is_refused(model, count):
    path, files = model
    wanted, rng, refused = outcome(path), random.Random(count), 0
    names = sorted(files)
    for number in range(count):
        name = names[number % len(names)]
        (path / name).write_bytes(damaged(files[name], rng))
        try:
            assert outcome(path) == wanted, (number, name)
        except (tf.errors.DataLossError, tf.errors.FailedPreconditionError) as error:
            assert str(path) in str(error)
            refused += 1
        restore(path, {name: files[name]})
    assert refused > count * 0.9


def stamp(path):
    """Make the checksums right, as one who forges a model would."""
    content = json.loads((path / "saved_model.json").read_text())
    for name, entry in content["files"].items():
        file = path / name
        if name.endswith(".txt"):
            entry.update(bytes=file.stat().st_size, checksum=str(zlib.crc32(file.read_bytes())))
    content["checksum"] = folder_format._checksum_of_index(content)
    (path / "saved_model.json").write_text(json.dumps(content))


NONSENSE = [
    None, True, -1, 0, 1, 10**30, 1e308, "", "x", "\0", "../../etc/passwd", "@w", [], [[]], {},
    {"value": 1}, {"tensor": 0}, {"tensor": 10**9}, {"list": [{"tensor": 0}]}, {"float": "x"},
    {"spec": ["float32", [10**12], None]}, {"named": ["A", ["b"], []]}, {"dict": [[1]]},
    "__class__", "__call__", "__dict__", {"shape": [-1]}, "w", "f", "object", "function", 2**62,
]  # fmt: skip


def forged(value, rng, depth=0):
    """JSON in which a value somewhere is another one."""
    if isinstance(value, dict) and value and (depth < 1 or rng.random() < 0.9):
        key = rng.choice(sorted(value))
        if rng.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: forged(value[key], rng, depth + 1)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        return [*value[:at], forged(value[at], rng, depth + 1), *value[at + 1 :]]
    return rng.choice(NONSENSE)


@pytest.fixture
def limits():
    """A process that may take 4 GB more, and half a minute for a model."""
    def late(number, frame):
        raise AssertionError("it takes too long")

    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 2**32, before[1]))
    handler = signal.signal(signal.SIGALRM, late)
    yield lambda seconds: signal.alarm(seconds)
    signal.alarm(0)
    signal.signal(signal.SIGALRM, handler)
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="it measures memory on Linux")
@pytest.mark.parametrize("count", [100, pytest.param(10_000, marks=NIGHTLY)])
def test_forged_models_run_nothing_and_take_little(model, count, limits):
    path, files = model
    rng, refused = random.Random(count), 0
    for number in range(count):
        if number % 2:
            content = json.loads(files[Path("saved_model.json")])
            part = rng.choice(("objects", "objects", "signatures"))
            content[part] = forged(content[part], rng)
            (path / "saved_model.json").write_text(json.dumps(content))
        else:
            (path / "graphs.txt").write_bytes(damaged(files[Path("graphs.txt")], rng))
        stamp(path)
        limits(30)
        try:
            tf.saved_model.load(path)
        except tf.errors.DataLossError:
            refused += 1
        limits(0)
        restore(path, files)
    assert refused > count // 3


def test_missing_files_and_other_folders(model, tmp_path):
    path, files = model
    for name in files:
        (path / name).rename(tmp_path / "away")
        errors = tf.errors.DataLossError, tf.errors.NotFoundError
        with pytest.raises(errors[name.name == "saved_model.json"], match=name.name):
            tf.saved_model.load(path)
        (tmp_path / "away").rename(path / name)
    with pytest.raises(OSError, match="there is no saved model: a folder with the file"):
        tf.saved_model.load(tmp_path / "nothing")


def test_versions(model):
    path, files = model
    content = json.loads(files[Path("saved_model.json")])
    for version, readable_by, error in ((2, 1, None), (3, 2, "can be read from version 2 on")):
        content.update(version=version, readable_by=readable_by, later="news")
        (path / "saved_model.json").write_text(json.dumps(content))
        stamp(path)
        if error is None:
            assert tf.saved_model.load(path).w.shape == [2, 2]
        else:
            with pytest.raises(tf.errors.FailedPreconditionError, match=error):
                tf.saved_model.load(path)
        restore(path, files)


def test_writing_replaces_models_and_nothing_else(tmp_path):
    net = tf.Module()
    net.v = tf.Variable(1.0)
    path = tmp_path / "m"
    tf.saved_model.save(net, path)
    (path / "notes.md").write_text("mine")
    net.v.assign(2.0)
    tf.saved_model.save(net, path)
    assert tf.saved_model.load(path).v.numpy() == 2.0
    assert (path / "notes.md").read_text() == "mine"
    net.f = tf.function(lambda: tf.py_function(lambda: 1.0, [], tf.float32), input_signature=[])
    with pytest.raises(tf.errors.UnimplementedError):
        tf.saved_model.save(net, path)
    assert tf.saved_model.load(path).v.numpy() == 2.0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["m"]
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("mine")
    with pytest.raises(tf.errors.AlreadyExistsError, match="is no saved model"):
        tf.saved_model.save(tf.Module(), other)
    assert (other / "thesis.txt").read_text() == "mine"


def test_the_folder_that_a_process_works_in_is_replaced_with_care(tmp_path, monkeypatch):
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    (tmp_path / "work" / "mine.txt").write_text("mine")
    for path in ("", ".", b"."):
        with pytest.raises(tf.errors.AlreadyExistsError, match="is no saved model"):
            tf.saved_model.save(tf.Module(), path)
    (tmp_path / "work" / "mine.txt").unlink()
    for path in ("", ".", b"."):
        module = tf.Module()
        module.path = str(path)
        tf.saved_model.save(module, path)
        assert tf.saved_model.contains_saved_model("")
        assert tf.saved_model.load(path).path == module.path
    assert sorted(os.listdir(".")) == ["assets", "graphs.txt", "saved_model.json", "variables"]


def _module(number):
    module = tf.Module()
    module.number, module.value = number, tf.Variable(tf.fill([2000], float(number)))
    return module


def test_several_writers_and_readers_meet_whole_models(tmp_path):
    path = tmp_path / "m"
    tf.saved_model.save(_module(0), path)
    (path / "mine.txt").write_text("mine")
    faults, done = [], threading.Event()

    def guarded(work):
        try:
            work()
        except BaseException as error:
            faults.append(error)

    def write(number):
        module = _module(number)
        for _ in range(5):
            tf.saved_model.save(module, path)

    def read():
        while not done.is_set():
            found = tf.saved_model.load(path)
            assert (found.value.numpy() == found.number).all()

    reader = threading.Thread(target=guarded, args=[read])
    writers = [threading.Thread(target=guarded, args=[lambda k=k: write(k)]) for k in (1, 2, 3)]
    for thread in (reader, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    reader.join()
    assert not faults and os.listdir(tmp_path) == ["m"]
    assert (path / "mine.txt").read_text() == "mine"
