"""Convolutions, pooling and their gradients in native code: the results are those of the kernels,
which are not called.
"""

from itertools import product

import numpy as np
import pytest

import runtime as tf
from runtime.ops.nn.convolution import avg_pool, conv, conv_transpose, max_pool
from runtime.ops.nn.convolution_backprop import (
    avg_pool_to_input,
    conv_to_filters,
    conv_to_input,
    max_pool_places,
    max_pool_to_input,
)
from tests.runtime.engine.llvm.native_programs import lowered_modules
from tests.support import nightly
from tests.support.extras import needs
from tests.support.nightly import always

pytestmark = needs("jit")

PADDINGS = ("SAME", "VALID", ((1, 0), (2, 1)), ((0, 4), (5, 0)))
ATTRS = [
    {"strides": s, "dilations": d, "padding": PADDINGS[k % len(PADDINGS)]}
    for k, (s, d) in enumerate(
        2 * [*product(((1, 1), (2, 1), (3, 2)), ((1, 1), (2, 1), (1, 3)))]
    )
]
SHAPES = [  # input, filters
    ((2, 7, 9, 4), (3, 2, 4, 5)), ((2, 7, 9, 4), (3, 2, 2, 6)), ((2, 7, 9, 35), (3, 2, 1, 35)),
    ((2, 7, 9, 4), (3, 3, 1, 8)), ((2, 8, 7, 3), (1, 1, 3, 17)),
    ((2, 6, 31, 70), (3, 2, 70, 5)), ((1, 6, 39, 128), (2, 2, 64, 4)),  # long runs
    ((1, 5, 29, 130), (2, 3, 130, 34)),
]  # fmt: skip


