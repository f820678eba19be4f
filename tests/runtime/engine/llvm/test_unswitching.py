"""Loops that are copied for bools that are known before them: the copies, and their results."""

import itertools

import numpy as np
import pytest

import runtime as tf
from tests.runtime.engine.llvm.native_programs import check_native, lowered_modules

pytest.importorskip("llvmlite")


def exchanged(start, steps):
    now, then = start.copy(), start.copy()
    for _ in range(steps):
        for i in range(1, len(now) - 1):
            then[i] = (now[i - 1] + now[i + 1]) * 0.5 + now[i] * 0.25
        now, then = then, now
    return now


def chosen(a, b, c, d, n):
    """Choices by two bools, also in a loop in the loop, and by one that changes."""
    total, odd = 0.0, False
    for i in range(n):
        x = a[i] if c else b[i]
        y = b[i] if c else a[i] * 2.0
        for j in range(i):
            z = a[j] if d else b[j]
            total += z * x if c else z - y
            odd = not odd
        total += x if odd else y
        if d:
            total -= 1.0
    return total


def long_one(a, c, n):
    total = 0.0
    for i in range(n):
        x = a[i] if c else -a[i]
        y = x + 1.0 if c else x - 1.0
        try:
            total += y / (x - 3.0)
        except ZeroDivisionError:
            total += 1.0
    return total


@pytest.mark.parametrize("steps", [0, 1, 2, 5])
def test_arrays_that_are_exchanged(steps):
    start = np.arange(7.0) ** 2
    staged = tf.jit(exchanged, strict=True, jit_compile=True)
    for _ in range(2):
        np.testing.assert_array_equal(staged(start, steps), exchanged(start, steps))


def test_choices_by_bools_that_are_known_before():
    a, b = [1.0, 2.5, -3.0, 4.0], [0.5, -1.0, 2.0, 8.0]
    check_native(chosen, *itertools.product([a], [b], (True, False), (True, False), (0, 1, 4)))


def test_loops_with_other_statements_stay():
    staged = tf.jit(long_one, strict=True, jit_compile=True)
    for c in (True, False):
        assert staged([1.0, 3.0, -3.0], c, 3) == long_one([1.0, 3.0, -3.0], c, 3)


def test_a_loop_becomes_at_most_four():
    from runtime.engine.llvm import kernel_ir as ir

    with lowered_modules() as modules:
        tf.jit(chosen, strict=True)([1.0, 2.0], [3.0, 4.0], True, False, 2)
    loops = [
        instruction
        for module in modules
        for function in module.functions
        for instruction, _ in ir.instructions(function.block)
        if isinstance(instruction, ir.WhileLoop)
    ]
    assert 2 < len(loops) <= 8
