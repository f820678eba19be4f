"""Small programs about layers whose results were recorded from Keras 3.15."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import keras

layers = keras.layers


def test_masks_are_attributes_of_tensors():
    steps = [[[0.0, 0.0], [1.0, 2.0], [0.0, 0.0]]]
    masked = layers.Masking()(tf.constant(steps))
    assert masked._keras_mask.numpy().tolist() == [[False, True, False]]
    total = layers.Add()([masked, masked])
    assert total._keras_mask.numpy().tolist() == [[False, True, False]]
    plain = tf.constant(steps)
    assert not hasattr(plain, "_keras_mask")
    plain._keras_mask = tf.constant([[True, False, True]])
    assert layers.Add()([masked, plain])._keras_mask.numpy().all()
    inputs = [keras.Input((3, 2)), keras.Input((3, 2))]
    joined = layers.Concatenate(axis=1)([layers.Masking()(inputs[0]), inputs[1]])
    model = keras.Model(inputs, joined._keras_mask)
    assert np.asarray(model([np.array(steps)] * 2)).tolist() == [[False, True, False, *[True] * 3]]
    ones = np.ones((2, 4), bool)
    rows = [np.ones((2, 4, 3))] * 2
    assert np.all(layers.Concatenate(axis=1).compute_mask(rows, [ones, ones]))


@pytest.mark.parametrize("kind", ["Masking", "Identity", "UnitNormalization", "ReLU"])
def test_layers_without_weights_are_built(kind):
    assert getattr(layers, kind)().built


def test_variables_have_states_of_random_numbers_and_none_of_metrics():
    class Noisy(layers.Layer):
        def __init__(self):
            super().__init__()
            self.seeds = [keras.random.SeedGenerator(1), keras.random.SeedGenerator(2)]
            self.metric = keras.metrics.MeanSquaredError()
            self.dense = layers.Dense(2)

        def call(self, x):
            return self.dense(x) * keras.random.normal((2,), seed=self.seeds[0])

    layer = Noisy()
    assert [id(v) for v in layer.variables] == [id(seed.state) for seed in layer.seeds]
    layer(np.ones((1, 3)))
    assert len(layer.variables) == 4 and len(layer.weights) == len(layer.trainable_variables) == 2
    assert len(layer.non_trainable_variables) == 2 and len(layer.metrics_variables) == 2


def test_embeddings_of_weights_are_made_at_once():
    for weights in np.eye(3), [np.eye(3)]:
        np.testing.assert_array_equal(layers.Embedding(3, 3, weights=weights).embeddings, np.eye(3))


@pytest.mark.parametrize("how", ["array", "staged"])
def test_batches_are_renormalized_by_what_was_before(how):
    # the formulas of Ioffe, Batch Renormalization, 2017
    x = np.array([[4.0, 6.0, 2.0], [8.0, -2.0, 5.0], [6.0, 4.0, 3.0]], "float32")
    layer = layers.BatchNormalization(
        epsilon=1e-3, momentum=0.9, renorm=True, renorm_momentum=0.8,
        renorm_clipping={"rmin": 1.2, "dmax": 0.5},
    )  # fmt: skip
    layer.build((None, 3))
    layer.renorm_mean.assign(mean := np.array([5.5, 2.0, 9.0]))
    layer.renorm_stddev.assign(stddev := np.array([2.0, 1.0, 3.0]))
    now, spread = x.mean(0), np.sqrt(x.var(0) + 1e-3)
    factor, offset = np.maximum(spread / stddev, 1.2), np.clip((now - mean) / stddev, -0.5, 0.5)
    call = layer if how == "array" else tf.function(lambda x, training: layer(x, training=training))
    truth = True if how == "array" else tf.constant(True)
    found = call(x, training=truth)
    np.testing.assert_allclose(found, (x - now) / spread * factor + offset, rtol=1e-5)
    np.testing.assert_allclose(layer.renorm_mean, 0.8 * mean + 0.2 * now, rtol=1e-6)
    np.testing.assert_allclose(layer.renorm_stddev, 0.8 * stddev + 0.2 * spread, rtol=1e-6)
    np.testing.assert_allclose(layer.moving_mean, 0.1 * now, rtol=1e-5)
    kept = 0.9 + 0.1 * spread
    np.testing.assert_allclose(layer.moving_stddev, kept, rtol=1e-6)
    np.testing.assert_allclose(layer.moving_variance, kept**2 - 1e-3, rtol=1e-5)
    assert [w.name.removesuffix(":0") for w in layer.weights][4:] == [
        "moving_stddev", "renorm_mean", "renorm_stddev"
    ]  # fmt: skip
    same = layers.BatchNormalization(epsilon=1e-3)
    same.build((None, 3))
    same.set_weights(layer.get_weights()[:4])
    off = False if how == "array" else tf.constant(False)
    np.testing.assert_allclose(call(x, training=off), same(x), rtol=1e-6)


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: layers.BatchNormalization(renorm=True, renorm_clipping={"r": 1}), "invalid keys"),
        (lambda: layers.BatchNormalization(renorm=True, renorm_clipping={"rmax": 0, "rmin": 1}),
         "rmax should be"),
        (lambda: layers.BatchNormalization(renorm=True, renorm_clipping={"dmax": -1}),
         "non-negative"),
        (lambda: layers.InputLayer(batch_size=2, batch_shape=(2, 3)), "both `batch_size` and"),
        (lambda: layers.InputLayer((2,), input_tensor=np.ones(3)), "must be a KerasTensor"),
        (lambda: layers.InputLayer((4,), input_tensor=keras.Input((3,))), "incompatible `shape`"),
        (lambda: layers.Dense(2, trainable=1), "to be a boolean"),
        (lambda: layers.Dense(2)(2), "Only input tensors may be passed as positional arguments"),
        (lambda: layers.Conv1D(2, 2)(None), "Inputs to a layer should be tensors. Got 'None'"),
        (lambda: layers.Conv2D(2, (1, 0)), r"values \{0\} that do not satisfy .value > 0"),
        (lambda: layers.Attention()([np.ones((1, 2, 2))] * 2, mask=np.ones(2)), "must be a list"),
    ],
)  # fmt: skip
def test_what_is_refused(make, match):
    with pytest.raises(ValueError, match=match):
        make()


def test_layers_without_weights_take_what_is_no_tensor():
    class Doubled(layers.Layer):
        def call(self, x, offset=0):
            return x * 2 + offset

    assert Doubled()(2) == 4 and Doubled()(np.ones(2), offset=1).numpy().tolist() == [3, 3]
