"""Loops that add ints up: vectors give what one iteration after the other gives, or raises."""

import random

import numpy as np
import pytest

import runtime as tf
from tests.runtime.engine.llvm.against_reference import check
from tests.runtime.engine.llvm.native_programs import lowered_modules

pytest.importorskip("llvmlite")

LARGE = 2**62
LEAST, MOST = -(2**63), 2**63 - 1


def sum_even(xs):
    total = 0
    for x in xs:
        if x % 2 == 0:
            total += x
    return total


def several(xs):
    count, total, less = 3, -5, 0
    for x in xs:
        if x > 10:
            total += x
            if x % 4 != 1:
                count += 1
                total += 7
        else:
            less -= x
            total = total - x
    return count, total, less


def of_products(xs):
    total = 0
    for x in xs:
        total += x * x - 3 * x
        total -= abs(x) // 4 + min(x, 9)
    return total


def of_negatives(xs):
    total = 1
    for x in xs:
        if x > -5 and x != 3:
            total += -x
    return total


def neighbours(xs):
    total = 0
    for i in range(1, len(xs) - 1):
        if xs[i - 1] < xs[i] < xs[i + 1]:
            total += xs[i] - xs[i - 1]
    return total


def before_the_first(xs):
    total = 0
    for i in range(len(xs)):
        total += xs[i - 2] - xs[i]
    return total


def beyond_the_last(xs):
    total = 0
    for i in range(len(xs)):
        total += xs[i + 3]
    return total


def of_pairs(xs):
    pairs = [(x, x % 5) for x in xs]
    total = 0
    for x, rest in pairs:
        if rest:
            total += x
    return total


PROGRAMS = [
    sum_even, several, of_products, of_negatives, neighbours, before_the_first, beyond_the_last,
    of_pairs,
]  # fmt: skip
DRAWN = random.Random(5)
LISTS = {
    "one": [4],
    "two": [4, -9],
    "small": [DRAWN.randrange(-50, 50) for _ in range(100)],
    "of 40 bits": [DRAWN.randrange(-(2**40), 2**40) for _ in range(77)],
    "of 50 bits": [DRAWN.randrange(-(2**50), 2**50) for _ in range(77)],
    "just small": [2**44, -(2**44)] * 9,
    "just too large": [2**44 + 2, -(2**44) - 2] * 9,
    "near 32 bits": [2**31 - 1, -(2**31), 2**31, 1 - 2**31] * 7,
    "overflow of partial sums in another order": [LARGE, -LARGE] * 16,
    "overflow of a partial sum": [2, LARGE, LARGE, -LARGE, -LARGE] * 4,
    "overflow at the end": [1, 2, 3] * 20 + [LARGE, LARGE],
    "least": [5, 6, LEAST, 8] * 5,
    "most": [5, 6, MOST, 8, MOST] * 5,
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_lists(program):
    check(program, [(xs,) for xs in LISTS.values()])


@pytest.mark.parametrize("program", PROGRAMS)
def test_these_programs_add_in_vectors(program):
    with lowered_modules():
        compiled = tf.jit(program)
        assert adds_in_vectors(compiled, [7] * 20)


def adds_in_vectors(compiled, *args):
    """Return whether strips of a loop may be added up in vectors."""
    return "\nadd" in compiled.llvm_ir(*args)


def test_overflows_are_told_at_the_iteration():
    found = check(several, [([20] * 17000 + [LARGE] * 2,), ([20] * 10 + [LARGE] * 2,)])
    assert all(issubclass(kind, OverflowError) for kind, _ in found)


def test_many_strips():
    xs = [DRAWN.randrange(-1000, 1000) for _ in range(35_000)]
    at = 20_000
    check(sum_even, [(xs,), (xs[:at] + [LARGE, -LARGE] + xs[at:],)])
    check(sum_even, [(xs[:at] + [LARGE, LARGE, -LARGE] + xs[at:],), (xs[:16384],), (xs[:16385],)])


@pytest.mark.parametrize("start", [LARGE - 1, LARGE, -LARGE, 1 - LARGE, MOST - 3, LEAST + 3])
def test_sums_that_begin_far_from_zero(start):
    def program(total, xs):
        for x in xs:
            total += x
        return total

    check(program, [(start, [x] * 20) for x in (1, -1, 0)])


def test_ranges():
    def program(start, stop, step):
        total, count = 0, 0
        for k in range(start, stop, step):
            if k % 8 != 3:
                total += k
                count += 1
        return total, count

    ends = [0, 1, -7, 100, -100, 2**44, 2**50, MOST - 40, LEAST + 40]
    cases = [(end, end + 33 * step + 1, step) for end in ends for step in (1, 2, -1)]
    check(program, cases)


# -- arrays ---------------------------------------------------------------------------------------


def total_of(a):
    total = 0
    for i in range(len(a)):
        if a[i] > 3:
            total += int(a[i])
    return total


def of_rows(a, row):
    total = 0
    for k in range(a.shape[1]):
        total += int(a[row, k]) - int(a[1, k])
    return total


def of_columns(a, column):
    total = 0
    for k in range(a.shape[0]):
        total += int(a[k, column])
    return total


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint8", "bool"])
def test_arrays(dtype):
    a = (np.arange(300) * 37 % 101).astype(dtype)
    check(total_of, [(a,), (a[::-1],), (a[5::3],), (a[:0],), (a[:1],)])
    table = a.reshape(15, 20)
    check(of_rows, [(table, row) for row in (0, 14, -1, 15, -16)])
    check(of_rows, [(table.T, 3), (table[:, ::-1], 3), (table[::2, 3:9], 2)])
    check(of_columns, [(table, column) for column in (0, 19, -1, 20)])


def test_counts_of_floats():
    def program(a, limit):
        count = 0
        for i in range(len(a)):
            if a[i] > limit:
                count += 1
        return count

    a = np.array([0.5, np.nan, -0.0, np.inf, -np.inf, 2.5] * 9)
    check(program, [(a, limit) for limit in (0.0, 2.5, np.nan, -np.inf)])
    check(program, [(a.astype(np.float32), 0.25)])


def test_sums_of_dtypes_wrap_around():
    def program(a):
        total = a[0]
        for i in range(1, len(a)):
            if a[i] % 2 == 0:
                total = total + a[i]
        return total

    with lowered_modules(), np.errstate(over="ignore"):
        compiled = tf.jit(program)
        for dtype in (np.int32, np.int64):
            a = np.array([np.iinfo(dtype).max - 1, 4, 8, 3] * 30, dtype)
            assert compiled(a) == program(a)
            assert type(compiled(a)) is dtype
            assert adds_in_vectors(compiled, a)


# -- loops that do more ---------------------------------------------------------------------------


def partial_sums(xs):
    total, found = 0, 0
    for x in xs:
        total += x
        found += total
    return found


def both_ways(xs):
    first, second = 0, 1
    for x in xs:
        if x > 3:
            first, second = second, first
        first += x
    return first, second


def divided(xs):
    total = 0
    for x in xs:
        total += 100 // x
    return total


def of_chosen(xs):
    total = 0
    for x in xs:
        total += xs[x % 7]
    return total


@pytest.mark.parametrize("program", [partial_sums, both_ways, divided, of_chosen])
def test_loops_that_do_more_than_adding_up(program):
    check(program, [(LISTS["small"],), (LISTS["overflow of a partial sum"],), ([9, 8] * 10,)])
    with lowered_modules():
        assert not adds_in_vectors(tf.jit(program), [7] * 20)
