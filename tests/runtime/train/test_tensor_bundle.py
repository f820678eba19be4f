"""Checkpoints of TensorFlow's: files that TensorFlow 2.21 wrote are read, and such are written."""

from pathlib import Path

import numpy as np
import pytest

import runtime as tf
from runtime.train.tensor_bundle import TensorBundle

FILES = Path(__file__).with_name("tensorflow_checkpoint")
# What TensorFlow saved: a module with these variables, and a step.
VALUES = {
    "net/w": np.arange(6, dtype=np.float32).reshape(2, 3), "net/b/0": np.array([1, 2]),
    "net/b/1": np.array(True), "net/s": np.array([b"a", b"bcd"], object),
    "net/h": np.array([1.5], np.float16), "net/z": np.zeros((0, 3)),
    "step": np.array(7, np.int32),
}  # fmt: skip


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(np.zeros((2, 3), np.float32))
        self.b = [tf.Variable([0, 0], dtype=tf.int64), tf.Variable(False)]
        self.s = tf.Variable(["", ""])
        self.h = tf.Variable(np.float16([0]))
        self.z = tf.Variable(np.zeros((0, 3)))


def holds(net, step):
    found = {"net/w": net.w, "net/b/0": net.b[0], "net/b/1": net.b[1], "net/s": net.s,
             "net/h": net.h, "net/z": net.z, "step": step}  # fmt: skip
    for key, value in VALUES.items():
        np.testing.assert_array_equal(found[key].numpy(), value, strict=key != "net/b/1")


def test_values_are_read():
    reader = tf.train.load_checkpoint(str(FILES / "ckpt-1"))
    shapes = reader.get_variable_to_shape_map()
    assert shapes["net/w/.ATTRIBUTES/VARIABLE_VALUE"] == [2, 3]
    assert reader.get_variable_to_dtype_map()["net/h/.ATTRIBUTES/VARIABLE_VALUE"] is tf.float16
    for key, value in VALUES.items():
        for name in (key, f"{key}/.ATTRIBUTES/VARIABLE_VALUE"):
            np.testing.assert_array_equal(reader.get_tensor(name), value)
    assert not reader.has_tensor("net/x")
    assert tf.train.list_variables(str(FILES / "v1model-3")) == [
        ("global_step", []), ("layer/kernel", [4])]  # fmt: skip
    kernel = tf.train.load_variable(str(FILES / "v1model-3"), "layer/kernel")
    assert kernel.tolist() == [0.0, 1.0, 2.0, 3.0]


def test_objects_are_restored():
    net, step = Net(), tf.Variable(0)
    tf.train.Checkpoint(net=net, step=step).restore(str(FILES / "ckpt-1")).assert_consumed()
    holds(net, step)


def test_written_and_read(tmp_path):
    net, step = Net(), tf.Variable(0)
    checkpoint = tf.train.Checkpoint(net=net, step=step)
    checkpoint.restore(str(FILES / "ckpt-1"))
    prefix = tf.export.tensorflow_checkpoint(checkpoint, tmp_path / "ours")
    again, other_step = Net(), tf.Variable(0)
    tf.train.Checkpoint(net=again, step=other_step).restore(prefix)
    holds(again, other_step)
    ours, theirs = (TensorBundle(f"{p}.index") for p in (prefix, FILES / "ckpt-1"))
    for name in theirs.names:  # the same bytes, and so the same checksums
        if name in ours.names and not name.startswith("_"):
            assert ours._entries[name].crc32c == theirs._entries[name].crc32c


@pytest.mark.parametrize("place", [3, 60, -2])
def test_damaged_index(tmp_path, place):
    data = bytearray((FILES / "ckpt-1.index").read_bytes())
    data[place] ^= 0x55
    (tmp_path / "x.index").write_bytes(data)
    with pytest.raises((tf.errors.DataLossError, tf.errors.UnimplementedError)):
        tf.train.load_checkpoint(str(tmp_path / "x"))


def test_damaged_values(tmp_path):
    (tmp_path / "x.index").write_bytes((FILES / "ckpt-1.index").read_bytes())
    with pytest.raises(tf.errors.NotFoundError):
        tf.train.load_variable(str(tmp_path / "x"), "net/w")
    data = (FILES / "ckpt-1.data-00000-of-00001").read_bytes()
    (tmp_path / "x.data-00000-of-00001").write_bytes(bytes([1 ^ b for b in data]))
    for name in ("net/w", "net/s"):
        with pytest.raises(tf.errors.DataLossError):
            tf.train.load_variable(str(tmp_path / "x"), name)


def test_an_object_without_variables(tmp_path):
    with pytest.raises(ValueError, match="holds no variables"):
        tf.export.tensorflow_checkpoint(tf.Module(), tmp_path / "x")
