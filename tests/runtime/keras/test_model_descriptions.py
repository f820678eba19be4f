"""Models as tables, as JSON (also Keras' own), and copies of models."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.keras import layers

X = np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4)


def branching():
    """Return a model with a shared layer, a model inside, and a layer that is not trained."""
    inner = keras.Sequential([keras.Input((4,)), layers.Dense(3, name="d")], name="seq")
    first, second = keras.Input((4,), name="one"), keras.Input((4,), name="two")
    shared = layers.Dense(4, name="shared")
    joined = layers.Add(name="sum")([shared(first), shared(second)])
    model = keras.Model([first, second], {"a": inner(joined), "b": shared(joined)}, name="both")
    shared.trainable = False
    return model


def test_a_summary_is_the_table_of_keras():
    lines: list[str] = []
    branching().summary(print_fn=lines.append, expand_nested=True)
    assert lines == ["\n".join(line.strip("\n") for line in TABLE.strip("\n").split("\n"))]


TABLE = """
Model: "both"
┏━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┓
┃ Layer (type)        ┃ Output Shape      ┃    Param # ┃ Connected to      ┃
┡━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━┩
│ one (InputLayer)    │ (None, 4)         │          0 │ -                 │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ two (InputLayer)    │ (None, 4)         │          0 │ -                 │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ shared (Dense)      │ (None, 4)         │         20 │ one[0][0],        │
│                     │                   │            │ two[0][0],        │
│                     │                   │            │ sum[0][0]         │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ sum (Add)           │ (None, 4)         │          0 │ shared[0][0],     │
│                     │                   │            │ shared[1][0]      │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ seq (Sequential)    │ (None, 3)         │         15 │ sum[0][0]         │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│    └ d (Dense)      │ (None, 3)         │         15 │ -                 │
└─────────────────────┴───────────────────┴────────────┴───────────────────┘
 Total params: 35 (140.00 B)
 Trainable params: 15 (60.00 B)
 Non-trainable params: 20 (80.00 B)
