"""Scans as native loops: results, gradients and errors are those of the kernel."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.engine.llvm import engine as llvm_engine

pytestmark = pytest.mark.skipif(not llvm_engine.is_available(), reason="needs llvmlite")

X = np.linspace(-2, 2, 7, dtype=np.float32)


def pairs(x):
    """Carry two numbers, and stack two rows that differ from them."""
    return tf.scan(lambda a, b: (a[0] + b, tf.stack([a[0], b])), x, (0.0, tf.zeros([2])))


def gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.scan(lambda a, b: tf.tanh(a * 0.5 + b), x) ** 2)
    return tape.gradient(y, x)


PROGRAMS = {
    "number": lambda x: tf.scan(lambda a, b: a * 0.5 + b, x, 1.0),
    "reverse": lambda x: tf.scan(lambda a, b: a * 0.5 + b, x, reverse=True),
    "rows": lambda x: tf.scan(lambda a, b: a * 0.5 + b * tf.ones([3]), x, tf.zeros([3])),
    "pairs": pairs,
    "map": lambda x: tf.map_fn(lambda b: (b * 2, b > 0), x, fn_output_signature=(tf.float32, bool)),
    "captured": lambda x: tf.scan(lambda a, b: a + b * tf.reduce_max(x), x, 0.0),
    "nested": lambda x: tf.map_fn(lambda b: tf.scan(lambda c, d: c + b * d, x, 0.0), x),
    "gradient": gradient,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_those_of_the_kernel(name):
    compiled = tf.function(PROGRAMS[name], jit_compile=True)
    plain = tf.function(PROGRAMS[name], jit_compile=False)
    for x in (X, X[:1]):
        found, wanted = tf.nest.flatten(compiled(x)), tf.nest.flatten(plain(x))
        for one, other in zip(found, wanted, strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
    assert "callback scan" not in compiled.get_concrete_function(X).kernel_ir()


@pytest.mark.parametrize("name", ["number", "reverse", "rows", "pairs", "map"])
def test_unknown_and_no_iterations(name):
    spec = tf.TensorSpec([None], tf.float32)
    compiled = tf.function(PROGRAMS[name], jit_compile=True, input_signature=[spec])
    plain = tf.function(PROGRAMS[name], jit_compile=False, input_signature=[spec])
    for size in (0, 1, 7) if name != "reverse" else (1, 7):
        found, wanted = (tf.nest.flatten(f(X[:size])) for f in (compiled, plain))
        for one, other in zip(found, wanted, strict=True):
            assert one.dtype == other.dtype and one.shape == other.shape
            np.testing.assert_allclose(one, other, rtol=1e-5)


def test_errors_and_effects_come_as_from_the_kernel(capsys):
    def program(x):
        def step(a, b):
            tf.print("at", b)
            return a // b

        return tf.scan(step, x)

    messages = []
    for jit in (False, True):
        with pytest.raises(tf.errors.InvalidArgumentError) as error:
            tf.function(program, jit_compile=jit)(tf.constant([7, 2, 0, 3]))
        messages.append(str(error.value))
        assert capsys.readouterr().err == "at 2\nat 0\n"
    assert messages[0] == messages[1]


def test_rows_of_unknown_shapes_are_left_to_the_kernel():
    def program(x, n):
        return tf.map_fn(lambda b: tf.fill([n], b), x)

    compiled = tf.function(program, jit_compile=True)
    np.testing.assert_array_equal(compiled(X, tf.constant(2)), np.stack([X, X], 1))
    assert "callback scan" in compiled.kernel_ir(X, tf.constant(2))
