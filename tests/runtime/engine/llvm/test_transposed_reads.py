"""Arrays that are read by columns where others are read by rows: in blocks of columns."""

import numpy as np
import pytest

import runtime as tf

FUNCTIONS = {
    "sum": lambda x: tf.transpose(x) + 1.0,
    "both": lambda x: tf.transpose(x) * 2.0 + x[: x.shape[1], : x.shape[0]],
    "column": lambda x: tf.transpose(x) - x[:, :1][:, 0],
    "copy": lambda x: tf.transpose(x) + tf.zeros_like(x)[0, 0],
    "kept": lambda x: tf.reduce_sum(tf.transpose(x) * 3.0, 1),
}


def whole(shape, dtype="float32"):
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("shape", [(8, 8), (9, 17), (1, 30), (30, 1), (70, 70), (0, 5), (5, 0)])
def test_the_values_are_those_of_eager_execution(name, shape):
    if name in ("both", "column", "copy") and (shape[0] != shape[1] or 0 in shape):
        return
    x = tf.constant(whole(shape))
    result = tf.function(FUNCTIONS[name], jit_compile=True)(x)
    np.testing.assert_array_equal(result, FUNCTIONS[name](x))


@pytest.mark.parametrize("order", [(1, 0, 2), (2, 1, 0), (0, 2, 1), (2, 0, 1)])
@pytest.mark.parametrize("dtype", ["float64", "int32", "complex64", "uint8"])
def test_more_axes_and_sizes_of_run_time(order, dtype):
    spec = tf.TensorSpec([None, None, None], dtype)

    @tf.function(input_signature=[spec], jit_compile=True)
    def turned(x):
        return tf.transpose(x, order) + tf.constant(1, dtype)

    for shape in [(3, 20, 11), (16, 8, 9), (2, 0, 3), (1, 1, 40)]:
        x = whole(shape, dtype)
        np.testing.assert_array_equal(turned(x), x.transpose(order) + x.dtype.type(1))
        strided = np.repeat(x, 2, axis=1)[:, ::2]
        np.testing.assert_array_equal(turned(strided), strided.transpose(order) + x.dtype.type(1))


def test_an_error_in_a_block_is_the_kernels():
    @tf.function(jit_compile=True)
    def quotient(x, y):
        return tf.transpose(x) // y

    x, y = whole((20, 20), "int32"), whole((20, 20), "int32")
    np.testing.assert_array_equal(quotient(x, y + 1), x.T // (y + 1))
    with pytest.raises(tf.errors.InvalidArgumentError):
        quotient(x, y)


def test_a_loop_over_a_transposed_array():
    def repeated(x, count):
        y = tf.zeros_like(tf.transpose(x))
        for _ in tf.range(count):
            y = y * 0.5 + tf.transpose(x)
        return y

    x = tf.constant(whole((33, 21)))
    result = tf.function(repeated, jit_compile=True)(x, 7)
    np.testing.assert_allclose(result, repeated(x, 7), rtol=1e-6)
