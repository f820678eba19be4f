"""Random ops: seeds give the same numbers eagerly and in graphs; distributions; strings aside."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import errors


def draw(run):
    """Four draws under one global seed, two of them with seeds of their own."""
    tf.random.set_seed(7)
    tensors = [
        tf.random.uniform([3]), tf.random.normal([2, 2]), tf.random.uniform([3], seed=5),
        tf.random.shuffle(tf.range(10)),
    ]  # fmt: skip
    return run(tensors)


def test_graph_draws_as_eager():
    eager = draw(lambda tensors: [t.numpy() for t in tensors])
    again = draw(lambda tensors: [t.numpy() for t in tensors])
    with tf.Graph().as_default() as graph:
        staged = draw(tf.Session(graph=graph).run)
    for a, b, c in zip(eager, again, staged):
        np.testing.assert_array_equal(a, b, strict=True)
        np.testing.assert_array_equal(a, c, strict=True)


def test_streams_go_on():
    tf.random.set_seed(7)
    eager = [tf.random.uniform([2], seed=3).numpy().tolist() for _ in range(3)]
    assert eager[0] != eager[1] != eager[2]
    tf.random.set_seed(7)
    with tf.Graph().as_default() as graph:
        x = tf.random.uniform([2], seed=3)
        session = tf.Session(graph=graph)
        assert [session.run(x).tolist() for _ in range(3)] == eager
        first, second = session.run([tf.random.normal([2]), tf.random.normal([2])])
        assert first.tolist() != second.tolist()


def test_stateless_depends_on_its_seed_alone():
    one = tf.random.stateless_uniform([3], seed=[1, 2]).numpy()
    assert one.tolist() == tf.random.stateless_uniform([3], seed=[1, 2]).numpy().tolist()
    assert one.tolist() != tf.random.stateless_uniform([3], seed=[1, 3]).numpy().tolist()


def test_distributions():
    tf.random.set_seed(1)
    n = 20_000
    u = tf.random.uniform([n], -1.0, 3.0)
    assert u.dtype == tf.float32 and -1 <= u.numpy().min() and u.numpy().max() < 3
    assert abs(u.numpy().mean() - 1) < 0.05
    z = tf.random.normal([n], 2.0, 3.0).numpy()
    assert abs(z.mean() - 2) < 0.1 and abs(z.std() - 3) < 0.1 and z.dtype == np.float32
    t = tf.random.truncated_normal([n]).numpy()
    assert np.abs(t).max() <= 2 and t.dtype == np.float32
    i = tf.random.uniform([n], 2, 5, tf.int32).numpy()
    assert set(i.tolist()) == {2, 3, 4} and i.dtype == np.int32
    c = tf.random.categorical(np.log([[0.2, 0.8]]), n).numpy()
    assert c.shape == (1, n) and c.dtype == np.int64 and abs(c.mean() - 0.8) < 0.02


def test_mistakes():
    with pytest.raises(ValueError, match="Must specify maxval for integer dtype"):
        tf.random.uniform([2], dtype=tf.int32)
    with pytest.raises(errors.InvalidArgumentError, match="Need minval < maxval, got 3 >= 3"):
        tf.random.uniform([2], 3, 3, tf.int32)
    with pytest.raises(TypeError, match="seed must be an int"):
        tf.random.set_seed("x")
