"""``match`` with sequence patterns on lists of staged length, against Python."""

from __future__ import annotations

import pytest

import runtime
from tests.runtime.functions.joined_number_programs import outcome
from tests.support.extras import needs


def lengths(x):
    match x:
        case []:
            return "empty"
        case [0, b]:
            return b
        case [p, q] if p > 5:
            return p
        case [p, q]:
            return p + q * 10
        case [h, *rest]:
            return h, rest, len(rest)


def starred(x):
    match x:
        case [*_, 2]:
            return "ends with 2"
        case [_, *middle, 9]:
            return middle
        case [_]:
            return "one"
        case {"key": _}:
            return "a dict"
        case tuple():
            return "a tuple"
        case list(whole):
            return whole


def stack_machine(program):
    stack = []
    for line in program:
        match line.split():
            case ["push", n]:
                stack.append(int(n))
            case ["add"]:
                stack.append(stack.pop() + stack.pop())
            case ["double" | "twice"]:
                stack.append(2 * stack.pop())
            case [word, *args]:
                raise SyntaxError(f"no {word} {args}")
    return stack


def nested(x):
    match x:
        case [[0, _], *_]:
            return "zero"
        case [[a, b], [c, d]]:
            return a, b, c, d
        case [one]:
            return one
        case _:
            return None


def recursive(x):
    match x:
        case []:
            return 0
        case [first, *rest]:
            return first + recursive(rest)


CALLS = [
    (lengths, [[1, 2], [1], [], [1, 2, 3], [0, 5], [7, 1], [0, 1, 2]]),
    (starred, [[1, 2, 9], [1], [], [1, 2, 2], [4, 9]]),
    (stack_machine, [["push 3", "push 4", "add", "twice"], ["add"], ["push 1 2"], []]),
    (nested, [[[1, 2], [3, 4]], [[1, 2]], [], [[0, 2], [3, 4]]]),
    (recursive, [[1, 2, 3], []]),
]


@pytest.mark.parametrize(("function", "inputs"), CALLS, ids=lambda p: getattr(p, "__name__", ""))
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=needs("jit"))])
def test_results_are_pythons(function, inputs, compiled):
    staged = runtime.jit(function, jit_compile=compiled)
    for x in inputs:
        assert outcome(staged, (x,)) == outcome(function, (x,)), x
