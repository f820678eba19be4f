"""Sums and products of float16 are NumPy's to the bit: along the last axes in float32, along others
rounded after each step, so that 2048 + 1 is 2048.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import runtime as tf
from tests.runtime.engine.llvm.sweeps import native_code
from tests.runtime.engine.llvm.test_narrow_floats import check, graph_of
from tests.support.extras import needs

pytestmark = needs("jit")

SHAPES = [
    (5000,), (0,), (5000, 3), (3, 5000), (5000, 1), (1, 3000, 2), (31, 1, 65), (7, 80, 9), (0, 3),
    (4, 5, 6, 7),
]  # fmt: skip


def numbers(shape):
    """Sums of these are exact in float32, in any order."""
    drawn = np.random.default_rng(len(shape)).integers(-2, 9, shape)
    return (drawn / 2).astype(np.float16)


def sums(x):
    """Sums along all sets of axes, and products of what is 1 mostly."""
    found = []
    for count in range(1, x.shape.rank + 1):
        for axes in combinations(range(x.shape.rank), count):
            found.append(tf.reduce_sum(x, axes, keepdims=count == 2))
            found.append(tf.reduce_prod(tf.where(x == 4.0, tf.cast(1.25, x.dtype), 1.0), axes))
    return found


@pytest.mark.parametrize("shape", SHAPES)
def test_all_axes(shape):
    check(sums, numbers(shape))


@pytest.mark.parametrize("shape", [(300, 70), (9, 70, 5), (4000, 3)])
def test_sums_of_what_a_fusion_computes(shape):
    """The sizes of rows that NumPy adds up in float32 depend on what it has in memory."""

    def program(x, y):
        return sums(x * y + 0.5)

    for y in (numbers(shape), numbers(shape[-1:]), numbers((1,)), numbers((shape[0], *[1] * (
            len(shape) - 1)))):  # fmt: skip
        check(program, numbers(shape), y)


@pytest.mark.parametrize("lay", [
    lambda x: x[:, ::2], lambda x: x[::-1], np.asfortranarray, lambda x: x.T, lambda x: x[::3],
])  # fmt: skip
def test_other_layouts(lay):
    x = lay(numbers((900, 40)))
    check(sums, x, fuses=False)
    check(sums, x, known=False, fuses=False)
    check(lambda x: sums(tf.transpose(x) + 1.0), x, fuses=False)


@pytest.mark.parametrize("size", [1, 2, 3000])
def test_an_axis_of_unknown_size_may_have_size_one(size):
    graph = graph_of(lambda x: [tf.reduce_sum(x, 0), tf.reduce_sum(x, 1)], np.ones((2, 2), "f2"),
                     known=False)  # fmt: skip
    x = np.ones((4100, size), np.float16)
    for one, other in zip(native_code(graph)([x]), (x.sum(0), x.sum(1)), strict=True):
        np.testing.assert_array_equal(one, other)


def test_large_sums_are_the_same_in_several_threads():
    x = numbers((6000, 1000))
    check(lambda x: [tf.reduce_sum(x), tf.reduce_sum(x, 0), tf.reduce_sum(x, 1)], x)
