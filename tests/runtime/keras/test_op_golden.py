"""``keras.ops`` computes what Keras computes: dtypes, shapes and elements, eagerly and staged."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.keras import ops
from tests.runtime.keras.op_cases import CASES, TABLE
from tests.runtime.keras.op_golden import PAGE

GOLDEN = json.loads(PAGE.read_text(encoding="utf-8"))


def check(result: Any, expected: Any) -> None:
    """Compare one result, or each of several, with what Keras computed."""
    if isinstance(expected, list):
        assert len(result) == len(expected)
        for value, wanted in zip(result, expected, strict=True):
            check(value, wanted)
        return
    array = np.asarray(result)
    assert array.dtype.name == expected["dtype"]
    assert list(array.shape) == expected["shape"]
    parts = [array.real, array.imag] if array.dtype.kind == "c" else [array]
    elements = np.concatenate([part.ravel() for part in parts])
    wanted = np.array(expected["elements"], elements.dtype)
    np.testing.assert_allclose(elements, wanted, rtol=3e-5, atol=3e-5)


@pytest.mark.parametrize("name, number", CASES)
def test_as_keras(name: str, number: int) -> None:
    if name in {"i0", "kaiser"}:
        pytest.importorskip("scipy")
    expected, arguments = GOLDEN[f"{name} {number}"], TABLE[name][number]
    function = getattr(ops, name)
    check(function(*arguments), expected)
    check(tf.function(lambda: function(*arguments))(), expected)


def test_shapes_that_are_known_at_run_time() -> None:
    """Sizes are taken from the tensor when they are not in its type."""
    for name in ("median", "fliplr", "rot90", "diff", "layer_normalization"):
        function = tf.function(getattr(ops, name), [tf.TensorSpec([None, None], "float32")])
        array = TABLE["fliplr"][0][0]
        check(function(array), GOLDEN[f"{name} 0"])


def test_shapes_are_known_in_functional_models() -> None:
    x, heads = keras.Input((4,)), keras.Input((3, 4, 2))
    for name in ("nan_to_num", "layer_normalization", "cbrt", "sinc", "fliplr"):
        assert getattr(ops, name)(x).shape.as_list() == [None, 4], name
    for name in ("nanmean", "nansum", "nanmax", "median", "ptp", "average"):
        assert getattr(ops, name)(x, axis=1).shape.as_list() == [None], name
    attended = ops.dot_product_attention(heads, heads, heads, is_causal=True)
    assert attended.shape.as_list() == [None, 3, 4, 2]


@pytest.mark.parametrize("name, places", [
    ("sinc", [0.0, 0.5]), ("cdist", [[0.0, 0.0], [3.0, 4.0]]), ("nansum", [1.0, np.nan]),
    ("median", [1.0, 3.0, 2.0]), ("layer_normalization", [1.0, 2.0, 4.0]),
])  # fmt: skip
def test_gradients_are_numbers(name: str, places: Any) -> None:
    x = tf.constant(places)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = getattr(ops, name)(*[x, x] if name == "cdist" else [x])
    slopes = tape.gradient(y, x).numpy()
    assert np.isfinite(slopes).all()
    if name == "median":
        np.testing.assert_array_equal(slopes, [0.0, 0.0, 1.0])
    if name == "nansum":
        np.testing.assert_array_equal(slopes, [1.0, 0.0])


def test_functions_of_complex_numbers_and_ends() -> None:
    size, turn = np.float32([1.0, 2.0]), np.float32([0.0, np.pi / 2])
    np.testing.assert_allclose(ops.polar(size, turn), size * np.exp(1j * turn), atol=1e-6)
    turned = np.float32([[0.0, -1.0], [1.0, 0.0]])
    spectrum, vectors = (value.numpy() for value in ops.eig(turned))
    np.testing.assert_allclose(sorted(spectrum.imag), [-1.0, 1.0], atol=1e-6)
    np.testing.assert_allclose(turned @ vectors, vectors * spectrum, atol=1e-6)
    np.testing.assert_array_equal(ops.bartlett(1), [1.0])
    assert ops.hanning(0).shape == (0,)
    assert ops.empty((2, 3)).shape == (2, 3)
    assert ops.empty_like(np.ones(2, np.int32)).dtype == "int32"
    assert np.isnan(ops.nanmedian(np.float32([np.nan, np.nan])))
    np.testing.assert_array_equal(ops.ldexp(np.float32(2.0**-100), 200), np.float32(2.0**100))


def test_where_keras_on_tensorflow_differs_from_numpy() -> None:
    ends = np.float32([np.inf, -np.inf, np.nan, 1.0])
    for is_equal in (False, True):
        result = ops.isclose(ends, ends, equal_nan=is_equal)
        np.testing.assert_array_equal(result, np.isclose(ends, ends, equal_nan=is_equal))
    table = np.arange(12).reshape(3, 4)
    for turns in range(-1, 5):
        np.testing.assert_array_equal(ops.rot90(table, turns), np.rot90(table, turns))


@pytest.mark.parametrize("name, arguments, words", [
    ("quantile", ([1.0], 0.5, None, "median"), "method must be one of"),
    ("gcd", (1.5, 2), "must be integers"), ("lcm", (1, 2.5), "must be integers"),
    ("ldexp", (1.0, 2.5), "must be an integer type"), ("diff", ([1.0], -1), "non-negative"),
    ("cross", ([1.0, 2.0, 3.0, 4.0], [1.0, 2.0]), "must be either 2 or 3"),
    ("view_as_complex", ([1.0, 2.0, 3.0],), "must be size 2"),
    ("rot90", ([1.0],), "Invalid axes"), ("fft", ([1.0, 2.0, 3.0],), "real and imaginary"),
    ("correlate", ([1.0], [1.0], "half"), "mode"), ("histogram", ([1.0], 0), "bins must be"),
    ("searchsorted", ([[1.0]], [1.0]), "only supports 1-D"),
    ("average", ([[1.0]], None, [1.0]), "weights must have"),
    ("select", ([True], []), "as many conditions"), ("array_split", ([1.0], 0), "1 or more parts"),
    ("dot_product_attention", ([1.0], [1.0], [1.0]), "must have 4 axes"),
    ("depthwise_conv", ([1.0], [1.0]), "3 or 4 axes"), ("psnr", ([1.0], [[1.0]], 1.0), "match"),
    ("bincount", ([1], None, 0, True), "sparse"),
])  # fmt: skip
def test_mistakes_are_explained(name: str, arguments: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        getattr(ops, name)(*arguments)
