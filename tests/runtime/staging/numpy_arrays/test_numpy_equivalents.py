"""Calls of NumPy's functions that are recorded as ops: values, types and errors are NumPy's."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import runtime as tf
from tests.runtime.staging.numpy_arrays import numpy_programs as programs
from tests.support.extras import needs
from tests.support.nightly import diagonal

pytestmark = needs("jit")

DTYPES = (bool, np.uint8, np.int64, np.float32, np.float64)
SHAPES = ((), (2, 3), (0, 3))
PAIRS = ((np.float32, np.float64), (np.int32, np.float32), (np.uint64, np.int64), (np.int8, bool))
SPECIAL = [np.nan, np.inf, -np.inf, -0.0, 0.5, -3.5]


def numbers(dtype, shape, start=0):
    count = int(np.prod(shape))
    found = (np.arange(count) * 5 + start) % 7
    return (found / 4 if np.dtype(dtype).kind == "f" else found).astype(dtype).reshape(shape)


def called(function, arguments):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return function(*arguments)


def agree(found, wanted):
    """Whether a result is NumPy's: of its class, dtype and shape, and all but the last bits."""
    if type(found) is not type(wanted) or found.dtype != wanted.dtype:
        return False
    if found.shape != wanted.shape:
        return False
    if wanted.dtype.kind != "f":
        return np.array_equal(found, wanted)
    eps = np.finfo(wanted.dtype).eps
    return np.allclose(found, wanted, rtol=8 * eps, atol=eps / 64, equal_nan=True)


def check(function, *arguments):
    """Native code and the reference engine give what NumPy gives."""
    wanted = called(function, arguments)
    for native in (False, True):
        found = called(tf.jit(function, jit_compile=native), arguments)
        pairs = zip(found, wanted, strict=True)
        wrong = [(n, f, w) for n, (f, w) in enumerate(pairs) if not agree(f, w)]
        assert wrong == [], (function.__name__, native)


@pytest.mark.parametrize("dtype, shape", diagonal(DTYPES, SHAPES))
def test_of_each_dtype_and_shape(dtype, shape):
    x, y, kind = numbers(dtype, shape), numbers(dtype, shape, 2), np.dtype(dtype).kind
    if shape:
        check(programs.numbers, x, y)
    if kind != "b":
        check(programs.numbers_but_bools, x, y)
    if kind == "f":
        check(programs.floats, x, y)
    elif kind != "b":
        check(programs.whole_numbers, x, y)
    if x.size and shape:
        check(programs.with_elements, x)
    if x.size and len(shape) == 2:
        check(programs.tables, x, y)


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_of_two_dtypes(pair):
    x, y = numbers(pair[0], (2, 3)), numbers(pair[1], (2, 3), 2)
    check(programs.numbers, x, y)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_of_infinities_and_nan(dtype):
    x = np.array(SPECIAL, dtype)
    y = np.array([[1.0] * 6, [*SPECIAL[::-1]], [0.0] * 6], dtype)
    check(programs.numbers, x, y)
    check(programs.floats, x, y)
    check(programs.numbers_but_bools, x, y)
    check(programs.with_elements, y)


def outcome(function, *arguments):
    try:
        return called(function, arguments)
    except Exception as error:
        return type(error), str(error)


REFUSED = (
    (lambda x: np.max(x), (np.zeros(0),)),
    (lambda x: x.min(axis=0), (np.zeros((0, 2)),)),
    (lambda x: np.sum(x, axis=2), (np.zeros((0, 2)),)),
    (lambda x: np.mean(x, axis=(0, 0)), (np.ones((2, 2)),)),
    (lambda x, y: np.add(x, y), (np.ones(2), np.ones(3))),
    (lambda x, y: np.where(x > 0, x, y), (np.ones(2), np.ones(3))),
    (lambda x: np.maximum(x, 300), (np.uint8([1]),)),
    (lambda x: np.add(x, 300), (np.uint8([1]),)),
    (lambda x: np.negative(x), (np.array([True]),)),
    (lambda x: np.bitwise_and(x, x), (np.ones(2),)),
    (lambda x, y: np.dot(x, y), (np.ones((2, 2)), np.ones((3, 2)))),
    (lambda x: np.reshape(x, (2, 2)), (np.ones(3),)),
    (lambda x: np.transpose(x, (0, 0)), (np.ones((2, 2)),)),
    (lambda x: np.transpose(x, 1, 0), (np.ones((2, 2)),)),
    (lambda x: x.sum(0, axis=0), (np.ones((2, 2)),)),
    (lambda x: np.swapaxes(x, 0, 2), (np.ones((2, 2)),)),
    (lambda x: np.concatenate([x, x], axis=1), (np.ones(2),)),
    (lambda x: np.hstack([x, x[0]]), (np.ones((2, 2)),)),
    (lambda x: np.triu(x), (np.ones(()),)),
    (lambda x: np.argmax(x, 2), (np.ones((2, 2)),)),
    (lambda x: x.argmin(), (np.ones((0, 2)),)),
    (lambda x: x.astype("no dtype"), (np.ones(2),)),
)


