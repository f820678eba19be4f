"""``and``, ``or``, ``not``: as values, and where only the truth counts."""

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


def all_true(left: Any, *others: Callable[[], Any]) -> Any:
    """What is true when ``left and others[0]() and ...`` is, where nothing else counts."""
    return _decided(True, left, others)


def any_true(left: Any, *others: Callable[[], Any]) -> Any:
    """What is true when ``left or others[0]() or ...`` is, where nothing else counts."""
    return _decided(False, left, others)


def _decided(going_on: bool, left: Any, others: tuple[Callable[[], Any], ...]) -> Any:
    """The first truth that is not ``going_on``; else what the last gives."""
    for position, other in enumerate(others):
        if left is not going_on:
            if left is not (not going_on):
                left = asked(left)
                backend = testing_backend(left)
                if backend is not None:
                    rest = others[position + 1 :]
                    sides = (lambda: truth(_decided(going_on, other(), rest)), lambda: not going_on)
                    if_body, else_body = sides if going_on else sides[::-1]
                    result = staged_if(backend, left, if_body, else_body, result=AND_OR)
                    return learn_both(left, result, going_on, others[position:])
            if bool(left) is not going_on:
                return not going_on
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
