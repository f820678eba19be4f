"""``and``, ``or``, ``not``, ``==``, ``!=`` and chains of comparisons."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from autograph.operators.conditionals import staged_if, testing_backend, truth
from autograph.operators.optionals import is_, is_not, learn_both
from autograph.operators.refusals import AND_OR
from autograph.optionals import Undecided
from autograph.staging import staging_backend, staging_backend_of

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "is": is_,
    "is not": is_not,
    "in": lambda left, right: left in right,
    "not in": lambda left, right: left not in right,
}


def and_(left: Any, *others: Callable[[], Any]) -> Any:
    """``left and others[0]() and ...``; each is evaluated only when it is needed."""
    for position, other in enumerate(others):
        if left is not True:
            if left is False:
                return left
            backend = testing_backend(left)
            if backend is not None:
                rest = others[position + 1 :]
                value = left
                result = staged_if(
                    backend, value, lambda: and_(other(), *rest), lambda: value, result=AND_OR
                )
                return learn_both(left, result, True, others[position:])
            if not left:
                return left
        left = other()
    return left


def or_(left: Any, *others: Callable[[], Any]) -> Any:
    """``left or others[0]() or ...``; each is evaluated only when it is needed."""
    for position, other in enumerate(others):
        if left is not False:
            if left is True:
                return left
            backend = testing_backend(left)
            if backend is not None:
                rest = others[position + 1 :]
                value = left
                result = staged_if(
                    backend, value, lambda: value, lambda: or_(other(), *rest), result=AND_OR
                )
                return learn_both(left, result, False, others[position:])
            if left:
                return left
        left = other()
    return left


def not_(value: Any) -> Any:
    """``not value``."""
    if value is True:
        return False
    if value is False:
        return True
    backend = testing_backend(value)
    if backend is None:
        return not value
    return backend.logical_not(truth(value) if isinstance(value, Undecided) else value)


_CONTAINERS = (tuple, list, dict)


def eq(left: Any, right: Any) -> Any:
    """``left == right``; tuples, lists and dicts that hold staged values compare item by item."""
    if type(left) in _CONTAINERS and type(left) is type(right):
        return _equal_containers(left, right)
    return left == right


def not_eq(left: Any, right: Any) -> Any:
    """``left != right``, as ``eq``."""
    if type(left) in _CONTAINERS and type(left) is type(right):
        backend = _staged_inside(left) or _staged_inside(right)
        if backend is not None:
            return not_(_equal_containers(left, right))
    return left != right


def _equal_containers(left: Any, right: Any) -> Any:
    backend = _staged_inside(left) or _staged_inside(right)
    if backend is None:
        return left == right
    if len(left) != len(right):
        return False
    if isinstance(left, dict):
        if left.keys() != right.keys():
            return False
        pairs = [(left[key], right[key]) for key in left]
    else:
        pairs = list(zip(left, right, strict=True))
    return and_(True, *(lambda a=a, b=b: _equal_items(a, b) for a, b in pairs))


def _equal_items(left: Any, right: Any) -> Any:
    if left is right:
        return True
    backend = staging_backend_of((left, right))
    return eq(left, right) if backend is None else backend.equal(left, right)


def _staged_inside(value: Any) -> Any:
    items = value.values() if isinstance(value, dict) else value
    for item in items:
        found = staging_backend(item)
        if found is None and type(item) in _CONTAINERS:
            found = _staged_inside(item)
        if found is not None:
            return found
    return None


def compare(left: Any, sign: str, right: Any, *others: Any) -> Any:
    """A chain ``left sign right others...``; later operands are evaluated only when needed.

    ``others`` alternates signs and functions of no argument.
    """
    result = COMPARISONS[sign](left, right)
    if not others:
        return result
    next_sign, operand, *rest = others
    return and_(result, lambda: compare(right, next_sign, operand(), *rest))
