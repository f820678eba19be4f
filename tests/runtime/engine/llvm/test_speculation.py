"""Switches in loops whose branches are all computed: what overflows in a branch counts only there.

Also what spares the check of an overflow: constant factors and known bounds.
"""

import random

import pytest

import runtime as tf
from tests.runtime.engine.llvm.against_reference import check
from tests.runtime.engine.llvm.native_programs import lowered_modules, plain

pytest.importorskip("llvmlite")

LIMITS = (
    0, 1, -1, 2, 3, -6, 27, 2**61, 2**62 - 1, 2**62, (2**63 - 1) // 3, (2**63 - 1) // 3 + 1,
    -(2**63 // 3), -(2**63 // 3) - 1, 2**63 - 2, 2**63 - 1, 2 - 2**63, 1 - 2**63, -(2**63),
)  # fmt: skip
ALL = (*LIMITS, *[random.Random(3).randrange(-(2**63), 2**63) for _ in range(20)])


def collatz(n, turns):
    count = 0
    while count < turns and n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        count += 1
    return n, count


def both_may_overflow(n, turns):
    low = high = n
    for k in range(turns):
        if low % 2:
            low = low * 2
            high = high + 5
        else:
            low = low - k
            high = -high
    return low, high


def only_one_result(n, turns):
    found = 0
    for k in range(turns):
        if (n + k) % 4 == 3:
            found = found + k
        n = n // 2
    return found, n


def in_branches(n, turns):
    found = 1
    for k in range(turns):
        if n % 3 == 0:
            if n % 2 == 0:
                n = n // 2 + 7
            else:
                n = abs(n) - 1
        elif n > 100:
            n = n - 100
        found = found + n % 2
    return found, n


PROGRAMS = [collatz, both_may_overflow, only_one_result, in_branches]


@pytest.mark.parametrize("program", PROGRAMS)
def test_results_and_errors(program):
    check(program, [(n, turns) for n in ALL for turns in (0, 1, 7)])


@pytest.mark.parametrize("program", PROGRAMS)
def test_branches_of_these_programs_are_computed_in_advance(program):
    from runtime.engine.llvm.speculation import speculated_switches

    with lowered_modules() as modules:
        tf.jit(program)(27, 7)
    assert any(speculated_switches(module.entry) for module in modules)


def test_branches_stay_where_conditions_are_known_or_nothing_gives_up():
    from runtime.engine.llvm.speculation import speculated_switches

    def program(n, turns):
        total = 0
        for k in range(turns):
            if k % 2 == 0:
                total += n
            if n % 2 == 0:
                n = 7
            if total % 2 == 0:
                total = total * n * n
            if total % 1000 == 0:
                total += 1
        return total

    with lowered_modules() as modules:
        assert tf.jit(program)(27, 7) == program(27, 7)
    assert not any(speculated_switches(module.entry) for module in modules)


def test_the_error_of_an_overflow_names_the_line():
    line = collatz.__code__.co_firstlineno + 6
    with lowered_modules(), pytest.raises(OverflowError, match=f"test_speculation.py:{line}"):
        tf.jit(collatz)((2**63 - 1) // 3 + 1, 1)


FACTORS = (0, 1, -1, 2, -2, 3, -3, 5, 7, -9, 1000003, 2**62, -(2**62), 2**63 - 1, -(2**63))


@pytest.mark.parametrize("factor", FACTORS)
def test_multiples(factor):
    def program(n):
        total = 0
        for k in range(2):
            total = n * factor + k
        return total, factor * n - 1

    edges = [bound // factor + shift for bound in (2**63 - 1, -(2**63)) for shift in (-1, 0, 1)
             if factor and -(2**63) <= bound // factor + shift < 2**63]  # fmt: skip
    check(program, [(n,) for n in (*ALL, *edges)])


def test_arithmetic_within_bounds_is_not_checked():
    def program(n):
        total = 0
        for k in range(n):
            total = max(total, (k % 1000 + 1) * (n % 50) - k % 7)
        return total

    check(program, [(n,) for n in (0, 1, 60, 3000)])
    with lowered_modules():
        compiled = tf.jit(program)
        assert plain(compiled(5)) == program(5)
        assert ".with.overflow" not in compiled.llvm_ir(5)
