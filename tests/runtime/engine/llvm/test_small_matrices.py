"""Matrices of few rows in registers: NumPy's LAPACK is the reference, also for what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")
FUNCTIONS = {
    "det": tf.linalg.det, "inv": tf.linalg.inv, "cholesky": tf.linalg.cholesky,
    "solve": tf.linalg.solve,
}  # fmt: skip
noise = np.random.default_rng(11)


def matrices(name, rows, dtype, batch=()):
    x = noise.normal(size=(*batch, rows, rows))
    if name == "cholesky":
        x = x @ np.swapaxes(x, -1, -2) + np.eye(rows)
    else:
        x[..., 0, 0] = 0.0  # so that rows are exchanged
    rhs = noise.normal(size=(*batch, rows, 2))
    return [a.astype(dtype) for a in ([x, rhs] if name == "solve" else [x])]


def compiled(name, jit_compile=True):
    return tf.function(lambda *x: FUNCTIONS[name](*x), jit_compile=jit_compile)


def outcome(function, *arrays):
    try:
        return function(*map(tf.constant, arrays)).numpy()
    except tf.errors.InvalidArgumentError as error:
        return str(error)


@pytest.mark.nightly
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("rows", range(2, 9))
@pytest.mark.parametrize("name", FUNCTIONS)
def test_they_are_as_exact_as_lapack(name, rows, dtype):
    function = compiled(name)
    tolerance = 2e-3 if dtype == "float32" else 1e-10
    for _ in range(10):
        arrays = matrices(name, rows, dtype)
        exact = getattr(np.linalg, name)(*[a.astype(np.float64) for a in arrays])
        result = function(*map(tf.constant, arrays)).numpy()
        assert result.dtype == dtype
        np.testing.assert_allclose(result, exact, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_batches(name):
    function = compiled(name)
    arrays = matrices(name, 3, "float64", (2, 5))
    result = function(*map(tf.constant, arrays)).numpy()
    np.testing.assert_allclose(result, getattr(np.linalg, name)(*arrays), rtol=1e-9, atol=1e-9)
    arrays[0][1, 2] = 0.0  # one of the batch is singular
    reference = outcome(compiled(name, False), *arrays)
    np.testing.assert_equal(outcome(function, *arrays), reference)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_almost_singular_is_the_kernels(name):
    function, reference = compiled(name), compiled(name, False)
    counted = np.arange(1.0, 10.0).reshape(3, 3)
    flawed = np.eye(3)
    flawed[1, 1] = np.nan
    huge, small = np.diag([1e200, 1e200, 1e200]), np.diag([1e-200, 1e-200, 1e-200])
    scaled = np.diag([1.0, 1e-16, 1.0])
    for x in (counted, np.zeros((3, 3)), np.ones((3, 3)), flawed, huge, small, scaled, -np.eye(3)):
        arrays = [x, np.ones((3, 1))] if name == "solve" else [x]
        native, expected = outcome(function, *arrays), outcome(reference, *arrays)
        if isinstance(expected, str):
            assert native == expected
        else:
            np.testing.assert_allclose(native, expected, rtol=1e-12)


def test_hilberts_matrix_is_solved_as_by_lapack():
    rows = 6
    x = 1.0 / (np.arange(rows)[:, None] + np.arange(rows) + 1.0)
    rhs = x @ np.ones((rows, 1))
    solution = compiled("solve")(tf.constant(x), tf.constant(rhs)).numpy()
    np.testing.assert_allclose(x @ solution, rhs, rtol=1e-13)
    factor = compiled("cholesky")(tf.constant(x)).numpy()
    np.testing.assert_allclose(factor @ factor.T, x, rtol=1e-14)


def test_only_the_lower_half_is_read_and_numpys_function_is_the_same():
    x = np.array([[4.0, 9.0, 9.0], [2.0, 5.0, 9.0], [0.4, 1.0, 3.0]])
    expected = np.linalg.cholesky(x)
    np.testing.assert_allclose(compiled("cholesky")(tf.constant(x)).numpy(), expected, rtol=1e-14)
    np.testing.assert_allclose(tf.jit(lambda a: np.linalg.cholesky(a), jit_compile=True)(x),
                               expected, rtol=1e-14)  # fmt: skip


def test_gradients():
    x = tf.constant(matrices("cholesky", 3, "float64")[0])

    def of(jit_compile):
        @tf.function(jit_compile=jit_compile)
        def gradient(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.reduce_sum(tf.sin(tf.linalg.cholesky(x))) + tf.linalg.det(tf.linalg.inv(x))
            return tape.gradient(y, x)

        return gradient(x).numpy()

    np.testing.assert_allclose(of(True), of(False), rtol=1e-9, atol=1e-12)
