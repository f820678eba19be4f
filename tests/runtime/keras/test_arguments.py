"""Arguments and inputs of layers, losses and metrics that Keras 3 refuses, or takes."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import keras
from runtime.keras import layers, losses, metrics

REFUSED = {
    "Layer 2 supplied to Wrapper": lambda: layers.TimeDistributed(2),
    "takes a recurrent layer": lambda: layers.Bidirectional(2),
    "Only instances of": lambda: keras.Sequential([2]),
    "max_value of a ReLU layer cannot be a negative value": lambda: layers.ReLU(max_value=-1),
    "threshold of a ReLU layer cannot be None or a negative": lambda: layers.ReLU(threshold=None),
    "cannot be None or a negative value": lambda: layers.LeakyReLU(negative_slope=-1),
    "`n` should be a positive": lambda: layers.RepeatVector(0),
    "must be a non-negative integer": lambda: layers.Reshape((-2, 5)),
    "at most one unknown dimension": lambda: layers.Reshape((-1, -1, 5)),
    "`padding` must be": lambda: layers.ZeroPadding1D((1,)),
    "`cropping` must be": lambda: layers.Cropping1D((1,)),
    "`noise_shape`": lambda: layers.Dropout(0.5, noise_shape=(20, 0)),
    "integers or None": lambda: layers.Dropout(0.5, noise_shape=(20, 1.5)),
    "`trainable` to be a boolean": lambda: layers.Dense(2, trainable="yes"),
    "Invalid `output_shape`": lambda: layers.MultiHeadAttention(2, 2, output_shape=1.5),
    "`value` and `key`": lambda: layers.MultiHeadAttention(2, 2)(
        np.ones((2, 3, 4)), np.ones((2, 5, 4)), np.ones((2, 6, 4))
    ),
    "a shape other than": lambda: layers.TimeDistributed(layers.Dense(2))(
        np.ones((2, 3, 4)), mask=np.ones((2, 5), bool)
    ),
    "the mask of Softmax": lambda: layers.Softmax()(
        np.ones((2, 3)), mask=np.ones((2, 3, 4), bool)
    ),
    "y_pred must be a 2D array": lambda: metrics.Precision(class_id=2)([0, 1], [0.0, 1.0]),
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_wrong_arguments_raise_value_errors(message):
    with pytest.raises(ValueError, match=message):
        REFUSED[message]()


def test_reshape_keeps_the_size_of_the_batch():
    reshaped = layers.Reshape((3, 5))(keras.Input(batch_shape=(2, None)))
    assert reshaped.shape.as_list() == [2, 3, 5]


def test_relu_takes_what_is_above_the_threshold():
    x = np.array([-10, -5, 0, 5, 10], np.float32)
    slope = keras.activations.relu(x, negative_slope=0.1, max_value=7.0, threshold=5.0)
    np.testing.assert_allclose(slope, [-1.5, -1, -0.5, 0, 7])
    np.testing.assert_allclose(keras.activations.relu(x, threshold=5.0), [0, 0, 0, 0, 10])


LABELS = np.array([[0, 1, 0, 1, 0], [0, 0, 1, 1, 1]])
PREDICTIONS = np.array([[0, 0, 1, 1, 0], [1, 1, 1, 1, 1]])


@pytest.mark.parametrize(
    "name", ["mean_squared_error", "mean_absolute_error", "mean_squared_logarithmic_error", "huber",
             "poisson", "hinge", "cosine_similarity", "binary_crossentropy", "dice"],
)  # fmt: skip
def test_losses_of_ints_are_those_of_floats(name):
    loss = getattr(losses, name)
    wanted = loss(LABELS.astype(np.float32), PREDICTIONS.astype(np.float32))
    found = loss(LABELS, PREDICTIONS)
    assert found.dtype.name == "float32"
    np.testing.assert_array_equal(found, wanted)


def test_metrics_of_ints_and_bools_are_those_of_floats():
    error = metrics.MeanSquaredError()
    assert float(error(LABELS, PREDICTIONS)) == pytest.approx(0.4)
    assert float(metrics.BinaryAccuracy()(LABELS, PREDICTIONS)) == pytest.approx(0.6)
    assert float(metrics.BinaryAccuracy()([True, False], [True, True])) == 0.5
    scores = np.array([0.1, 0.6, 0.8], np.float32)
    assert float(metrics.PrecisionAtRecall(0.8)([False, True, True], scores)) == 1.0
    assert float(metrics.MeanIoU(3)([0, 1, 2, 5], [0, 1, 1, 1])) == pytest.approx(0.5)


def test_lists_of_one_loss_and_lists_of_metrics():
    inputs = keras.Input((3,))
    outputs = {name: layers.Dense(1, name=name)(inputs) for name in ("a", "b")}
    model = keras.Model(inputs, outputs)
    model.compile("sgd", {"a": ["mse"], "b": ["mae"]}, metrics={"a": ["mae"]})
    x, y = np.ones((4, 3), np.float32), np.ones((4, 1), np.float32)
    history = model.fit(x, {"a": y, "b": y}, verbose=0).history
    assert sorted(history) == ["a_loss", "a_mae", "b_loss", "loss"]
    single = keras.Sequential([keras.Input((3,)), layers.Dense(1)])
    single.compile("sgd", ["mse"], metrics=[["mae"]])
    assert sorted(single.fit(x, y, verbose=0).history) == ["loss", "mae"]


def test_objects_have_their_arguments_as_attributes():
    normal = keras.initializers.RandomNormal(1.0, 2.0, seed=3)
    assert (normal.mean, normal.stddev, normal.seed) == (1.0, 2.0, 3)
    assert keras.initializers.VarianceScaling(2.0, "fan_out").mode == "fan_out"
    assert keras.initializers.Constant(3.0).value == 3.0
    with pytest.raises(AttributeError, match="no attribute 'gain'"):
        normal.gain  # noqa: B018
    assert metrics.TopKCategoricalAccuracy(k=3).k == 3
    layer = layers.Dense(2, name="last")
    layer.build((None, 3))
    assert [weight.path for weight in layer.weights] == ["last/kernel", "last/bias"]
    assert layer.metrics_variables == []


def test_a_loss_that_is_no_number_can_raise():
    stop = keras.callbacks.TerminateOnNaN(raise_error=True)
    with pytest.raises(RuntimeError, match="NaN or Inf loss encountered at batch 3"):
        stop.on_train_batch_end(3, {"loss": float("nan")})