@pytest.mark.parametrize(("function", "arguments"), REFUSED)
def test_what_numpy_refuses(function, arguments):
    wanted = outcome(function, *arguments)
    assert isinstance(wanted, tuple)
    for native in (False, True):
        assert outcome(tf.jit(function, jit_compile=native), *arguments) == wanted


def test_means_of_nothing_warn():
    for native in (False, True):
        staged = tf.jit(lambda x: np.mean(x, axis=0), jit_compile=native)
        with pytest.warns(RuntimeWarning, match="Mean of empty slice"):
            assert np.isnan(staged(np.zeros((0, 2)))).all()


def test_extremes_where_sizes_are_unknown():
    signature = [tf.TensorSpec([None], tf.float64)]
    greatest = tf.function(lambda x: np.max(x * 2) + np.mean(x), signature, jit_compile=True)
    assert float(greatest(np.array([1.0, 3.0]))) == 8.0
    assert "fusion" in greatest.kernel_ir() and "callback" not in greatest.kernel_ir()
    with pytest.raises(ValueError, match="zero-size array to reduction operation maximum"):
        greatest(np.zeros(0))


def test_calls_of_numpy_become_one_loop():
    def distance(x, y):
        return np.sqrt(np.sum(np.where(x > y, np.abs(x - y), np.exp(y)) ** 2))

    x, y = numbers(np.float64, (4, 5)), numbers(np.float64, (4, 5), 3)
    staged = tf.jit(distance, jit_compile=True)
    assert agree(staged(x, y), distance(x, y))
    assert staged.kernel_ir().count("fusion") == 1
    assert "callback" not in staged.kernel_ir()


def test_views_stay_views_and_copies_copies():
    def changed(x):
        copy, rounded, same = x.astype(x.dtype), np.positive(x), x.clip(-9, 9)
        row, column = x[0], np.transpose(x)
        x[:, 1] = 7.0
        return x, copy, rounded, same, row, column

    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    for native in (False, True):
        given, wanted = x.copy(), x.copy()
        found = tf.jit(changed, jit_compile=native)(given)
        for one, other in zip(found, changed(wanted), strict=True):
            assert np.array_equal(one, other)
        assert np.array_equal(given, wanted)
    kept = tf.jit(lambda x: x.astype(np.float64), jit_compile=True)
    kept(x)[0] = 5.0
    assert x[0, 0] == 1.0


def slope(function, x):
    """The gradient by differences."""
    steps = np.eye(x.size).reshape(x.size, *x.shape) * 1e-6
    slopes = [(function(x + step) - function(x - step)) / 2e-6 for step in steps]
    return np.reshape(slopes, x.shape)


def test_gradients():
    def loss(x):
        centred = x - x.mean(axis=0, keepdims=True)
        total = np.exp(centred).sum() + np.sqrt(x).mean() + np.max(x) + np.linalg.norm(x)
        total += np.sum(np.where(x > 0.5, np.sin(x), np.clip(x, 0.2, 0.4))) + x.std() + np.var(x)
        total += np.dot(x, x.T).sum() + np.concatenate([x, x * x]).prod()
        return total + np.matmul(x[0], x[1])

    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = loss(x)
        return tape.gradient(value, x)

    x = np.random.default_rng(0).uniform(0.1, 1.0, (2, 3))
    for native in (False, True):
        assert np.allclose(tf.jit(gradient, jit_compile=native)(x), slope(loss, x), rtol=1e-6)


def test_what_numpy_makes_of_tensors_is_constant_to_derivatives():
    def value(x):
        return x * 2.0 + np.exp(x)

    x = tf.constant([1.0, 2.0])
    for function in (value, tf.function(value)):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        assert tape.gradient(y, x).numpy().tolist() == [2.0, 2.0]


def test_derivatives_of_what_numpy_computes_are_refused():
    @tf.jit
    def gradient(x, function):
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = np.sum(x * function(x))
        return tape.gradient(value, x)

    with pytest.raises(LookupError, match="'call_numpy', used at .*test_numpy_equivalents.py"):
        gradient(A, np.cumsum)
    for flat in (np.sign, np.ones_like, np.argsort, np.round):
        assert gradient(A, flat).tolist() == flat(A).tolist()


A = np.array([1.0, 2.5, -3.0])
