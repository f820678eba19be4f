"""Norms over several tensors, clipping by them, saturating casts, dropout."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf


def test_clip_by_norm():
    np.testing.assert_allclose(tf.clip_by_norm([3.0, 4.0], 1.0).numpy(), [0.6, 0.8], rtol=1e-6)
    assert tf.clip_by_norm([0.3, 0.4], 1.0).numpy().tolist() == pytest.approx([0.3, 0.4])
    rows = tf.clip_by_norm([[3.0, 4.0], [0.0, 0.5]], 1.0, axes=[1]).numpy()
    np.testing.assert_allclose(rows, [[0.6, 0.8], [0, 0.5]], rtol=1e-6)


def test_clip_by_global_norm():
    tensors, norm = tf.clip_by_global_norm([tf.constant([3.0]), None, tf.constant([4.0])], 2.5)
    assert norm.numpy() == 5 and tensors[1] is None
    assert [t.numpy().tolist() for t in tensors if t is not None] == [[1.5], [2.0]]
    tensors, _ = tf.clip_by_global_norm([tf.constant([np.inf])], 1.0)
    assert np.isnan(tensors[0].numpy()).all()
    assert tf.global_norm([[3.0], [4.0]]).numpy() == 5


def test_saturate_cast():
    big = tf.constant([1e20, -1e20, 3.7])
    for dtype in (tf.int32, tf.uint8, tf.int64):
        found = tf.saturate_cast(big, dtype).numpy()
        assert found[1] == dtype.min and found[2] == 3
        assert dtype.max * 0.999 < found[0] <= dtype.max
    assert tf.saturate_cast([300, -5], tf.uint8).numpy().tolist() == [255, 0]


def test_dropout():
    tf.random.set_seed(3)
    kept = tf.nn.dropout(tf.ones([1000]), 0.25).numpy()
    assert set(kept.tolist()) == {0, np.float32(1 / 0.75)} and abs((kept == 0).mean() - 0.25) < 0.05
    rows = tf.nn.dropout(tf.ones([50, 3]), 0.5, noise_shape=[50, 1]).numpy()
    assert (rows == rows[:, :1]).all()
    assert tf.nn.zero_fraction([0.0, 1.0, 0.0, 2.0]).numpy() == 0.5
    with pytest.raises(ValueError, match="in the range"):
        tf.nn.dropout([1.0], 1.0)
