"""Exceptions that are traced and raised at run time: copies with concrete values, and their origin.

Used by backends; imports nothing of the operators.
"""

from __future__ import annotations

import opcode
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, NoReturn

from autograph.diagnostics.user_frame import is_own
from autograph.syntax.code_markers import is_inside_unstaged, may_be_converted
from autograph.syntax.heap_types import is_heap_type


def like(
    exception: BaseException, args: Sequence[Any], attributes: Mapping[str, Any]
) -> BaseException:
    """Return a new exception of the same class, with these arguments and attributes.

    The class's own constructor has run already, and may take other arguments than these; only the
    constructor of the builtin base class runs again.
    """
    cls = type(exception)
    args = [actual(arg) for arg in args]
    try:
        copy = cls.__new__(cls, *args)
    except TypeError:
        copy = BaseException.__new__(cls, *args)
    builtins = [base for base in cls.__mro__ if not is_heap_type(base)]
    next(vars(base)["__init__"] for base in builtins if "__init__" in vars(base))(copy, *args)
    copy.__dict__.update(attributes)
    copy.__cause__ = actual(exception.__cause__)
    copy.__suppress_context__ = exception.__suppress_context__
    return copy


_ACTUAL = "__autograph_actual__"


def stand_in(
    exception: BaseException, find: Callable[[], BaseException | None]
) -> BaseException:
    """Make an exception stand for the one that ``find`` returns at run time: handlers hold it."""
    exception.__dict__[_ACTUAL] = find
    return exception


def is_stand_in(value: Any) -> bool:
    """Whether a value stands for an exception that is known only at run time."""
    return isinstance(value, BaseException) and _ACTUAL in value.__dict__


def attributes_of(exception: BaseException) -> dict[str, Any]:
    """Return the attributes that the program gave an exception."""
    return {name: value for name, value in exception.__dict__.items() if name != _ACTUAL}


def actual(value: Any) -> Any:
    """Return, at run time, the exception that a stand-in stands for; other values themselves."""
    exception = value.__dict__[_ACTUAL]() if is_stand_in(value) else None
    return value if exception is None else exception


def raise_as_python(exception: Exception) -> NoReturn:
    """Raise what Python raises, with this text, for the value that a staged one stands for.

    Raised in a backend's own files it would be a fault of staging.  Raised here, it is raised at
    run time if it is on a path that depends on a staged value, and handlers catch it.
    """
    raise exception


_OUTSIDE = (OSError, ImportError, EOFError)
_RAISE = opcode.opmap["RAISE_VARARGS"]


def is_transient(error: BaseException) -> bool:
    """Whether an exception, or one that led to it, depends on more than the program and its inputs.

    Such as a file that is missing now: what libraries raise, and what the system raises in the
    program's own functions, in contrast to their ``raise`` statements.
    """
    seen: set[int] = set()
    todo: list[BaseException | None] = [error]
    while todo:
        exception = todo.pop()
        if exception is not None and id(exception) not in seen:
            seen.add(id(exception))
            if not is_stand_in(exception) and _is_from_outside(exception):
                return True
            todo += [exception.__cause__, exception.__context__]
    return False


def _is_from_outside(error: BaseException) -> bool:
    innermost: TracebackType | None = None
    traceback = error.__traceback__
    while traceback is not None:
        if not is_own(traceback.tb_frame.f_code.co_filename):
            innermost = traceback
        traceback = traceback.tb_next
    if innermost is None:
        return False
    code = innermost.tb_frame.f_code
    if not (may_be_converted(code) or is_inside_unstaged(code)):
        return True
    return isinstance(error, _OUTSIDE) and code.co_code[innermost.tb_lasti] != _RAISE
