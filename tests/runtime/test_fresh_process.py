"""Each public name works alone, as the first one that a process uses: nothing must come before."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import runtime as tf
from tests.support import ROOT
from tests.support.nightly import NIGHTLY

MODULES = (
    "", "array_api", "autodiff", "bitwise", "config", "data", "data.experimental", "debugging",
    "dtypes", "errors", "experimental", "io", "linalg", "lookup", "math", "nest", "nn", "queue",
    "ragged", "random", "signal", "strings", "test",
)  # fmt: skip

FETCH = """
import sys
import runtime as tf
def found(path):
    value = tf
    for name in path.split("."):
        value = getattr(value, name)
    return value
"""

USES = {
    "make_csv_dataset": """
        open("t.csv", "w").write("a,b\\n1,2\\nx,y,z\\n3,4\\n")
        batches = tf.data.experimental.make_csv_dataset(
            "t.csv", 2, column_defaults=[0, 0], num_epochs=1, shuffle=False, ignore_errors=True)
        (batch,) = batches.as_numpy_iterator()
        assert batch["a"].tolist() == [1, 3]""",
    "make_csv_dataset with inference": """
        open("t.csv", "w").write("a,b\\n1,2.5\\n3,4\\n")
        batches = tf.data.experimental.make_csv_dataset(
            "t.csv", 2, num_epochs=1, shuffle=False, ignore_errors=True)
        (batch,) = batches.as_numpy_iterator()
        assert batch["a"].tolist() == [1, 3] and batch["b"].tolist() == [2.5, 4.0]""",
    "flat_map of TextLineDataset": """
        open("t.csv", "w").write("a\\nb")
        names = tf.data.Dataset.from_tensor_slices(["t.csv"])
        lines = names.flat_map(tf.data.TextLineDataset)
        assert list(lines.as_numpy_iterator()) == [b"a", b"b"]""",
    "interleave of TFRecordDataset": """
        with tf.io.TFRecordWriter("t.records") as writer:
            writer.write("a")
        names = tf.data.Dataset.from_tensor_slices(["t.records"])
        records = names.interleave(tf.data.TFRecordDataset)
        assert list(records.as_numpy_iterator()) == [b"a"]""",
    "save and load": """
        tf.data.Dataset.range(2).save("saved")
        assert list(tf.data.Dataset.load("saved").as_numpy_iterator()) == [0, 1]""",
    "load alone": """
        assert list(tf.data.Dataset.load("saved").as_numpy_iterator()) == [0, 1]""",
    "decode_csv": """
        assert [int(c) for c in tf.io.decode_csv("1,2", [0, 0])] == [1, 2]""",
    "queue": """
        q = tf.queue.FIFOQueue(2, tf.int32)
        q.enqueue(1)
        assert int(q.dequeue()) == 1""",
    "lookup": """
        pairs = tf.lookup.KeyValueTensorInitializer(["a"], [1])
        assert int(tf.lookup.StaticHashTable(pairs, 0).lookup(tf.constant("a"))) == 1""",
    "strings": """
        assert int(tf.strings.to_hash_bucket_fast("a", 1)) == 0
        assert tf.strings.unicode_split("ab", "UTF-8").shape == [2]
        assert tf.strings.ngrams(["a", "b"], 2).numpy().tolist() == [b"a b"]""",
    "graph_from_text": """
        from runtime.graph.parser import graph_from_text
        text = "a = constant(value=b'1') : string[]\\nb = constant(value=0) : int32[]\\n"
        graph_from_text(text + "c = decode_csv(a, b, field_delim=b',', quotes=True, na_value=b'', "
            "columns=None) : int32[]")""",
}  # fmt: skip


def run(code, folder, names=()):
    return subprocess.run(
        [sys.executable, "-c", code, *names], cwd=folder, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=1800,
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("fresh")
    tf.data.Dataset.range(2).save(path / "saved")
    return path


@pytest.mark.parametrize("use", USES)
def test_uses_in_a_fresh_process(use, folder):
    lines = [line.removeprefix(" " * 8) for line in USES[use].split("\n")]
    done = run("import runtime as tf\n" + "\n".join(lines), folder)
    assert done.returncode == 0, done.stderr[-2000:]


def names_of(module):
    space = tf
    for part in filter(None, module.split(".")):
        space = getattr(space, part)
    return [f"{module}.{name}".lstrip(".") for name in dir(space) if not name.startswith("_")]


# In a fork of a process that has imported NumPy only, which costs no new interpreter.
EACH = f"""
import os, sys
import numpy, numpy.fft, numpy.linalg, numpy.random
failed = []
for name in sys.argv[1:]:
    if os.fork() == 0:
        try:
            exec({FETCH!r}, space := {{}})
            value = space["found"](name)
            repr(value), getattr(value, "__doc__", None)
        except BaseException as error:
            print(name, repr(error), flush=True)
            os._exit(1)
        os._exit(0)
    if os.wait()[1]:
        failed.append(name)
sys.exit(bool(failed))
"""


@NIGHTLY
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_can_be_the_first(module, folder):
    names = names_of(module)
    done = run(EACH, folder, names)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]


def test_samples_of_names_can_be_the_first(folder):
    names = [name for module in MODULES for name in names_of(module)][::300]
    done = run(EACH, folder, names)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
