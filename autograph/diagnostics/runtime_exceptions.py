"""Exceptions that are traced and raised at run time: copies with concrete values.

Used by backends; imports nothing of the operators.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograph.syntax.heap_types import is_heap_type


def like(
    exception: BaseException, args: Sequence[Any], attributes: Mapping[str, Any]
) -> BaseException:
    """A new exception of the same class, with these arguments and attributes.

    The class's own constructor has run already, and may take something else than its arguments;
    only that of the builtin class it builds on runs again.
    """
    cls = type(exception)
    args = [actual(arg) for arg in args]
    try:
        made = cls.__new__(cls, *args)
    except TypeError:
        made = BaseException.__new__(cls, *args)
    builtins = [base for base in cls.__mro__ if not is_heap_type(base)]
    next(vars(base)["__init__"] for base in builtins if "__init__" in vars(base))(made, *args)
    made.__dict__.update(attributes)
    made.__cause__ = actual(exception.__cause__)
    made.__suppress_context__ = exception.__suppress_context__
    return made


_ACTUAL = "__autograph_actual__"


def stand_in(
    exception: BaseException, find: Callable[[], BaseException | None]
) -> BaseException:
    """Make an exception stand for the one that ``find`` gives at run time: handlers hold it."""
    exception.__dict__[_ACTUAL] = find
    return exception


def is_stand_in(value: Any) -> bool:
    """Whether a value stands for an exception that is known only at run time."""
    return isinstance(value, BaseException) and _ACTUAL in value.__dict__


def actual(value: Any) -> Any:
    """At run time: the exception that a stand-in stands for; other values as they are."""
    found = value.__dict__[_ACTUAL]() if is_stand_in(value) else None
    return value if found is None else found
