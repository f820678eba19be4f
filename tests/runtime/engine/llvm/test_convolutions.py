"""Convolutions in native code: the results are those of the kernel."""

from itertools import product

import numpy as np
import pytest

import runtime as tf
from tests.runtime.engine.llvm.native_programs import lowered_modules
from tests.support.extras import needs

pytestmark = needs("jit")

PADDINGS = ("SAME", "VALID", [[0, 0], [1, 0], [2, 1], [0, 0]], [[0, 0], [0, 4], [5, 0], [0, 0]])
CASES = [
    {"strides": s, "dilations": d, "padding": p}
    for s, d, p in product(((1, 1), (2, 1), (3, 2)), ((1, 1), (2, 1), (1, 3)), PADDINGS)
]


def numbers(*shape, dtype="float32"):
    return np.random.default_rng(0).normal(size=shape).astype(dtype)


def layouts(x):
    yield x
    yield np.repeat(x, 2, axis=1)[:, ::2]
    yield np.repeat(x, 2, axis=2)[:, :, ::2]
    yield x[:, ::-1].copy()[:, ::-1]
    yield np.concatenate([x, x], -1)[..., : x.shape[-1]]
    yield np.asfortranarray(x)


def check(attrs, x, filters):
    spec = tf.TensorSpec([None, *x.shape[1:]], x.dtype)

    def f(x, filters):
        return tf.nn.conv2d(x, filters, **attrs)

    native = tf.function(f, [spec, tf.TensorSpec(filters.shape, x.dtype)], jit_compile=True)
    expected = f(tf.constant(x), tf.constant(filters)).numpy()
    scale = 200 * np.finfo(x.dtype).eps
    for one in layouts(x):
        found = native(one, filters).numpy()
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        np.testing.assert_allclose(found, expected, scale, scale)


@pytest.mark.parametrize("attrs", CASES)
def test_strides_dilations_and_paddings(attrs):
    check(attrs, numbers(2, 7, 9, 4), numbers(3, 2, 4, 5))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sizes(dtype):
    plain = {"strides": 1, "padding": "SAME"}
    for x, filters in [
        ((1, 5, 5, 1), (1, 1, 1, 1)), ((0, 5, 5, 2), (3, 3, 2, 2)), ((3, 8, 7, 3), (1, 1, 3, 17)),
        ((1, 40, 50, 33), (3, 3, 33, 20)), ((2, 6, 7, 1), (5, 3, 1, 1)),
    ]:  # fmt: skip
        check(plain, numbers(*x, dtype=dtype), numbers(*filters, dtype=dtype))


def test_several_blocks_of_places():
    from runtime.engine.llvm.arrays.convolution_code import BLOCK

    x, filters = numbers(2, 90, 80, 10), numbers(3, 3, 10, 4)
    assert 2 * 90 * 80 * 90 > 2 * BLOCK
    check({"strides": 1, "padding": "SAME"}, x, filters)


def test_one_axis_and_channels_first():
    from runtime.engine.llvm.printer import print_module

    def f(x, filters, y, others):
        first = tf.nn.conv1d(x, filters, 2, "SAME")
        return first, tf.nn.conv2d(y, others, 1, "SAME", data_format="NCHW")

    args = numbers(2, 11, 3), numbers(4, 3, 5), numbers(2, 3, 6, 7), numbers(3, 3, 3, 4)
    with lowered_modules() as modules:
        found = tf.function(f)(*args)
    text = "\n".join(map(print_module, modules))
    assert text.count(" = convolve ") == 2
    for one, other in zip(found, f(*map(tf.constant, args)), strict=True):
        np.testing.assert_allclose(one, other, 1e-4, 1e-5)


def test_groups_and_unknown_sizes_are_left_to_the_kernel():
    def f(x, filters):
        return tf.nn.conv2d(x, filters, 1, "SAME")

    x, grouped = numbers(1, 5, 6, 4), numbers(3, 3, 2, 4)
    expected = f(tf.constant(x), tf.constant(grouped))
    np.testing.assert_allclose(tf.function(f, jit_compile=True)(x, grouped), expected, 1e-5, 1e-5)
    spec = tf.TensorSpec([None, None, None, 4], "float32")
    filters = numbers(3, 3, 4, 2)
    native = tf.function(f, [spec, tf.TensorSpec([3, 3, 4, 2])], jit_compile=True)
    expected = f(tf.constant(x), tf.constant(filters))
    np.testing.assert_allclose(native(x, filters), expected, 1e-5, 1e-5)
