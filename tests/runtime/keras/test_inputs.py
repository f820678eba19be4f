"""What reaches layers: ints that become floats, inputs in Keras' order, rows of a summary."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.keras import layers

INTS = np.arange(96).reshape(2, 4, 4, 3) % 5


@pytest.mark.parametrize(
    ("layer", "axes"),
    [
        (layers.Dense(2), 1), (layers.Dense(2), 3), (layers.EinsumDense("abc,cd->abd", (4, 2)), 2),
        (layers.Conv2D(2, 2), 3), (layers.SeparableConv2D(2, 2), 3), (layers.LSTM(2), 2),
        (layers.LayerNormalization(), 1), (layers.BatchNormalization(), 3), (layers.GRU(2), 2),
        (layers.MultiHeadAttention(2, 2), 2), (layers.Rescaling(0.5), 1),
    ],
)  # fmt: skip
def test_ints_become_floats(layer, axes):
    ints = INTS[(..., *[0] * (3 - axes))]
    given = (lambda x: layer(x, x)) if isinstance(layer, layers.MultiHeadAttention) else layer
    wanted = given(ints.astype("float32"))
    for dtype in ("int64", "uint8"):
        for found in given(ints.astype(dtype)), tf.function(given)(tf.constant(ints, dtype)):
            assert found.dtype is tf.float32
            np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


def test_functional_models_convert_to_the_dtype_of_the_input():
    words = keras.Input((3,), dtype="int32")
    model = keras.Model(words, words + 1)
    assert model(np.array([[1.0, 2.9, 3.0]])).numpy().tolist() == [[2, 3, 4]]


def test_layers_stand_in_the_order_of_keras():
    first, second, third = (keras.Input((2,), name=name) for name in "abc")
    x = layers.Dense(3, name="x")(first)
    y = layers.Dense(3, name="y")(layers.Dense(3, name="z")(second))
    joined = layers.concatenate([x, y, third], name="join")
    model = keras.Model([first, second, third], layers.Dense(1, name="end")(joined))
    assert [one.name for one in model.layers] == ["b", "a", "z", "x", "y", "c", "join", "end"]


def test_summary_has_rows_of_operations():
    keras.utils.clear_session()  # numbers in names would make rows of two lines
    a, b = keras.Input((4,), name="a"), keras.Input((4,), name="b")
    model = keras.Model([a, b], layers.Dense(1, name="end")(((a + b) * 2.0)[:, :2]))
    lines: list[str] = []
    model.summary(print_fn=lines.append, line_length=100)
    rows = [row.split("│")[1:] for row in lines[0].split("\n") if row.startswith("│")]
    assert [row[0].split()[-1] for row in rows] == [
        "(InputLayer)", "(InputLayer)", "(Add)", "(Multiply)", "(Getitem)", "(Dense)",
    ]  # fmt: skip
    assert rows[2][3].split() == ["a[0][0],", "b[0][0]"] and len(rows[3][3].split()) == 1


def test_train_on_batch_begins_its_metrics_anew():
    model = keras.Sequential([keras.Input((2,)), layers.Dense(1, kernel_initializer="zeros")])
    model.compile(keras.optimizers.SGD(0.0), "mse")
    x = np.ones((2, 2), "float32")
    assert [float(model.train_on_batch(x, x[:, :1] * n)) for n in (1, 3)] == [1.0, 9.0]
    assert float(model.test_on_batch(x, x[:, :1])) == 1.0


def test_both_directions_give_zeros_for_steps_that_do_not_count():
    mask = np.array([[True, True, False]])
    layer = layers.Bidirectional(layers.LSTM(2, return_sequences=True))
    found = np.asarray(layer(np.ones((1, 3, 2), "float32"), mask=mask))
    assert not found[0, 2].any() and found[0, :2].all()


def test_normalization_takes_moments_from_data():
    rows = np.array([[1.0, 10.0], [3.0, 30.0], [5.0, 50.0]], "float32")
    layer, batches = layers.Normalization(), layers.Normalization()
    layer.adapt(rows)
    batches.adapt(tf.data.Dataset.from_tensor_slices(rows).batch(2))
    wanted = (rows - rows.mean(0)) / rows.std(0)
    for one in layer, batches, layers.Normalization(mean=[3.0, 30.0], variance=rows.var(0)):
        np.testing.assert_allclose(one(rows), wanted, rtol=1e-5)
    assert int(batches.count.numpy()) == 3 and layer.mean.shape == (1, 2)
    back = layers.Normalization(mean=[3.0, 30.0], variance=rows.var(0), invert=True)
    np.testing.assert_allclose(back(wanted), rows, rtol=1e-5)
    with pytest.raises(ValueError, match="both `mean` and `variance`"):
        layers.Normalization(mean=1.0)


def test_sequences_are_padded_and_cut():
    pad = keras.preprocessing.sequence.pad_sequences
    rows = [[1, 2, 3], [4], []]
    assert pad(rows).tolist() == [[1, 2, 3], [0, 0, 4], [0, 0, 0]]
    assert pad(rows, 2, padding="post", truncating="post").tolist() == [[1, 2], [4, 0], [0, 0]]
    assert keras.utils.pad_sequences([[[1, 2]], []], value=9).tolist() == [[[1, 2]], [[9, 9]]]
    for wrong in ({"padding": "left"}, {"value": "a"}):
        with pytest.raises(ValueError):
            pad(rows, **wrong)
    with pytest.raises(ValueError, match="list of iterables"):
        pad([1, 2])


ROW, WIDE = np.ones((3, 4), "float32"), np.ones((3, 5), "float32")


@pytest.mark.parametrize(
    ("error", "wrong"),
    [
        (ValueError, lambda: layers.Add()([ROW, WIDE])),
        (ValueError, lambda: layers.Multiply()([ROW, ROW[:2]])),
        (ValueError, lambda: layers.Concatenate(axis=5)([ROW, ROW])),
        (ValueError, lambda: layers.Dot(1)([ROW, WIDE])),
        (TypeError, lambda: layers.Dot("a")),
        (ValueError, lambda: layers.Dropout(0.5, noise_shape="a")),
        (ValueError, lambda: layers.Cropping1D(-1)),
        (ValueError, lambda: layers.Cropping2D(((1, 2), (3,)))),
        (ValueError, lambda: layers.ZeroPadding2D("ab")),
        (ValueError, lambda: layers.UpSampling2D("a")),
        (ValueError, lambda: layers.UpSampling1D(0)),
        (ValueError, lambda: layers.RNN([1, 2])),
        (ValueError, lambda: layers.Bidirectional(layers.Dense(2))),
    ],
)
def test_wrong_arguments_of_layers_raise_what_keras_raises(error, wrong):
    with pytest.raises(error):
        wrong()
