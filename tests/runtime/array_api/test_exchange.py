"""DLPack both ways: what is shared, what is copied, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
import runtime.array_api as xp

DTYPES = ["bool", "int8", "uint16", "int64", "float32", "float64", "complex64"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_to_numpy_as_a_copy_or_read_only(dtype):
    x = tf.constant(np.array([[1, 0, 1], [0, 1, 1]], dtype))
    for there in (np.from_dlpack(x), np.from_dlpack(x, copy=True)):
        assert there.dtype == dtype and not np.shares_memory(there, np.asarray(x))
        np.testing.assert_array_equal(there, x.numpy())
    shared = np.from_dlpack(x, copy=False)
    assert np.shares_memory(shared, np.asarray(x)) and not shared.flags.writeable


def test_scalars_and_views():
    assert np.from_dlpack(tf.constant(3.5)) == 3.5
    x = tf.constant(np.arange(12.0).reshape(3, 4))
    np.testing.assert_array_equal(np.from_dlpack(x[::2, 1:]), x.numpy()[::2, 1:])
    np.testing.assert_array_equal(np.from_dlpack(tf.transpose(x)), x.numpy().T)


@pytest.mark.parametrize("dtype", DTYPES)
def test_from_numpy_is_a_copy(dtype):
    theirs = np.array([1, 0, 1], dtype)
    x = xp.from_dlpack(theirs)
    theirs[0] = 0
    assert isinstance(x, tf.Tensor) and x.dtype == dtype
    assert x.numpy().tolist() == np.array([1, 0, 1], dtype).tolist()


def test_copy_false_shares_what_nobody_will_write():
    theirs = np.arange(4.0)
    assert np.shares_memory(np.asarray(xp.from_dlpack(theirs, copy=False)), theirs)
    with pytest.raises(TypeError, match="__dlpack__"):
        xp.from_dlpack([1.0])


def test_tensors_pass_as_they_are():
    x = tf.constant([1.0, 2.0])
    assert np.shares_memory(np.asarray(xp.from_dlpack(x)), np.asarray(x))


def test_consumers_without_read_only_memory_get_copies():
    x = tf.constant([1.0, 2.0])
    assert x.__dlpack_device__() == (1, 0)
    assert "dltensor" in repr(x.__dlpack__())
    with pytest.raises(BufferError, match="CPU"):
        x.__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError, match="string"):
        tf.constant("text").__dlpack__()


@pytest.mark.parametrize("version", [None, (0, 8), (1, 0), (2, 0)])
@pytest.mark.parametrize("copy", [None, True, False])
@pytest.mark.parametrize("dtype", DTYPES)
def test_whoever_asks_gets_a_capsule(dtype, copy, version):
    x = tf.constant(np.array([[1, 0], [1, 1]], dtype))
    found = tf.experimental.dlpack.from_dlpack(
        x.__dlpack__(copy=copy, max_version=version, dl_device=(1, 0))
    )
    assert found.dtype is x.dtype and found.numpy().tolist() == x.numpy().tolist()


def test_symbolic_tensors_have_nothing_to_export():
    with tf.Graph().as_default():
        x = tf.constant([1.0])
        for ask in (x.__dlpack__, x.__dlpack_device__):
            with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
                ask()


def test_tensorflows_names():
    from_dlpack, to_dlpack = tf.experimental.dlpack.from_dlpack, tf.experimental.dlpack.to_dlpack
    x = tf.constant([[1, 2], [3, 4]], tf.int16)
    capsule = to_dlpack(x)
    back = from_dlpack(capsule)
    assert back.dtype is tf.int16 and back.numpy().tolist() == [[1, 2], [3, 4]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="at most once"):
        from_dlpack(capsule)
    theirs = np.array([1.0, 2.0])
    kept = [from_dlpack(theirs.__dlpack__()), from_dlpack(theirs.__dlpack__(max_version=(1, 0)))]
    kept.append(from_dlpack(theirs))
    theirs[0] = 9.0
    assert [k.numpy().tolist() for k in kept] == [[1.0, 2.0]] * 3
    for other in ([1], np.ones(2), tf.Variable(1.0)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be an eager tensor"):
            to_dlpack(other)
    with pytest.raises(TypeError, match="__dlpack__"):
        from_dlpack([1.0])
    with tf.Graph().as_default():
        with pytest.raises(tf.errors.InvalidArgumentError, match="SymbolicTensor"):
            to_dlpack(tf.constant(1))


def test_torch_both_ways():
    torch = pytest.importorskip("torch")
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    there = torch.from_dlpack(x)
    there[0, 0] = 9.0  # torch writes to read-only memory, too: it must have a copy
    assert x.numpy()[0, 0] == 1.0
    back = xp.from_dlpack(torch.arange(3))
    assert back.dtype is tf.int64 and back.numpy().tolist() == [0, 1, 2]
