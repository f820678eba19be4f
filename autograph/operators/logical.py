"""``and``, ``or``, ``not``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.lists import StagedList
from autograph.operators.conditionals import asked, staged_if, testing_backend, truth
from autograph.operators.optionals import learn_both
from autograph.operators.refusals import AND_OR
from autograph.optionals import Undecided


def and_(left: Any, *others: Callable[[], Any]) -> Any:
    """``left and others[0]() and ...``; each is evaluated only when it is needed."""
    for position, other in enumerate(others):
        if left is not True:
            if left is False:
                return left
            test = asked(left)
            backend = testing_backend(test)
            if backend is not None:
                rest = others[position + 1 :]
                value = left
                result = staged_if(
                    backend, test, lambda: and_(other(), *rest), lambda: value, result=AND_OR
                )
                return learn_both(left, result, True, others[position:])
            if not test:
                return left
        left = other()
    return left


def or_(left: Any, *others: Callable[[], Any]) -> Any:
    """``left or others[0]() or ...``; each is evaluated only when it is needed."""
    for position, other in enumerate(others):
        if left is not False:
            if left is True:
                return left
            test = asked(left)
            backend = testing_backend(test)
            if backend is not None:
                rest = others[position + 1 :]
                value = left
                result = staged_if(
                    backend, test, lambda: value, lambda: or_(other(), *rest), result=AND_OR
                )
                return learn_both(left, result, False, others[position:])
            if test:
                return left
        left = other()
    return left


def not_(value: Any) -> Any:
    """``not value``."""
    if value is True:
        return False
    if value is False:
        return True
    value = asked(value)
    backend = testing_backend(value)
    if backend is None:
        return not value
    undecided = isinstance(value, (Undecided, StagedList))
    return backend.logical_not(truth(value) if undecided else value)
