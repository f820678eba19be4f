"""Operators of eager tensors without axes compute with NumPy's scalars, and give the same bits."""

import operator
import warnings

import numpy as np
import pytest

import runtime as tf
from runtime.types.dtypes import DTYPE_OF_NUMPY

OPERATORS = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.lt, operator.le,
    operator.gt, operator.ge, operator.eq, operator.ne,
]  # fmt: skip
KINDS = sorted((d for d in DTYPE_OF_NUMPY if d.kind in "iufc"), key=str)


def values(dtype: np.dtype) -> np.ndarray:
    """Numbers whose sums and products overflow, vanish or are NaN."""
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return np.array([info.min, info.max, 1, 3, 100], dtype)
    info = np.finfo(dtype)
    found = [0.0, -0.0, 1 / 3, np.nan, np.inf, -1.7, info.max, info.tiny, info.smallest_subnormal]
    return np.array(found, dtype)


@pytest.mark.parametrize("dtype", KINDS, ids=str)
def test_a_scalar_has_the_bits_of_a_vector(dtype):
    x, y = (side.ravel() for side in np.meshgrid(values(dtype), values(dtype)))
    pairs = [(tf.constant(a), tf.constant(b)) for a, b in zip(x, y)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for sign in OPERATORS[:4] + OPERATORS[8:] if dtype.kind == "c" else OPERATORS:
            whole = sign(tf.constant(x), tf.constant(y)).numpy()
            found = [sign(a, b) for a, b in pairs]
            assert all(one.shape == () for one in found)
            found = np.array([one.numpy() for one in found])
            assert found.dtype == whole.dtype
            np.testing.assert_array_equal(found, whole)
            if whole.dtype.kind == "f":
                known = ~np.isnan(whole)
                np.testing.assert_array_equal(np.signbit(found)[known], np.signbit(whole)[known])


@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
@pytest.mark.parametrize("dtype", [tf.float16, tf.float32, tf.float64], ids=str)
@pytest.mark.parametrize("number", [0.1, 1e300, 1e-46, 65519.9, 16777217.0, -0.0, 3], ids=str)
def test_a_python_number_takes_the_dtype_of_scalars_and_vectors(dtype, number):
    typed = tf.constant(number, dtype)
    vector = tf.constant([1.5, 0.1], dtype)
    for sign in OPERATORS:
        for x in (vector, vector[0], tf.constant(0.1, dtype)):
            for found, wanted in (
                (sign(x, number), sign(x, typed)), (sign(number, x), sign(typed, x)),
            ):  # fmt: skip
                assert found.dtype == wanted.dtype
                np.testing.assert_array_equal(found.numpy(), wanted.numpy())


def test_a_tape_records_operators_of_scalars():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x + 2.0 * x
    assert tape.gradient(y, x).numpy() == 8


def test_numbers_beside_arrays_take_their_dtype_without_a_warning(recwarn):
    x = tf.constant(np.array([1.0, -0.0], np.float16))
    assert (x + 70000).numpy().tolist() == [np.inf, np.inf]
    assert (1e300 * x).numpy()[0] == np.inf
    assert np.array_equal((x / 65520).numpy(), [0, -0.0])
    with pytest.raises(OverflowError, match="does not fit dtype float16"):
        x + 10**400
    assert [str(one.message) for one in recwarn] == []


@pytest.mark.parametrize("number", [0.1, -0.0, 3, 2**40 + 1, 1e-320, 1e39, float("nan")])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_numbers_beside_arrays_are_rounded_as_numpy_rounds_them(number, dtype):
    array = np.array([[1.5, -2.0, 0.0]], dtype)
    x = tf.constant(array)
    with np.errstate(all="ignore"):
        one = dtype(number)
        for found, wanted in (
            (x + number, array + one), (number - x, one - array), (x * number, array * one),
            (number / x, one / array), (x < number, array < one), (x**number, array**one),
        ):  # fmt: skip
            assert found.numpy().tobytes() == wanted.tobytes()
