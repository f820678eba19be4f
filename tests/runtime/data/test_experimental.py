"""``data.experimental``: ``pad_to_cardinality`` and tables of datasets."""

import pytest

import runtime as tf
from tests.support.ways import elements, in_session

experimental = tf.data.experimental
D = tf.data.Dataset


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
