"""Python's operators on staged arrays and NumPy's scalars: NumPy's values, dtypes and errors."""

from __future__ import annotations

import operator
import warnings

import numpy as np
import pytest

import runtime as tf
from autograph.errors import ConcreteValueError
from tests.support import nightly

OPERATORS = (
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
    operator.pow, operator.and_, operator.lshift, operator.eq, operator.lt, operator.matmul,
)  # fmt: skip
OPERANDS = (
    np.array([3, 2, 1]), np.array([3, 2, 1], np.uint8), np.array([1.5, -2.0, 3.0]),
    np.array([1.5, 2.0, 3.0], np.float32), np.array([1 + 2j, 2, 3]), np.array([True, False, True]),
    2, 2.5, np.float64(2.5), np.int64(2), [1, 2, 3], np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
)  # fmt: skip


def outcome(function, *args):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*args)
        except Exception as error:
            return error


def alike(wanted, found):
    """Whether a call gives what Python gives; only the text of an error may differ."""
    if isinstance(wanted, Exception):
        return isinstance(found, type(wanted)) or isinstance(wanted, TypeError) and isinstance(
            found, TypeError
        )
    if type(wanted) is not type(found):
        return False
    if isinstance(wanted, list):
        return wanted == found
    if wanted.dtype != found.dtype or wanted.shape != found.shape:
        return False
    if wanted.dtype.kind != "f":
        return np.array_equal(wanted, found, equal_nan=True)
    # NumPy's own powers of an array and of a single number differ in the last bit on some CPUs
    return np.allclose(wanted, found, rtol=2 * np.finfo(wanted.dtype).eps, atol=0, equal_nan=True)


@pytest.mark.parametrize("operation", OPERATORS, ids=lambda f: f.__name__)
def test_operators_give_what_numpy_gives(operation):
    staged = tf.jit(lambda x, y: operation(x, y))
    wrong = []
    turn = OPERATORS.index(operation)
    for number, x in enumerate(OPERANDS):
        for y in OPERANDS if nightly.EVERYTHING else OPERANDS[(number + turn) % 2 :: 2]:
            if operation is operator.eq and isinstance(x, list) or _is_power_of_bools(operation, x):
                continue  # refused
            if operation is operator.matmul and not np.ndim(x) == np.ndim(y) == 1:
                continue  # the class of the error may differ for numbers
            if isinstance(x, np.ndarray | np.generic) or isinstance(y, np.ndarray | np.generic):
                wanted, found = outcome(operation, x, y), outcome(staged, x, y)
                if not alike(wanted, found):
                    wrong.append((x, y, wanted, found))
    assert wrong == []


def _is_power_of_bools(operation, x):
    return operation is operator.pow and isinstance(x, np.ndarray) and x.dtype.kind == "b"


def test_powers_of_bools_by_numbers_are_refused():
    for exponent in (2, 3, True):
        with pytest.raises(ConcreteValueError, match="power of bools depends on the exponent"):
            tf.jit(lambda x, n: x**n)(np.array([True, False]), exponent)


def test_products_of_vectors_have_derivatives():
    matrix, vector = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([1.0, -1.0])

    @tf.function
    def energy(a, x):
        y = a @ x
        return y @ y + x @ a.T @ y

    x = tf.constant(vector)
    with tf.GradientTape() as tape:
        tape.watch(x)
        value = energy(matrix, x.numpy())
    assert value.numpy() == energy.python_function(matrix, vector)

    @tf.function
    def product(x):
        row = np.array([2.0, 3.0]) * x
        return tf.tensordot(row, matrix[0], 1)

    with tf.GradientTape() as tape:
        tape.watch(x)
        value = product(x)
    assert tape.gradient(value, x).numpy().tolist() == [2.0, 6.0]


def test_a_product_in_a_loop():
    def power(a, x, n):
        for _ in range(n):
            x = a @ x
            x /= np.sqrt(x @ x)
        return x @ a @ x

    matrix, start = np.array([[2.0, 1.0], [1.0, 3.0]]), np.ones(2)
    staged = tf.jit(power)
    for n in (1, 5, 30):
        wanted, found = power(matrix, start, n), staged(matrix, start, n)
        assert type(found) is np.float64
        np.testing.assert_allclose(found, wanted, rtol=1e-14)


def test_an_array_with_a_list_of_staged_length():
    staged = tf.jit(lambda x, items: (x + items, np.dot(x, items)))
    for items in ([1, 2, 3], [0.5, 1.5, 2.5]):
        total, product = staged(A, items)
        assert alike(A + items, total)
        assert alike(np.dot(A, items), product)
    with pytest.raises(ValueError, match="Incompatible shapes|could not be broadcast"):
        staged(A, [1, 2])


def test_a_shape_of_staged_sizes():
    def columns(x, n):
        return np.reshape(x, (n, 1)) + x.reshape(1, -1) @ np.reshape(x, (x.size, n // n))

    staged = tf.jit(columns)
    assert alike(columns(A, 3), staged(A, 3))
    with pytest.raises(ValueError, match="cannot reshape array of size 3"):
        staged(A, 2)


A = np.array([1.0, 2.0, 3.0])


@pytest.mark.parametrize("number", [-3, 300, 2**40])
@pytest.mark.parametrize("operation", OPERATORS, ids=lambda f: f.__name__)
def test_numbers_beyond_a_narrow_dtype(operation, number):
    if operation in (operator.matmul, operator.lshift, operator.rshift):
        return  # negative shifts are refused
    for values in (np.uint8([1, 200]), np.uint8(7), np.arange(3, dtype=np.int16)):
        wanted = outcome(operation, values, number)
        assert alike(wanted, outcome(tf.jit(lambda x: operation(x, number)), values))
