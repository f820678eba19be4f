"""``and``, ``or`` and ``not``, as values and as conditions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from autograph.operators.control.conditionals import (
    call_truth_method,
    negate,
    staged_if,
    testing_backend,
    truth,
)
from autograph.operators.control.optionals import learn_both
from autograph.operators.joins.join_errors import AND_OR

LONGEST = 32
"""Chains of more operands are staged in groups."""


def _chain(stops_at: bool, gives_truth: bool = False) -> Callable[..., Any]:
    """Return ``and`` or ``or``, which takes an operand and functions for those that follow.

    The first operand whose truth is ``stops_at`` is the result; each is evaluated only when it is
    needed.  With ``gives_truth``, as in a condition, only the truth of the result is right.
    """

    def evaluate(left: Any, *operands: Callable[[], Any]) -> Any:
        for position, operand in enumerate(operands):
            # Python's own bools need no look-up: most operands are those where nothing is staged
            if type(left) is not bool or left is stops_at:
                if left is stops_at:
                    return left
                test = call_truth_method(left)
                backend = testing_backend(test)
                if backend is not None:
                    value, following = test if gives_truth else left, operands[position:]

                    def rest() -> Any:
                        result = _rest(evaluate, _group_operands(evaluate, following))
                        return truth(result) if gives_truth else result

                    def end() -> Any:
                        return stops_at if gives_truth else value

                    then, otherwise = (end, rest) if stops_at else (rest, end)
                    result = staged_if(backend, test, then, otherwise, result=AND_OR)
                    return learn_both(value, result, not stops_at, following)
                if bool(test) is stops_at:
                    return stops_at if gives_truth else left
            left = operand()
        return left

    return evaluate


and_ = _chain(False)
or_ = _chain(True)
all_true = _chain(False, gives_truth=True)
any_true = _chain(True, gives_truth=True)


def _group_operands(
    joint: Callable[..., Any], operands: tuple[Callable[[], Any], ...]
) -> tuple[Callable[[], Any], ...]:
    """Return operands that stand for groups of many operands: ``(a and b) and (c and d)``.

    The branches of 500 operands would be nested 500 deep, and each would look at all that follow.
    """
    if len(operands) <= LONGEST:
        return operands
    size = math.isqrt(len(operands))
    return tuple(_group(joint, operands[k : k + size]) for k in range(0, len(operands), size))


def _group(joint: Callable[..., Any], operands: tuple[Callable[[], Any], ...]) -> Callable[[], Any]:
    return lambda: _rest(joint, operands)  # a function: the state of its operands is looked for


def _rest(joint: Callable[..., Any], operands: tuple[Callable[[], Any], ...]) -> Any:
    return joint(operands[0](), *operands[1:])


def not_(value: Any) -> Any:
    """``not value``."""
    if value is True:
        return False
    if value is False:
        return True
    return negate(call_truth_method(value))
