"""Eager functions of large arrays as machine code: NumPy's kernels are the reference."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import runtime as tf
from runtime.eager import costly_kernels
from runtime.eager.costly_kernels import LEAST, CostlyKernel, kernel_of
from runtime.ops.op import COSTLY, TABLE, lookup
from runtime.types.flags import JIT

ROWS = 64
ATTRS = {
    "cumprod": {"axis": -1, "exclusive": False, "reverse": True},
    "cumsum": {"axis": 0, "exclusive": True, "reverse": False},
    "cumulative_logsumexp": {"axis": 1, "exclusive": False, "reverse": False},
    "gelu": {"approximate": True},
    "leaky_relu": {"alpha": 0.2},
    "log_softmax": {"axis": -1},
    "reduce_euclidean_norm": {"axis": None, "keepdims": True},
    "reduce_logsumexp": {"axis": None, "keepdims": False},
    "reduce_mean": {"axis": (0, -1), "keepdims": False},
    "reduce_std": {"axis": 0, "keepdims": False},
    "reduce_sum": {"axis": -1, "keepdims": False},
    "reduce_variance": {"axis": -1, "keepdims": True},
    "softmax": {"axis": 0},
}


@pytest.fixture(autouse=True)
def _hot_at_once(monkeypatch):
    monkeypatch.setattr(costly_kernels, "HOT_SECONDS", -1.0)
    monkeypatch.setattr(costly_kernels, "LOADING_SECONDS", -1.0)
    yield
    for kernel in costly_kernels._KERNELS.values():
        kernel._codes.clear()
        kernel._seconds.clear()


def samples(dtype, special):
    numbers = np.random.default_rng(5).uniform(-3, 3, (ROWS, LEAST // ROWS)).astype(dtype)
    if special:
        tiny = np.finfo(dtype).smallest_subnormal
        numbers[3, :9] = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e30, -1e30, tiny, -200.0]
    return numbers


@pytest.mark.nightly
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", sorted(op.name for op in TABLE.values() if COSTLY in op.traits))
def test_machine_code_gives_what_the_kernel_gives(name, dtype):
    pytest.importorskip("llvmlite")
    op = lookup(name)
    attrs = ATTRS.get(name, {})
    kernel = CostlyKernel(op)
    with np.errstate(all="ignore"):
        kernel(samples(dtype, False), **attrs)
    (code,) = kernel._codes.values()
    assert code is not None, "there is machine code for all of them"
    for special in (False, True):
        x = samples(dtype, special)
        before = x.copy()
        with np.errstate(all="ignore"):
            expected = op.kernel(x, **attrs)
        computed = kernel(x, **attrs)
        assert computed.dtype == expected.dtype
        assert computed.shape == expected.shape
        tolerance = 2e-6 if dtype is np.float32 else 1e-14
        np.testing.assert_allclose(computed, expected, rtol=tolerance, atol=tolerance / 10)
        np.testing.assert_array_equal(x, before)


def test_small_arrays_other_dtypes_and_gaps_are_numpys():
    kernel = CostlyKernel(lookup("exp"))
    wide = samples(np.float32, False)
    for x in (wide[:2], wide.astype(np.float16), wide.T[::2], wide[:, ::2], np.float32(1.0)):
        np.testing.assert_array_equal(kernel(x), np.exp(x))
    assert not kernel._codes


def test_public_functions_and_their_gradients():
    x = tf.constant(samples(np.float32, False))
    sigmoid = 1 / (1 + np.exp(-x.numpy().astype(np.float64)))
    for _ in range(3):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sigmoid(x)
        np.testing.assert_allclose(y.numpy(), sigmoid, rtol=2e-6)
        gradient = tape.gradient(y, x)
        np.testing.assert_allclose(gradient.numpy(), sigmoid * (1 - sigmoid), rtol=1e-4, atol=1e-7)


def test_vectors_and_results_that_stay():
    x = samples(np.float32, False)
    first, again = [
        [
            tf.reduce_logsumexp(tf.constant(numbers.reshape(-1)), axis=0).numpy(),
            tf.cumsum(tf.constant(numbers.reshape(-1))).numpy(),
            tf.nn.softmax(tf.constant(numbers.reshape(4, -1, 8))).numpy(),
        ]
        for numbers in (x, x, x + 1, x)
    ][1::2]
    for computed, later in zip(first, again, strict=True):
        np.testing.assert_array_equal(computed, later)
    wide = x.astype(np.float64).reshape(-1)
    assert first[0].shape == ()
    np.testing.assert_allclose(first[0], np.log(np.exp(wide).sum()), rtol=1e-5)
    np.testing.assert_allclose(first[1], np.cumsum(wide), rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(first[2].sum(-1), np.ones((4, LEAST // 32)), rtol=1e-5)


def test_never_compiles_nothing():
    kernel = CostlyKernel(lookup("exp"))
    x = samples(np.float32, False)
    with JIT("never"):
        for _ in range(2):
            np.testing.assert_array_equal(kernel(x), np.exp(x))
    assert not kernel._codes


def test_nothing_is_compiled_while_a_graph_is_traced():
    kernel = CostlyKernel(lookup("exp"))

    @tf.function
    def traced():
        kernel(samples(np.float32, False))
        return tf.constant(1)

    traced()
    assert not kernel._codes


def test_threads_compute_at_the_same_time():
    x = tf.constant(samples(np.float32, False))
    expected = np.tanh(x.numpy())
    faults = []

    def compute():
        for _ in range(50):
            if not np.allclose(tf.tanh(x).numpy(), expected, rtol=2e-6, atol=1e-7):
                faults.append(1)

    threads = [threading.Thread(target=compute) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults


def test_other_ops_keep_their_kernels():
    assert kernel_of(lookup("add")) is lookup("add").kernel
