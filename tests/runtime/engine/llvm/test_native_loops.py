"""Counted loops in native code, which run in strips of ``POLL_EVERY`` iterations."""

import numpy as np
import pytest

import runtime as tf
from tests.runtime.engine.llvm.native_programs import check_native

pytest.importorskip("llvmlite")

COUNTS = [(n,) for n in (-5, 0, 1, 2, 16383, 16384, 16385, 40000)]


def sums(n):
    total = 0
    for i in range(n):
        if i % 3 != 1:
            total += i
    return total


def of_two_limits(n):
    found = 0
    for i in range(n % 200):
        for k in range(i):
            found = found * 3 % 1000003 + k
    return found, n


def overflowing(n):
    total = 2**63 - 130_000_000
    for i in range(n):
        total += i
    return total


def lists(n):
    rows = []
    spare = [1, 2]
    for i in range(n):
        rows.append([i, n])
        spare.append(i)
        if i % 3 == 0:
            spare[-1] += spare.pop(0) + rows[i // 2][1]
    return len(rows), spare[-3:]


def left_at(n):
    rows = [[1]]
    for i in range(n):
        rows.append([i])
        if i > 20000:
            return rows[i - n]
    return rows[n]


def from_far(n):
    total = 0
    for i in range(n - 7, n + 7, 3):
        total += i % 5
    for i in range(2**63 - 2, 2**63 - 1):
        total += i % 7
    return total


@pytest.mark.parametrize("program", [sums, of_two_limits, overflowing, lists, left_at, from_far])
def test_counts(program):
    check_native(program, *COUNTS)


def elements(a, n):
    total = 0.0
    for i in range(n):
        total += a[i]
    return total


def test_elements():
    array = np.arange(20000.0) / 7
    check_native(elements, (array, 20000), (array, 16384), (array[::-2], 10000))


def test_what_each_iteration_changes_by_one_needs_no_check_of_overflow():
    def steps(n):
        up, down = 0, 5
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            up += 1
            down = down - 1
        return up, down

    native = tf.jit(steps, jit_compile=True)
    assert native(27) == steps(27) == (111, -106)
    text = native.get_concrete_function(27).llvm_ir()
    assert "with.overflow" not in text

    def far(start, n):
        for _ in range(n):
            start += 1
        return start

    native = tf.jit(far, jit_compile=True)
    assert native(2**63 - 4, 3) == 2**63 - 1
    with pytest.raises(OverflowError):
        native(2**63 - 4, 4)