"""


def test_summaries_of_chains_and_of_models_without_weights():
    lines: list[str] = []
    late = keras.Sequential([layers.Dense(2, name="late")], name="later")
    late.summary(print_fn=lines.append, show_trainable=True, line_length=100)
    assert "│ ?" in lines[0] and "0 (unbuilt) │    -" in lines[0] and "Connected" not in lines[0]
    late(X)
    late.summary(print_fn=lines.append, show_trainable=True, line_length=100)
    assert "(None, 2)" in lines[1] and "│    Y     │" in lines[1]
    with pytest.raises(ValueError, match="no names of layers match"):
        late.summary(layer_range=["x", "y"])


def test_words_that_are_too_long_are_cut_as_in_keras():
    inputs = keras.Input((7, 2), name="numbers")
    attended = layers.MultiHeadAttention(2, 2, name="looking_at_everything")(inputs, inputs)
    pooled = layers.GlobalAveragePooling1D(name="pooled")(attended)
    states = layers.LSTM(4, return_state=True, name="recurrent")(inputs)
    lines: list[str] = []
    keras.Model(inputs, [pooled, *states]).summary(print_fn=lines.append)
    for row in LONG.strip().split("\n"):
        assert row in lines[0]


LONG = """
│ looking_at_everyth… │ (None, 7, 2)      │         46 │ numbers[0][0],    │
│ (MultiHeadAttentio… │                   │            │ numbers[0][0]     │
│ recurrent (LSTM)    │ [(None, 4),       │        112 │ numbers[0][0]     │
│                     │ (None, 4), (None, │            │                   │
│                     │ 4)]               │            │                   │
│ pooled              │ (None, 2)         │          0 │ looking_at_every… │
│ (GlobalAveragePool… │                   │            │                   │
"""


@pytest.mark.parametrize("way", ["json", "clone", "deepcopy", "pickle"])
def test_copies_compute_the_same_with_weights_of_their_own(way):
    sequence = keras.Sequential(
        [keras.Input((4,)), layers.Dense(3, "relu"), layers.BatchNormalization()]
    )
    attention = keras.Input((5, 4))
    attended = layers.MultiHeadAttention(2, 2)(attention, value=attention, use_causal_mask=True)
    steps = np.linspace(-1, 1, 40).reshape(2, 5, 4)
    cases = [
        (sequence, X), (branching(), [X, X * 2]), (keras.Model(attention, attended), steps),
    ]  # fmt: skip
    for model, inputs in cases:
        twin = COPIES[way](model)
        if way in ("json", "clone"):
            twin.set_weights(model.get_weights())
        assert twin.name == model.name
        wanted = tf.nest.map_structure(np.asarray, model(inputs))
        for found in twin(inputs), tf.function(twin)(inputs):
            for mine, theirs in zip(tf.nest.flatten(found), tf.nest.flatten(wanted), strict=True):
                np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-6)
        assert [v.shape for v in twin.weights] == [v.shape for v in model.weights]
        twin.set_weights([w + 1 for w in twin.get_weights()])
        np.testing.assert_array_equal(tf.nest.flatten(model(inputs))[0], tf.nest.flatten(wanted)[0])


COPIES = {
    "json": lambda model: keras.models.model_from_json(model.to_json()),
    "clone": keras.models.clone_model,
    "deepcopy": copy.deepcopy,
    "pickle": lambda model: pickle.loads(pickle.dumps(model)),
}


def test_clones_take_other_inputs_and_other_layers():
    model = branching()
    wide = keras.models.clone_model(
        model, clone_function=lambda layer: layers.Dense(4, name="other")
        if layer.name == "shared" else type(layer).from_config(layer.get_config()),
    )  # fmt: skip
    assert "other" in [layer.name for layer in wide.layers]

    class Own(keras.Model):
        """Model whose layers its own code makes."""

    with pytest.raises(ValueError, match="Own is a subclass of Model"):
        keras.models.clone_model(Own(), clone_function=lambda layer: layer)


def test_models_that_apply_operations_are_described():
    ops = keras.ops
    x = keras.Input((3,))
    dense = layers.Dense(3)(x)
    outputs = [
        dense + x, 1 - x, x**2, dense * 2.0 / 3, abs(x), x[:, 0], x[..., 1:], x > 0.5,
        ops.mean(dense, axis=-1), ops.concatenate([x, -x], 1), ops.reshape(x, (-1, 3, 1)),
        ops.softmax(x), ops.stack([x, x], axis=1), ops.transpose(x), ops.where(x > 0, x, 0.0),
        tf.reduce_sum(x, 1), tf.cast(x, "int32"), tf.nn.relu(x), tf.split(x, 3, axis=1)[1],
        tf.one_hot(tf.cast(x, "int32"), 4), ops.matmul(x, np.ones((3, 2), "float32")),
    ]  # fmt: skip
    model = keras.Model(x, outputs)
    again = keras.models.model_from_json(model.to_json())
    again.set_weights(model.get_weights())
    batch = np.random.default_rng(0).normal(size=(2, 3)).astype("float32")
    for one, other in zip(model(batch), again(batch), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    kinds = [one["class_name"] for one in model.get_config()["layers"]]
    assert {"Add", "Subtract", "Power", "Multiply", "TrueDivide", "GetItem", "Mean"} <= set(kinds)
    scale = tf.Variable(2.0)
    with pytest.raises(ValueError, match=r"operation 'read.*cannot be saved.*call\(\) of a Layer"):
        keras.Model(x, x * scale).to_json()


def test_what_keras_wrote_is_read():
    policy = {
        "module": "keras", "class_name": "DTypePolicy", "config": {"name": "float32"},
        "registered_name": None,
    }  # fmt: skip
    tensor = {
        "class_name": "__keras_tensor__",
        "config": {"shape": [None, 4], "dtype": "float32", "keras_history": ["x", 0, 0]},
    }
    initializer = {
        "module": "keras.initializers", "class_name": "GlorotUniform", "registered_name": None,
        "config": {"seed": None, "input_axes": None, "output_axes": None},
    }  # fmt: skip
    dense = {
        "name": "dense", "trainable": True, "dtype": policy, "units": 3, "activation": "linear",
        "use_bias": True, "kernel_initializer": initializer, "quantization_config": None,
    }  # fmt: skip
    first = {"batch_shape": [None, 4], "dtype": "float32", "sparse": False, "name": "x"}
    written = {
        "module": "keras.src.models.functional", "class_name": "Functional",
        "registered_name": "Functional", "build_config": {"input_shape": None},
        "config": {
            "name": "read", "trainable": True, "input_layers": ["x", 0, 0],
            "output_layers": [["dense", 0, 0]],
            "layers": [
                {"module": "keras.layers", "class_name": "InputLayer", "config": first,
                 "registered_name": None, "name": "x", "inbound_nodes": []},
                {"module": "keras.layers", "class_name": "Dense", "config": dense,
                 "registered_name": None, "build_config": {"input_shape": [None, 4]},
                 "name": "dense", "inbound_nodes": [{"args": [tensor], "kwargs": {}}]},
            ],
        },
    }  # fmt: skip
    model = keras.models.model_from_json(json.dumps(written))
    assert model.name == "read" and model.output_shape == [(None, 3)]
