"""``and``, ``or`` and ``not``, as values and as conditions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from autograph.operators.control.conditionals import (
    call_truth_method,
    negated,
    staged_if,
    testing_backend,
    truth,
)
from autograph.operators.control.optionals import learn_both
from autograph.operators.joins.join_errors import AND_OR

LONGEST = 32
"""Chains of more operands are staged in groups."""


def and_(left: Any, *others: Callable[[], Any]) -> Any:
    """``left and others[0]() and ...``; each operand is evaluated only when it is needed."""
    for position, other in enumerate(others):
        if left is not True:
            if left is False:
                return left
            test = call_truth_method(left)
            backend = testing_backend(test)
            if backend is not None:
                value, following = left, others[position:]
                result = staged_if(
                    backend, test, lambda: _rest(and_, _grouped(and_, following)), lambda: value,
                    result=AND_OR,
                )  # fmt: skip
                return learn_both(left, result, True, following)
            if not test:
                return left
        left = other()
    return left


def or_(left: Any, *others: Callable[[], Any]) -> Any:
    """``left or others[0]() or ...``; each operand is evaluated only when it is needed."""
    for position, other in enumerate(others):
        if left is not False:
            if left is True:
                return left
            test = call_truth_method(left)
            backend = testing_backend(test)
            if backend is not None:
                value, following = left, others[position:]
                result = staged_if(
                    backend, test, lambda: value, lambda: _rest(or_, _grouped(or_, following)),
                    result=AND_OR,
                )  # fmt: skip
                return learn_both(left, result, False, following)
            if test:
                return left
        left = other()
    return left


def all_true(left: Any, *others: Callable[[], Any]) -> Any:
    """``left and others[0]() and ...`` as a condition: only the truth of the result is right."""
    for position, other in enumerate(others):
        if left is not True:
            if left is False:
                return False
            left = call_truth_method(left)
            backend = testing_backend(left)
            if backend is not None:
                following = others[position:]
                result = staged_if(
                    backend, left, lambda: truth(_rest(all_true, _grouped(all_true, following))),
                    lambda: False,
                    result=AND_OR,
                )  # fmt: skip
                return learn_both(left, result, True, following)
            if not left:
                return False
        left = other()
    return left


def any_true(left: Any, *others: Callable[[], Any]) -> Any:
    """``left or others[0]() or ...`` as a condition: only the truth of the result is right."""
    for position, other in enumerate(others):
        if left is not False:
            if left is True:
                return True
            left = call_truth_method(left)
            backend = testing_backend(left)
            if backend is not None:
                following = others[position:]
                result = staged_if(
                    backend, left, lambda: True,
                    lambda: truth(_rest(any_true, _grouped(any_true, following))),
                    result=AND_OR,
                )  # fmt: skip
                return learn_both(left, result, False, following)
            if left:
                return True
        left = other()
    return left


def _grouped(
    joint: Callable[..., Any], others: tuple[Callable[[], Any], ...]
) -> tuple[Callable[[], Any], ...]:
    """Return operands that stand for groups of many operands: ``(a and b) and (c and d)``.

    The branches of 500 operands would be nested 500 deep, and each would look at all that follow.
    """
    if len(others) <= LONGEST:
        return others
    size = math.isqrt(len(others))
    return tuple(_group(joint, others[k : k + size]) for k in range(0, len(others), size))


def _group(joint: Callable[..., Any], others: tuple[Callable[[], Any], ...]) -> Callable[[], Any]:
    return lambda: _rest(joint, others)  # a function: the state of its operands is looked for


def _rest(joint: Callable[..., Any], others: tuple[Callable[[], Any], ...]) -> Any:
    return joint(others[0](), *others[1:])


def not_(value: Any) -> Any:
    """``not value``."""
    if value is True:
        return False
    if value is False:
        return True
    return negated(call_truth_method(value))
