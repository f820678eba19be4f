"""``group_by_reducer``, ``pad_to_cardinality`` and tables of datasets."""

import numpy as np
import pytest

import runtime as tf
from tests.runtime.data.ways import elements, in_session

experimental = tf.data.experimental
D = tf.data.Dataset


def mean_by(remainder):
    reducer = experimental.Reducer(
        lambda key: (0.0, 0.0),
        lambda state, x: (state[0] + tf.cast(x, tf.float32), state[1] + 1),
        lambda total, count: {"mean": total / count, "count": count},
    )
    return D.range(7).apply(experimental.group_by_reducer(lambda x: x % remainder, reducer))


def test_one_element_for_each_key():
    expected = [{"mean": 3.0, "count": 4.0}, {"mean": 3.0, "count": 3.0}]
    assert elements(mean_by(2)) == in_session(lambda: mean_by(2)) == expected


def test_keys_come_in_order_and_reach_the_first_state():
    reducer = experimental.Reducer(
        lambda key: key * 100, lambda state, x: state + x, lambda state: state
    )
    data = D.from_tensor_slices(np.array([5, -1, 5, 2], np.int64))
    assert elements(data.apply(experimental.group_by_reducer(lambda x: x, reducer))) == [
        -101, 202, 510]  # fmt: skip


def test_states_may_grow():
    reducer = experimental.Reducer(
        lambda key: np.zeros(0, np.int64), lambda s, x: tf.concat([s, [x]], 0), lambda s: s
    )
    data = D.range(5).apply(experimental.group_by_reducer(lambda x: x // 3, reducer))
    assert data.element_spec == tf.TensorSpec([None], tf.int64)
    assert elements(data) == [[0, 1, 2], [3, 4]]


def test_states_keep_their_dtype():
    reducer = experimental.Reducer(lambda key: 0, lambda s, x: x, lambda s: s)
    with pytest.raises(TypeError, match="must have the structure and the dtypes of the initial"):
        D.range(5).apply(experimental.group_by_reducer(lambda x: x, reducer))
    with pytest.raises(ValueError, match="must be a scalar"):
        D.range(5).apply(experimental.group_by_reducer(lambda x: tf.stack([x]), reducer))


def test_padding_to_a_number_of_elements():
    pad = experimental.pad_to_cardinality
    data = D.from_tensor_slices({"a": [1, 2], "b": ([b"x", b"y"], [3.0, 4.0])})
    expected = [
        {"a": 1, "b": (b"x", 3.0), "valid": True}, {"a": 2, "b": (b"y", 4.0), "valid": True},
        {"a": 0, "b": (b"", 0.0), "valid": False},
    ]  # fmt: skip
    assert elements(data.apply(pad(3))) == in_session(lambda: D.from_tensor_slices(
        {"a": [1, 2], "b": ([b"x", b"y"], [3.0, 4.0])}).apply(pad(3))) == expected  # fmt: skip
    assert elements(data.apply(pad(2, "real")))[1]["real"] is True
    for bad, text in (
        (D.range(3), "to be a dictionary"), (data.repeat(), "has cardinality -1"),
        (data.repeat(3), r"target cardinality \(3\), but has cardinality 6"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=text):
            bad.apply(pad(3))


def test_a_table_of_pairs():
    pairs = D.range(5).map(lambda x: (x, tf.strings.as_string(x * x)))
    table = tf.lookup.StaticHashTable(experimental.DatasetInitializer(pairs), "none")
    found = table.lookup(tf.constant([2, 4, 7], tf.int64))
    assert found.numpy().tolist() == [b"4", b"16", b"none"]
    with pytest.raises(ValueError, match="pairs of scalars"):
        experimental.DatasetInitializer(D.zip((D.range(4), D.range(4).batch(2))))
