"""Records of examples: messages as protobuf's, and the tensors that TensorFlow makes of them."""

import copy
import pickle

import numpy as np
import pytest

import runtime as tf
from tests.runtime.data.example_calls import STORED
from tests.support.tensorflow_values import assert_agree
from tests.support.ways import in_function, in_session

VALUES = STORED.stored()
train = tf.train


@pytest.mark.parametrize("call", STORED.calls)
def test_as_tensorflow(call):
    assert_agree(STORED.run(tf, call), VALUES[call])
    if call.startswith("io."):
        assert_agree(STORED.run(tf, call, tf.function), VALUES[call])


def record(**features):
    kinds = {"i": lambda v: train.Feature(int64_list=train.Int64List(value=v)),
             "f": lambda v: train.Feature(float_list=train.FloatList(value=v)),
             "b": lambda v: train.Feature(bytes_list=train.BytesList(value=v))}  # fmt: skip
    return train.Example(features=train.Features(
        feature={name: kinds[name[0]](values) for name, values in features.items()}
    ))  # fmt: skip


def test_setting_a_kind_clears_the_others():
    feature = train.Feature()
    feature.int64_list.value.append(3)
    assert feature.WhichOneof("kind") == "int64_list" and feature.HasField("int64_list")
    assert not feature.float_list.value and feature.WhichOneof("kind") == "int64_list"
    feature.float_list.value.extend([1])
    assert feature.WhichOneof("kind") == "float_list" and not feature.int64_list.value


def test_records_are_filled_in_place():
    example = train.Example()
    example.features.feature["i"].int64_list.value.extend([1, -2])
    example.features.feature["b"].bytes_list.value.append(b"x")
    assert example == record(i=[1, -2], b=[b"x"])
    del example.features.feature["b"]
    example.features.feature["i"].int64_list.value[0] = 7
    assert example == record(i=[7, -2]) != record(i=[7])
    assert sorted(example.features.feature) == ["i"] and "b" not in example.features.feature
    sequence = train.SequenceExample()
    steps = sequence.feature_lists.feature_list["x"].feature
    steps.add().int64_list.value.append(2)
    assert train.SequenceExample.FromString(sequence.SerializeToString()) == sequence
    with pytest.raises(ValueError, match="CopyFrom"):
        example.features.feature["z"] = train.Feature()
    with pytest.raises(AttributeError, match=r"'features' .*field of|'features' in protocol"):
        example.features = train.Features()


def test_copies():
    example = record(f=[0.5], i=[1])
    for again in (copy.deepcopy(example), pickle.loads(pickle.dumps(example))):
        assert again == example and again is not example
    other = train.Example()
    other.CopyFrom(example)
    assert other == example
    other.Clear()
    assert other == train.Example() and example.features.feature["i"].int64_list.value == [1]
    with pytest.raises(TypeError, match="same class"):
        other.MergeFrom(train.Features())


def test_fields_of_newer_versions_stay():
    data = record(i=[5]).SerializeToString() + b"\x7a\x03new" + b"\xf8\x01\x07"
    example = train.Example.FromString(data)
    assert example.features.feature["i"].int64_list.value == [5]
    assert example.SerializeToString() == data


@pytest.mark.parametrize("data", [b"\xff", b"\x0a\x05x", b"\x0b", b"\x00\x01", b"\x80" * 12])
def test_damaged_bytes(data):
    with pytest.raises(tf.errors.DataLossError, match="no message"):
        train.Example.FromString(data)


def test_numbers_that_are_not_packed():
    data = b"\x0a\x0f\x0a\x0d\x0a\x01n\x12\x08\x1a\x06\x08\x05\x0a\x02\xac\x02"  # 5, then [300]
    parsed = tf.io.parse_single_example(data, {"n": tf.io.VarLenFeature(tf.int64)})
    assert parsed["n"].values.numpy().tolist() == [5, 300]
    assert train.Example.FromString(data).features.feature["n"].int64_list.value == [5, 300]


def test_numbers_of_any_size():
    numbers = [0, 1, -1, 127, 128, 2**63 - 1, -(2**63), 300, *range(-500, 500, 7)]
    data = record(i=numbers).SerializeToString()
    parsed = tf.io.parse_single_example(data, {"i": tf.io.VarLenFeature(tf.int64)})
    assert parsed["i"].values.numpy().tolist() == numbers
    assert train.Example.FromString(data).features.feature["i"].int64_list.value == numbers


@pytest.fixture
def file(tmp_path):
    with tf.io.TFRecordWriter(tmp_path / "records") as writer:
        for k in range(5):
            raw = np.arange(3, dtype="<f4").tobytes()
            writer.write(record(i=range(k), f=[k / 2], b=[raw]).SerializeToString())
    return str(tmp_path / "records")


FEATURES = {"i": tf.io.VarLenFeature(tf.int64), "f": tf.io.FixedLenFeature([], tf.float32),
            "b": tf.io.FixedLenFeature([], tf.string)}  # fmt: skip


def test_files_of_records(file):
    def parse(text):
        parsed = tf.io.parse_single_example(text, FEATURES)
        dense = tf.sparse.to_dense(parsed["i"])
        return dense, parsed["f"], tf.io.decode_raw(parsed["b"], tf.float32)

    def data():
        return tf.data.TFRecordDataset(file).map(parse)

    batches = data().padded_batch(3, ([None], [], [None]))
    first, second = batches
    assert first[0].numpy().tolist() == [[0, 0], [0, 0], [0, 1]]
    assert second[0].numpy().tolist() == [[0, 1, 2, 0], [0, 1, 2, 3]]
    assert second[1].numpy().tolist() == [1.5, 2.0] and second[2].shape == [2, 3]
    elements = data().as_numpy_iterator()
    assert [(len(i), f, len(b)) for i, f, b in elements] == [(k, k / 2, 3) for k in range(5)]
    sums = lambda: data().map(lambda i, f, b: tf.reduce_sum(i))
    assert in_session(sums) == [0, 0, 1, 3, 6]
    assert in_function(sums) == [(0,), (0,), (1,), (3,), (6,)]


def test_batches_of_records(file):
    data = tf.data.TFRecordDataset(file).batch(2).map(lambda r: tf.io.parse_example(r, FEATURES))
    assert data.element_spec["i"] == tf.SparseTensorSpec([None, None], tf.int64)
    batches = [batch["i"].dense_shape.numpy().tolist() for batch in data]
    assert batches == [[2, 1], [2, 3], [1, 4]]


def test_an_absent_feature_names_itself_and_the_record(file):
    data = tf.data.TFRecordDataset(file).batch(5).map(
        lambda r: tf.io.parse_example(r, {"z": tf.io.FixedLenFeature([], tf.int64)})
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="Feature: z .* in record 0"):
        list(data)
