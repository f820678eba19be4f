"""Losses, weights and metrics in the structure of a model's outputs, with Keras 3.15's numbers."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import keras

NUMBERS = np.random.RandomState(1)
X = NUMBERS.rand(8, 3).astype("float32")
Y1 = NUMBERS.rand(8, 1).astype("float32")
Y2 = NUMBERS.randint(0, 2, (8, 1)).astype("float32")


def both(targets, outputs):
    pairs = zip(outputs, targets, strict=True)
    if isinstance(outputs, dict):
        pairs = [(outputs[name], targets[name]) for name in outputs]
    return sum(keras.ops.mean(keras.ops.abs(y_pred - y)) for y_pred, y in pairs)


def fit(shape_of, loss, y, **arguments):
    weight = arguments.pop("sample_weight", None)
    x = keras.Input((3,))
    a = keras.layers.Dense(1, kernel_initializer="ones", name="oa")(x)
    b = keras.layers.Dense(1, "sigmoid", kernel_initializer="ones", name="ob")(x)
    model = keras.Model(x, shape_of(a, b))
    model.compile("sgd", loss, **arguments)
    return model.fit(
        X, y, batch_size=4, epochs=2, shuffle=False, verbose=0, sample_weight=weight
    ).history


def in_list(a, b):
    return [a, b]


def in_tuple(a, b):
    return a, b


def in_dict(a, b):
    return {"za": a, "b": b}


def deep(a, b):
    return {"p": (a, b), "q": {"r": b, "s": a}, "t": a}


DEEP = {"p": (Y1, Y2), "q": {"r": Y2, "s": Y1}, "t": Y1}
CASES = {
    "one each": (in_list, ["mse", "mae"], [Y1, Y2], {}, {
        "loss": [1.4101, 1.3186], "oa_loss": [1.0337, 0.94243], "ob_loss": [0.37637, 0.37614],
    }),
    "several of one": (in_list, ["mse", ["mae", "mse"]], [Y1, Y2], {}, {
        "loss": [1.6157, 1.5242], "oa_loss": [1.0337, 0.94243], "ob_loss": [0.20559, 0.20558],
    }),
    "of all and of each": (
        in_tuple, [both, ("mse", "mae")], (Y1, Y2), {"loss_weights": [0.3, (1.0, 2.0)]}, {
            "loss": [2.1693, 2.0506], "oa_loss": [1.0309, 0.92795],
            "oa_ob_loss": [1.2854, 1.2365], "ob_loss": [0.37638, 0.37586],
        },
    ),
    "of all and of one": (in_dict, [both, {"za": "mse"}], {"za": Y1, "b": Y2}, {}, {
        "loss": [2.3066, 2.115], "za_b_loss": [1.2823, 1.2202], "za_loss": [1.0243, 0.89477],
    }),
    "deep": (
        deep, {"p": [both, (None, "mae")], "q": [both, {"r": "mse"}], "t": "mse"}, DEEP, {}, {
            "loss": [4.153, 3.8227], "p/ob_loss": [0.3764, 0.37572], "p_loss": [1.2779, 1.1962],
            "q/r_loss": [0.20586, 0.20585], "q_loss": [1.2779, 1.1962],
            "t_loss": [1.015, 0.84881],
        },
    ),
    "a list in the order of sorted names": (
        in_dict, ["mse", "mae"], {"za": Y1, "b": Y2}, {},
        {"b_loss": [0.20545, 0.20544], "loss": [1.1216, 1.1018], "za_loss": [0.91611, 0.89633]},
    ),
    "weights of samples": (
        in_dict, {"za": "mse", "b": "mae"}, {"za": Y1, "b": Y2},
        {"sample_weight": {"za": np.arange(8.0), "b": np.ones(8)}},
        {"b_loss": [0.37637, 0.37614], "loss": [4.9321, 3.2057], "za_loss": [4.5557, 2.8296]},
    ),
    "weights of losses": (
        in_dict, {"za": "mse", "b": "mae"}, {"za": Y1, "b": Y2},
        {"loss_weights": {"za": 0.5, "b": 2.0}},
        {"b_loss": [0.37638, 0.37593], "loss": [1.2751, 1.2506], "za_loss": [1.0447, 0.99739]},
    ),
    "targets of some": (
        in_dict, {"za": "mse"}, {"za": Y1}, {}, {"loss": [1.0337, 0.94243]},
    ),
    "a loss of none": (in_list, ["mse", None], Y1, {}, {"loss": [1.0337, 0.94243]}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_losses_are_those_of_keras(name):
    shape_of, loss, y, arguments, expected = CASES[name]
    history = fit(shape_of, loss, y, **arguments)
    assert set(history) == set(expected)
    for key, values in expected.items():
        np.testing.assert_allclose(history[key], values, rtol=2e-4)


def test_a_list_of_metrics_is_in_the_order_of_sorted_names():
    history = fit(
        in_dict, "mse", {"za": Y1, "b": Y2}, metrics=["mae", "accuracy"]
    )
    assert {"b_mae", "za_accuracy"} < set(history)


def test_crossentropy_is_that_of_the_targets():
    named = fit(lambda a, b: b, "crossentropy", Y2)
    assert named == fit(lambda a, b: b, "binary_crossentropy", Y2)


@pytest.mark.parametrize(
    ("shape_of", "loss", "y", "arguments", "error", "match"),
    [
        (in_list, {"oa": "mse"}, [Y1, Y2], {}, ValueError, r"Expected keys \['oa', 'ob'\]"),
        (in_dict, {"c": "mse"}, {"za": Y1, "b": Y2}, {}, KeyError, "can't be found in either"),
        (in_list, "mse", [Y1, Y2], {"loss_weights": [1.0, 2.0]}, ValueError, "got 1 losses and 2"),
        (in_list, ["mse", "mae"], [Y1, Y2], {"loss_weights": 3}, ValueError, "to be a float"),
        (in_list, "mse", [Y1, Y2, Y1], {}, ValueError, "different structures"),
        (in_list, [None, None], [Y1, Y2], {}, ValueError, "no loss is given|different structures"),
        (lambda a, b: a, ["mse", "mae"], Y1, {}, ValueError, "takes the first alone"),
        (in_tuple, [both, {"a": "mse"}], (Y1, Y2), {}, KeyError, "can't be found in the model"),
        (in_dict, "mse", {"za": Y1, "b": Y2}, {"metrics": {"c": ["mae"]}}, ValueError,
         "Invalid `metrics`.*'c'"),
    ],
)  # fmt: skip
def test_what_is_refused(shape_of, loss, y, arguments, error, match):
    with pytest.raises(error, match=match):
        fit(shape_of, loss, y, **arguments)
