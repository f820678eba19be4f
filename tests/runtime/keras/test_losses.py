"""Losses: what `get` finds, configs, masks, classes of the user's, shapes, errors."""

import json

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.keras.layers.base.masks import set_mask

CLASSES = [n for n in keras.losses.__all__ if isinstance(getattr(keras.losses, n), type)]
LOSSES = [name for name in CLASSES if name != "Loss"]


@pytest.mark.parametrize("name", LOSSES)
def test_losses_go_through_json_and_back(name):
    given = getattr(keras.losses, name)(reduction="sum", name="mine")
    config = json.loads(json.dumps(keras.losses.serialize(given)))
    assert config["module"] == "keras.losses" and config["class_name"] == name
    again = keras.losses.deserialize(config)
    assert type(again) is type(given) and again.get_config() == given.get_config()
    assert (again.name, again.reduction) == ("mine", "sum")


def test_get_takes_names_dicts_classes_and_functions():
    assert keras.losses.get("mse") is keras.losses.mean_squared_error
    assert keras.losses.get("KLD") is keras.losses.kl_divergence
    assert isinstance(keras.losses.get("Huber"), keras.losses.Huber)
    config = keras.losses.serialize(keras.losses.Huber(delta=3.0))
    assert keras.losses.get(config).get_config()["delta"] == 3.0
    assert keras.losses.get(keras.losses.serialize(keras.losses.hinge)) is keras.losses.hinge
    assert keras.losses.get(None) is None


def test_predictions_with_a_mask_count_where_it_is_true():
    predicted = tf.constant([[1.0], [5.0]])
    set_mask(predicted, tf.constant([True, False]))
    found = keras.losses.MeanSquaredError()([[0.0], [0.0]], predicted)
    assert found.numpy() == 1.0
    assert keras.losses.MeanSquaredError()([[0.0], [0.0]], predicted, [3.0, 9.0]).numpy() == 3.0


def test_a_class_of_the_users_is_staged():
    class Clipped(keras.losses.Loss):
        def call(self, y_true, y_pred):
            error = y_pred - y_true
            if tf.reduce_max(error) > 2.0:
                error = error / 2.0
            return tf.reduce_mean(error, axis=-1)

    loss = Clipped()
    assert loss.name == "clipped" and loss.dtype == "float32"
    staged = tf.function(lambda y, p: loss(y, p))
    for top in (1.0, 9.0):
        args = tf.constant([[0.0, 0.0]]), tf.constant([[top, 1.0]])
        assert staged(*args).numpy() == loss(*args).numpy() == (top + 1) / (4 if top > 2 else 2)


def test_lists_of_numbers_are_one_tensor():
    class Error(keras.losses.Loss):
        def call(self, y_true, y_pred):
            return y_pred - y_true

    assert Error(reduction="none")([[1], [2]], [[3.0], [5.0]]).numpy().tolist() == [[2.0], [3.0]]


def test_dtypes_and_unknown_sizes():
    assert keras.losses.MeanSquaredError(dtype="float64")([[1]], [[2]]).dtype == tf.float64
    assert keras.losses.MeanSquaredError()(np.ones((2, 2)), np.ones((2, 2))).dtype == tf.float32
    spec = tf.TensorSpec([None, 3])
    for loss in (keras.losses.CategoricalCrossentropy(), keras.losses.MeanSquaredError()):
        staged = tf.function(loss.__call__, input_signature=[spec, spec], jit_compile=True)
        y, p = tf.one_hot([0, 1], 3), tf.constant([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1]])
        np.testing.assert_allclose(staged(y, p), loss(y, p), rtol=1e-6)


def test_a_session_computes_losses():
    with tf.Graph().as_default(), tf.Session() as session:
        y, p = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.float32, [None, 2])
        loss = keras.losses.Hinge()(y, p)
        fed = {y: [[0.0, 1.0]], p: [[0.5, 0.25]]}
        found, (gradient,) = session.run((loss, tf.gradients(loss, [p])), fed)
    assert found == 1.125 and gradient.tolist() == [[0.5, -0.5]]


ERRORS = {
    "unknown": (lambda: keras.losses.get("mean_square_error"),
                "Could not interpret loss identifier: mean_square_error. "
                "Did you mean 'mean_squared_error'?"),
    "reduction": (lambda: keras.losses.Hinge(reduction="avg"),
                  "Invalid value for argument `reduction`. Expected one of "
                  "'mean_with_sample_weight', 'none', 'sum_over_batch_size', 'sum', 'mean', None. "
                  "Received: reduction=avg"),
    "binary": (lambda: keras.losses.BinaryCrossentropy()(tf.ones([2, 3]), tf.ones([2, 4])),
               "Arguments `y_true` and `y_pred` must have the same shape. Received: "
               "y_true.shape=(2, 3), y_pred.shape=(2, 4)"),
    "categorical": (lambda: keras.losses.CategoricalCrossentropy()(tf.ones([2]), tf.ones([2, 4])),
                    "Arguments `y_true` and `y_pred` must have the same shape. Received: "
                    "y_true.shape=(2,), y_pred.shape=(2, 4)"),
    "sparse": (lambda: keras.losses.SparseCategoricalCrossentropy()(tf.ones([3]), tf.ones([2, 4])),
               "Argument `y_true` must have the shape of `y_pred` without its last axis. Received: "
               "y_true.shape=(3,), y_pred.shape=(2, 4)"),
    "axis": (lambda: keras.losses.sparse_categorical_crossentropy([1], tf.ones([1, 2]), axis=0),
             "Only axis=-1 is currently supported. Received: axis=0"),
    "q": (lambda: keras.losses.CategoricalGeneralizedCrossEntropy(2.0),
          "q must be in the interval (0, 1). Received: q=2.0"),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_errors_say_what_is_wrong(name):
    run, text = ERRORS[name]
    with pytest.raises(ValueError) as raised:
        run()
    assert str(raised.value) == text


def test_shapes_that_do_not_fit_are_an_error():
    with pytest.raises(ValueError, match="shape"):
        keras.losses.MeanSquaredError()(tf.ones([2, 3]), tf.ones([2, 4]))
