"""Decompositions by LAPACK in native code: the kernels' results to the bit, and their errors."""

import numpy as np
import pytest

import runtime as tf
from runtime.engine.llvm.arrays.blas import decomposes

pytestmark = pytest.mark.skipif(not decomposes(), reason="NumPy has another LAPACK")


def symmetric(x):
    return tf.matmul(x, x, transpose_b=True)


FUNCTIONS = {
    "solve": lambda x: tf.linalg.solve(x, x[..., :3] + 1.0),
    "solve_transposed": lambda x: tf.linalg.solve(tf.linalg.matrix_transpose(x), x[..., 1:4]),
    "inv": tf.linalg.inv,
    "cholesky": lambda x: tf.linalg.cholesky(symmetric(x)),
    "eigh": lambda x: tuple(tf.linalg.eigh(symmetric(x))),
    "eigvalsh": lambda x: tf.linalg.eigvalsh(symmetric(x)),
}


def matrices(*shape, dtype):
    return tf.constant(np.random.default_rng(len(shape)).standard_normal(shape).astype(dtype))


def same(results, others):
    for x, y in zip(tf.nest.flatten(results), tf.nest.flatten(others), strict=True):
        assert x.dtype == y.dtype
        np.testing.assert_array_equal(x.numpy(), y.numpy())


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_results_are_those_of_the_kernels(name, dtype):
    function = tf.function(FUNCTIONS[name], jit_compile=True, reduce_retracing=False)
    for shape in [(9, 9), (50, 50), (2, 3, 12, 12), (0, 9, 9)]:
        x = matrices(*shape, dtype=dtype)
        same(function(x), FUNCTIONS[name](x))
        assert " callback " not in function.kernel_ir(x)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_sizes_of_run_time(name):
    spec = tf.TensorSpec([None, None], tf.float64)
    function = tf.function(FUNCTIONS[name], input_signature=[spec], jit_compile=True)
    for count in (4, 10, 33):
        x = matrices(count, count, dtype="float64")
        same(function(x), FUNCTIONS[name](x))


@pytest.mark.parametrize(
    ("function", "matrix"),
    [
        (tf.linalg.inv, np.ones((9, 9))),
        (lambda x: tf.linalg.solve(x, x), np.ones((9, 9))),
        (tf.linalg.cholesky, -np.eye(9)),
        (lambda x: tuple(tf.linalg.eigh(x)), np.full((9, 9), np.nan)),
    ],
    ids=["inv", "solve", "cholesky", "eigh"],
)
def test_what_lapack_refuses_raises_as_the_kernel_does(function, matrix):
    x = tf.constant(np.stack([np.eye(9) * 2, matrix]))
    traced = tf.function(function, jit_compile=True)
    outcomes = []
    for call in (function, traced):
        try:
            outcomes.append([y.numpy().tolist() for y in tf.nest.flatten(call(x))])
        except tf.errors.InvalidArgumentError as error:
            outcomes.append(str(error).splitlines()[0])
    assert str(outcomes[0]) == str(outcomes[1])
    same(traced(x[:1]), function(x[:1]))


def test_matrices_that_are_not_square_raise_the_kernels_error():
    spec = tf.TensorSpec([None, None], tf.float64)
    inverse = tf.function(tf.linalg.inv, input_signature=[spec], jit_compile=True)
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be square"):
        inverse(tf.ones([9, 8], tf.float64))
    assert inverse(tf.zeros([0, 0], tf.float64)).shape == [0, 0]


def test_gradients_are_those_of_eager_execution():
    def loss(x):
        values, vectors = tf.linalg.eigh(symmetric(x))
        return tf.reduce_sum(tf.linalg.inv(x) * x) + tf.reduce_sum(values * vectors[0])

    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = loss(x)
        return tape.gradient(y, x)

    x = matrices(10, 10, dtype="float64")
    np.testing.assert_allclose(tf.function(slope, jit_compile=True)(x), slope(x), rtol=1e-9)
