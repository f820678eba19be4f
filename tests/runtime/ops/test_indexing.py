"""``x[key]``: every form of Python and NumPy, eagerly and in a graph, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runtime as tf
from runtime import errors
from tests.support.nightly import examples

SHAPE = (3, 4, 2)
X = np.arange(24, dtype=np.int32).reshape(SHAPE)


def ints(size):
    return st.integers(-size, size - 1)


def bounds(size):
    return st.none() | st.integers(-size - 2, size + 2)


def slices(size):
    steps = st.none() | st.integers(-3, 3).filter(bool)
    return st.builds(slice, bounds(size), bounds(size), steps)


def index_arrays(size):
    shape = st.sampled_from([(2,), (1,), (2, 1)])
    return shape.flatmap(
        lambda s: st.lists(ints(size), min_size=s[0], max_size=s[0]).map(
            lambda v: np.array(v, np.int32).reshape(s)
        )
    )


@st.composite
def keys(draw):
    """A key for SHAPE: entries per axis, with ``...`` and None strewn in."""
    depth = draw(st.integers(0, 3))
    key = []
    arrays = 0
    for size in SHAPE[:depth]:
        kinds = [ints(size), slices(size)] + ([index_arrays(size)] if arrays < 2 else [])
        entry = draw(st.one_of(kinds))
        arrays += isinstance(entry, np.ndarray)
        key.append(entry)
    if draw(st.booleans()):
        key.append(...)
    for _ in range(draw(st.integers(0, 2))):
        key.insert(draw(st.integers(0, len(key))), None)
    return tuple(key)


def tensors_in(key, make):
    """The key with its numbers, also those in slices, and arrays as tensors."""

    def one(part):
        if isinstance(part, slice):
            return slice(*[b if b is None else make(np.int32(b)) for b in
                           (part.start, part.stop, part.step)])
        return part if part is None or part is ... else make(np.asarray(part, np.int32))

    return tuple(map(one, key))


@settings(max_examples=examples(150, kept=60), deadline=None)
@given(keys(), st.booleans(), st.booleans())
def test_agrees_with_numpy(key, as_tensors, known):
    expected = X[key]
    eager_key = tensors_in(key, tf.constant) if as_tensors else key
    np.testing.assert_array_equal(tf.constant(X)[eager_key].numpy(), expected)
    with tf.Graph().as_default() as graph:
        feeds = {}

        def make(value):
            if known:
                return tf.constant(value)
            holder = tf.placeholder(tf.int32, np.shape(value))
            feeds[holder] = value
            return holder

        x = tf.constant(X) if known else make(X)
        y = x[tensors_in(key, make) if as_tensors else key]
        found = tf.Session(graph=graph).run(y, feeds)
    assert y.shape.is_compatible_with(expected.shape)
    if known or not as_tensors:
        assert y.shape == expected.shape or any(isinstance(k, np.ndarray) for k in key)
    np.testing.assert_array_equal(found, expected)


def test_lists_and_masks():
    x = tf.constant(X)
    mask = X > 11
    np.testing.assert_array_equal(x[[2, 0]].numpy(), X[[2, 0]])
    np.testing.assert_array_equal(x[mask].numpy(), X[mask])
    np.testing.assert_array_equal(x[tf.constant(mask)].numpy(), X[mask])
    np.testing.assert_array_equal(x[[True, False, True]].numpy(), X[[True, False, True]])
    np.testing.assert_array_equal(x[:, [True, False, False, True], 1].numpy(),
                                  X[:, [True, False, False, True], 1])
    np.testing.assert_array_equal(x[tf.newaxis, ..., 0].numpy(), X[None, ..., 0])
    np.testing.assert_array_equal(x[[]].numpy(), X[:0])


def test_out_of_bounds_is_both_errors():
    x = tf.constant([1, 2, 3])
    for index in (3, -4, tf.constant(5)):
        with pytest.raises(IndexError, match="out of bounds") as caught:
            x[index]
        assert isinstance(caught.value, errors.InvalidArgumentError)


def test_refusals():
    x = tf.constant([1, 2, 3])
    with pytest.raises(TypeError, match="Only integers, slices"):
        x["a"]
    with pytest.raises(TypeError, match="Only integers, slices"):
        x[1.5]
    with pytest.raises(TypeError, match=r"dtype float32. Use runtime.cast\(index"):
        x[tf.constant(1.0)]
    for kind in (ValueError, IndexError):
        with pytest.raises(kind, match="too many indices"):
            x[0, 0]
    with pytest.raises(ValueError, match="bounds of a slice must be scalars"):
        x[: tf.constant([1])]
