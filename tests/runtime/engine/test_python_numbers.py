"""Loops over Python numbers in generated code: Python's own operators, checked to 64 bits."""

from __future__ import annotations

import math

import pytest

import runtime as tf
from runtime.engine import python_numbers
from runtime.types import flags
from runtime.types.python_source import PythonSource
from tests.support.ways import all_words, outcome

TIMES = 4


@pytest.fixture(autouse=True)
def in_python():
    """No machine code, and each loop is written at once."""
    with flags.JIT("never"), flags.WRITE_AFTER(1):
        yield


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def mean_of_squares(n):
    total, k = 0.0, 0
    while k < n:
        total += k * k / 3
        k += 1
    return total / n


def powers(n):
    found, k = 1, 0
    while k < n:
        found = found * 10
        k += 1
    return found


def negative(n):
    least, k = -(2**62), 0
    while k < n:
        least = least + least
        k += 1
    return -least


def flags_in_the_state(n):
    seen, k, odd = False, 0, True
    while not seen and k < n:
        odd = not odd
        seen = k * k > 50 and odd
        k += 1
    return seen, odd, k


def squares(n):
    found, k = [], 0
    while k < n:
        found.append(k * k)
        k += 1
    return found


def divides(n):
    k = 3
    while n > 0:
        k = 10 // k - 1
        n -= 1
    return k


def mixed(n):
    x, k = 0.5, 1
    while k < n:
        x = math.sin(x) + abs(-k) - max(k, 3)
        k = k + 2
    return x, k


def infinite(n):
    x, k = 1e300, 0
    while k < n:
        x = x * 1e10
        k += 1
    return str(x)


PROGRAMS = {
    collatz: (27, 1, 97), mean_of_squares: (10, 1, 0), powers: (5, 18, 19, 30),
    negative: (0, 1, 2), flags_in_the_state: (3, 30, 0), squares: (4, 0), divides: (1, 2, 9),
    mixed: (5, 0, 40), infinite: (2, 0),
}  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_written_loops_give_what_walked_loops_give(program):
    def results(write_after):
        with flags.WRITE_AFTER(write_after):
            traced = tf.jit(program)
            return [
                repr(outcome(lambda: traced(n), all_words))  # noqa: B023
                for _ in range(TIMES) for n in PROGRAMS[program]
            ]  # fmt: skip

    assert results(1) == results(0)


def test_python_gives_the_same_numbers():
    for program in (collatz, mean_of_squares, flags_in_the_state, squares, mixed):
        traced = tf.jit(program)
        for n in (1, 4, 7):
            expected = program(n)
            assert [traced(n) for _ in range(TIMES)] == [expected] * TIMES
            assert type(traced(n)) is type(expected)


def test_an_int_beyond_64_bits_is_refused_where_it_arises():
    traced = tf.jit(powers)
    for _ in range(TIMES):
        with pytest.raises(OverflowError, match="has 64 bits") as raised:
            traced(30)
        assert "(multiply), made at " in "".join(raised.value.__notes__)


def test_the_code(monkeypatch):
    written = []

    def spy(self, name, parameters):
        written.append("\n".join(self.lines))
        return compiled(self, name, parameters)

    compiled = PythonSource.compile
    monkeypatch.setattr(PythonSource, "compile", spy)
    traced = tf.jit(collatz)
    assert [traced(6) for _ in range(TIMES)] == [8] * TIMES
    loop = next(text for text in written if "while True:" in text)
    assert "% 2" in loop and "3 * " in loop, "Python's operators and literals"
    assert "// 2\n" in loop and loop.count("check_size") == 3, "only what may grow is checked"


@pytest.mark.parametrize("value", [2**63 - 1, -(2**63), 1.5, True])
def test_numbers_of_messages_are_numpys(value):
    assert python_numbers.as_numpy(value) == value
    assert python_numbers.as_numpy(value).dtype.kind in "ifb"
    assert python_numbers.as_numpy(2**63) == 2**63
