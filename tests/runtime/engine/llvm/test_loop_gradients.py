"""Gradients of loops with numbers on the native engine."""

import numpy as np
import pytest

import runtime as tf
from runtime.types import flags
from tests.support.extras import needs
from tests.support.nightly import always


@needs("jit")
@pytest.mark.parametrize("order", always([2], [1, 2]))
def test_gradients_of_scalar_loops(order):
    """Gradients of loops with numbers are the reference engine's."""

    def smooth(x, n):
        total, y = tf.constant(0.0, tf.float64), x
        for i in tf.range(n):
            if y > 2.0:
                y = y / 2.0
            else:
                y = y * x + 0.1
            total += y * tf.cast(i, tf.float64)
        return total

    staged = None

    def gradient(x, n):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                value = staged(x, n)
            first = tape.gradient(value, x)
        return first if order == 1 else outer.gradient(first, x)

    def found(choice):
        nonlocal staged
        staged, ways = tf.function(smooth), (gradient, tf.function(gradient))
        with flags.JIT(choice):
            return [
                [np.asarray(run(tf.constant(x, tf.float64), tf.constant(n))).item() for run in ways]
                for x in (0.5, 1.3, -1.1) for n in (0, 1, 6)
            ]  # fmt: skip

    np.testing.assert_array_equal(found("always"), found("never"))
