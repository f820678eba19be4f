"""Layers with vocabularies, bins and encodings agree with Keras', eagerly and staged, and saved."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from tests.runtime.keras.feature_golden import CASES, PAGE, array_of, facts

GOLDEN = json.loads(PAGE.read_text(encoding="utf-8"))
BY_NAME = {case.name: case for case in CASES}


@pytest.mark.parametrize("name", BY_NAME)
def test_facts_are_those_of_keras(name):
    for way in (lambda layer: layer, tf.function):
        found = json.loads(json.dumps(facts(keras, BY_NAME[name], way)))
        wanted = dict(GOLDEN[name])
        np.testing.assert_equal(found.pop("config"), wanted.pop("config"))
        if wanted["dtype"] != "object":
            np.testing.assert_allclose(found.pop("output"), wanted.pop("output"), atol=2e-5)
        assert found == wanted


@pytest.mark.parametrize("name", BY_NAME)
def test_copies_of_configurations_and_saved_functions_are_equal(name, tmp_path):
    case = BY_NAME[name]
    layer = getattr(keras.layers, case.kind)(**case.arguments)
    if case.data is not None:
        layer.adapt(array_of(case.data))
    inputs = tf.constant(array_of(case.inputs))
    wanted = np.asarray(layer(inputs))
    config = json.loads(json.dumps(layer.get_config()))
    np.testing.assert_array_equal(type(layer).from_config(config)(inputs), wanted)
    module = tf.Module()
    module.layer = layer
    spec = tf.TensorSpec([None, *inputs.shape[1:]] if inputs.shape.rank else [], inputs.dtype)
    module.f = tf.function(lambda x: layer(x), input_signature=[spec])
    try:
        tf.saved_model.save(module, str(tmp_path))
    except tf.errors.UnimplementedError as error:
        assert re.search("AsString|StringNGrams|UnicodeDecode", str(error))  # noqa: PT017
        return
    np.testing.assert_array_equal(tf.saved_model.load(str(tmp_path)).f(inputs), wanted)


def test_models_of_texts_are_trained_and_saved(tmp_path):
    texts = np.array([["the cat"], ["a dog"], ["the dog"]], object)
    layer = keras.layers.TextVectorization(output_sequence_length=3)
    layer.adapt(texts)
    model = keras.Sequential([
        keras.Input((1,), dtype="string"), layer,
        keras.layers.Embedding(layer.vocabulary_size(), 2), keras.layers.Flatten(),
        keras.layers.Dense(1),
    ])  # fmt: skip
    model.compile("sgd", "mse")
    model.fit(texts, np.array([[0.0], [1.0], [1.0]]), verbose=0)
    again = keras.Sequential.from_config(model.get_config())
    again.set_weights(model.get_weights())
    np.testing.assert_array_equal(again(texts), model(texts))


def test_vocabularies_in_files(tmp_path):
    (tmp_path / "words").write_text("a\nß\nc\n", encoding="utf-8")
    layer = keras.layers.StringLookup(vocabulary=str(tmp_path / "words"))
    assert layer.get_vocabulary() == ["[UNK]", "a", "ß", "c"]
    assert layer(tf.constant(["ß", "x"])).numpy().tolist() == [2, 0]


def test_batches_ragged_texts_and_functions():
    data = tf.data.Dataset.from_tensor_slices(["a b", "b c", "c c"]).batch(2)
    layer = keras.layers.TextVectorization(ragged=True, standardize=tf.strings.upper)
    layer.adapt(data)
    assert layer.get_vocabulary() == ["", "[UNK]", "C", "B", "A"]
    assert layer(tf.constant(["a", "b b q"])).to_list() == [[4], [3, 3, 1]]
    lookup = keras.layers.IntegerLookup()
    lookup.adapt(tf.data.Dataset.range(10).repeat().batch(5), steps=3)
    assert sorted(lookup.get_vocabulary()[1:]) == list(range(10))


REFUSED = [
    ("CategoryEncoding", {}, "num_tokens must be set"),
    ("CategoryEncoding", {"num_tokens": 0}, "must be >= 1"),
    ("CategoryEncoding", {"num_tokens": 2, "output_mode": "int"}, "output_mode"),
    ("CategoryEncoding", {"num_tokens": 2, "sparse": True}, "no sparse tensors"),
    ("Hashing", {"num_bins": 0}, "num_bins"),
    ("Hashing", {"num_bins": 2, "salt": "x"}, "salt"),
    ("Discretization", {}, "Exactly one"),
    ("Discretization", {"num_bins": 2, "bin_boundaries": [1.0]}, "Exactly one"),
    ("StringLookup", {"vocabulary": ["a", "a"]}, "repeated term"),
    ("StringLookup", {"vocabulary": []}, "empty vocabulary"),
    ("StringLookup", {"vocabulary": ["a", "b"], "max_tokens": 2}, "larger than the maximum"),
    ("StringLookup", {"vocabulary": ["a", ""], "mask_token": ""}, "reserved mask token"),
    ("StringLookup", {"vocabulary": ["a"], "output_mode": "tf_idf"}, "idf_weights"),
    ("StringLookup", {"invert": True, "output_mode": "count"}, "invert"),
    ("IntegerLookup", {"salt": 3}, "salt"),
    ("TextVectorization", {"split": "lines"}, "split"),
    ("TextVectorization", {"output_mode": "count", "output_sequence_length": 3}, "sequence_length"),
]


@pytest.mark.parametrize(("kind", "arguments", "match"), REFUSED)
def test_wrong_arguments(kind, arguments, match):
    with pytest.raises(ValueError, match=match):
        getattr(keras.layers, kind)(**arguments)


def test_calls_that_are_refused():
    with pytest.raises(RuntimeError, match="has no vocabulary"):
        keras.layers.StringLookup()(tf.constant(["a"]))
    with pytest.raises(ValueError, match="bin_boundaries"):
        keras.layers.Discretization(num_bins=3)(tf.constant([1.0]))
    layer = keras.layers.StringLookup(vocabulary=["a"], num_oov_indices=0)
    for call in (layer, tf.function(layer)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="num_oov_indices"):
            call(tf.constant(["b"]))
    with pytest.raises(ValueError, match="static vocabulary"):
        layer.adapt(["a"])


@pytest.mark.parametrize("mode", ["multi_hot", "count"])
def test_negative_categories(mode):
    layer = keras.layers.CategoryEncoding(3, output_mode=mode)
    for call in (layer, tf.function(layer), tf.function(layer, jit_compile=True)):
        assert call(tf.constant([[1, 2, 7]])).numpy().tolist() == [[0.0, 1.0, 1.0]]
        with pytest.raises(tf.errors.InvalidArgumentError, match="count from 0"):
            call(tf.constant([[0, -1, 1]]))
    one_hot = keras.layers.CategoryEncoding(3, output_mode="one_hot")
    assert one_hot(tf.constant([-1, 1])).numpy().tolist() == [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