def numbers(*shape, dtype="float32", seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


@pytest.fixture
def without_kernels(monkeypatch):
    """No kernel of convolutions and pooling may be called from native code."""
    from runtime.engine.llvm import callbacks

    functions = callbacks.site_function

    def site_function(site, rare=False, fused=False):
        name = site.step.operation.op_def.name

        def called(*args):
            raise AssertionError(f"the kernel of {name} is called")

        return called if "conv" in name or "pool" in name else functions(site, rare, fused)

    monkeypatch.setattr(callbacks, "site_function", site_function)


class Natively:
    """Ops that run as one native function; then their results are compared with the kernels'."""

    def __init__(self, attrs):
        self.attrs = attrs
        self.calls, self.inputs, self.specs, self.expected = [], [], [], []

    def add(self, op, *inputs, shape=None, exact=False, **attrs):
        """Add an op; return what its kernel gives.  The size of a batch is not known."""
        attrs = {**self.attrs, **attrs}
        constants = [] if shape is None else [np.array(shape)]
        place = len(self.inputs)
        self.calls.append((op, range(place, place + len(inputs)), constants, attrs))
        self.inputs += inputs
        specs = [tf.TensorSpec([None, *x.shape[1:]], x.dtype) for x in inputs]
        if op in (conv, conv_to_input, conv_transpose):
            specs[1] = tf.TensorSpec(inputs[1].shape, inputs[1].dtype)
        self.specs += specs
        with np.errstate(all="ignore"):
            result = op.kernel(*inputs, *constants, **attrs)
        self.expected.append((result, exact))
        return result

    def check(self):
        """Run all, and compare."""

        def f(*args):
            return [
                op(*[args[n] for n in places], *constants, **attrs)
                for op, places, constants, attrs in self.calls
            ]

        found = tf.function(f, self.specs, jit_compile=True)(*self.inputs)
        for one, (other, exact) in zip(found, self.expected, strict=True):
            same(one.numpy(), other, exact)


def same(found, expected, exact=False):
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    if exact:
        np.testing.assert_array_equal(found, expected)
    else:
        scale = 200 * np.finfo(expected.dtype).eps
        size = np.max(abs(expected), where=np.isfinite(expected), initial=1)
        np.testing.assert_allclose(found, expected, scale, scale * size)


def add_convolutions(ops, x, filters, **attrs):
    """Add a convolution and all of its gradients."""
    y = ops.add(conv, x, filters, **attrs)
    dy = numbers(*y.shape, dtype=x.dtype, seed=1)
    ops.add(conv_to_filters, x, dy, shape=filters.shape, **attrs)
    ops.add(conv_to_input, dy, filters, shape=x.shape, **attrs)
    if filters.shape[-2] == x.shape[-1]:  # it takes no groups
        ops.add(conv_transpose, dy, filters, shape=x.shape, **attrs)


def add_pools(ops, x, **attrs):
    """Add pooling and all of its gradients."""
    y = ops.add(max_pool, x, exact=True, **attrs)
    dy = numbers(*y.shape, dtype=x.dtype, seed=1)
    ops.add(max_pool_places, x, exact=True, **attrs)
    ops.add(max_pool_to_input, x, dy, **attrs)
    ops.add(avg_pool_to_input, dy, shape=x.shape, **attrs)


@pytest.mark.parametrize("attrs", always(ATTRS[:9], ATTRS))
def test_convolutions_and_their_gradients(attrs, without_kernels):
    ops = Natively(attrs)
    for x, filters in SHAPES:
        add_convolutions(ops, numbers(*x), numbers(*filters))
    ops.check()


def with_nan(x):
    x = x.copy()
    x[np.random.default_rng(2).random(x.shape) < 0.1] = np.nan
    x[np.random.default_rng(3).random(x.shape) < 0.3] = -np.inf
    x[np.random.default_rng(4).random(x.shape) < 0.3] = 0.5
    return x


@pytest.mark.parametrize("attrs", always(ATTRS[:9], ATTRS))
def test_pooling_and_its_gradients(attrs, without_kernels):
    ops = Natively(attrs)
    for channels, window in ((3, (2, 3)), (37, (3, 1))):
        x = numbers(2, 8, 9, channels)
        add_pools(ops, x, window=window)
        add_pools(ops, with_nan(x), window=window)
        ops.add(avg_pool, x, window=window)
    ops.check()


@pytest.mark.parametrize("dtype", always(["float32"], ["float32", "float64"]))
def test_sizes(dtype, without_kernels):
    """One and three axes, many channels, one element, several blocks of places, of columns, and of
    inner products.
    """
    ops = Natively({"padding": "SAME"})
    sizes = [
        ((1, 5, 5, 1), (1, 1, 1, 1)), ((1, 40, 50, 33), (3, 3, 33, 20)), ((2, 11, 3), (4, 3, 5)),
        ((2, 5, 6, 7, 3), (2, 3, 2, 3, 5)), ((1, 400, 8), (9, 2, 8)),
        ((2, 6, 7, 1), (5, 3, 1, 1)), ((3, 20, 9), (1, 9, 40)),
        ((1, 6, 7, 150), (3, 3, 150, 420)), ((2, 4, 5, 6, 4), (3, 2, 2, 1, 4)),
        ((2, 40, 50, 6), (3, 3, 6, 4)),
    ]  # fmt: skip
    for x, filters in sizes if nightly.EVERYTHING else sizes[:5]:
        count, given = len(x) - 2, numbers(*x, dtype=dtype)
        attrs = {"strides": (1,) * count, "dilations": (1,) * count}
        add_convolutions(ops, given, numbers(*filters, dtype=dtype), **attrs)
        add_pools(ops, given, window=(2,) * count, **attrs)
        ops.add(avg_pool, given, window=(2,) * count, **attrs)
    ops.check()


def layouts(x):
    yield x
    yield np.repeat(x, 2, axis=1)[:, ::2]
    yield np.repeat(x, 2, axis=2)[:, :, ::2]
    yield x[:, ::-1].copy()[:, ::-1]
    yield np.concatenate([x, x], -1)[..., : x.shape[-1]]
    yield np.asfortranarray(x)
    yield np.broadcast_to(x[..., :1], x.shape)


def test_layouts(without_kernels):
    ops = Natively({"strides": (2, 1), "dilations": (1, 1), "padding": "SAME"})
    x, filters = numbers(2, 7, 9, 4), numbers(3, 2, 4, 5)
    for one, other in zip(layouts(x), layouts(filters), strict=True):
        y = ops.add(conv, one, other)
        ops.add(max_pool, one, window=(2, 2), exact=True)
    for dy in layouts(y):
        ops.add(conv_to_filters, x, dy, shape=filters.shape)
        ops.add(conv_to_input, dy, filters, shape=x.shape)
    ops.check()


def test_no_images_and_unknown_sizes_are_left_to_the_kernel():
    def f(x, filters):
        return tf.nn.conv2d(x, filters, 1, "SAME")

    filters, x = numbers(3, 3, 4, 2), numbers(1, 5, 6, 4)
    for dims, given in (([None, 5, 6, 4], x[:0]), ([None, None, None, 4], x)):
        spec = tf.TensorSpec(dims, "float32")
        function = tf.function(f, [spec, tf.TensorSpec([3, 3, 4, 2])], jit_compile=True)
        same(function(given, filters).numpy(), f(tf.constant(given), tf.constant(filters)).numpy())


def test_wrong_batches_raise_as_the_kernel_does():
    attrs = {"strides": (1, 1), "dilations": (1, 1), "padding": "SAME"}
    dy, filters = numbers(2, 5, 6, 4), numbers(3, 3, 3, 4)

    def f(dy, filters, batch):
        shape = tf.stack([batch, 5, 6, 3])
        return conv_to_input(dy, filters, shape, **attrs)

    number = tf.TensorSpec([], "int32")
    specs = [tf.TensorSpec([None, 5, 6, 4]), tf.TensorSpec(filters.shape), number]
    function = tf.function(f, specs, jit_compile=True)
    expected = conv_to_input.kernel(dy, filters, np.array([2, 5, 6, 3]), **attrs)
    same(function(dy, filters, 2).numpy(), expected)
    with pytest.raises(tf.errors.InvalidArgumentError) as native_error:
        function(dy, filters, 3)
    with pytest.raises(tf.errors.InvalidArgumentError) as error:
        f(tf.constant(dy), tf.constant(filters), tf.constant(3))
    assert str(error.value).splitlines()[0] == str(native_error.value).splitlines()[0]


def test_gradients_of_a_batch_of_unknown_size(without_kernels):
    """The shape of the input is not made."""

    def loss(x, filters):
        y = tf.nn.max_pool(tf.nn.relu(tf.nn.conv2d(x, filters, 2, "SAME")), 2, 2, "SAME")
        return tf.reduce_sum(tf.nn.avg_pool(y, 2, 1, "SAME") ** 2)

    def gradients(x, filters):
        with tf.GradientTape() as tape:
            tape.watch([x, filters])
            found = loss(x, filters)
        return tape.gradient(found, [x, filters])

    x, filters = numbers(3, 12, 11, 3), numbers(3, 3, 3, 8)
    expected = gradients(tf.constant(x), tf.constant(filters))
    specs = [tf.TensorSpec([None, 12, 11, 3]), tf.TensorSpec(filters.shape)]
    with lowered_modules():
        found = tf.function(gradients, specs)(x, filters)
    for one, other in zip(found, expected, strict=True):
        same(one.numpy(), other.numpy())


def test_training_of_a_network(without_kernels):
    """Steps of a network with two convolutions."""

    def step(x, labels, a, b, c):
        with tf.GradientTape() as tape:
            tape.watch([a, b, c])
            y = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(x, a, 1, "SAME")), 2, 2, "VALID")
            y = tf.nn.avg_pool2d(tf.nn.relu(tf.nn.conv2d(y, b, 2, "SAME")), 2, 1, "SAME")
            y = tf.reshape(y, [-1, 4 * 4 * 8]) @ c
            loss = tf.reduce_mean(
                tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=y)
            )
        rates = zip((a, b, c), tape.gradient(loss, [a, b, c]), strict=True)
        return [loss, *(w - 0.1 * dw for w, dw in rates)]

    weights = [numbers(3, 3, 1, 6) / 3, numbers(3, 3, 6, 8) / 8, numbers(128, 5) / 12]
    x, labels = numbers(7, 16, 16, 1), np.eye(5, dtype="float32")[[0, 3, 2, 1, 4, 4, 0]]
    native = tf.function(step, jit_compile=True)
    found, expected = weights, [tf.constant(w) for w in weights]
    for _ in range(3):
        loss, *found = native(x, labels, *found)
        other, *expected = step(tf.constant(x), tf.constant(labels), *expected)
        np.testing.assert_allclose(loss, other, 1e-5)
    for one, other in zip(found, expected, strict=True):
        same(one.numpy(), other.numpy())


@pytest.mark.parametrize("attrs", ATTRS[:6])
def test_numbers_that_are_not_finite(attrs):
    """Zeros around an array, times an infinite number, are NaN where the kernel multiplies them."""
    for position in range(3):
        ops = Natively(attrs)
        for shape, size in SHAPES[:3]:
            x, filters = numbers(*shape), numbers(*size)
            dy = numbers(*conv.kernel(x, filters, **attrs).shape, seed=1)
            array = (x, filters, dy)[position]
            array[:, 0], array[:, -1] = np.inf, np.nan
            ops.add(conv, x, filters, **attrs)
            ops.add(conv_to_filters, x, dy, shape=filters.shape, **attrs)
            ops.add(conv_to_input, dy, filters, shape=x.shape, **attrs)
        ops.check()
