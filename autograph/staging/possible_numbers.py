"""Possible numbers: values that are a Python number on one staged path and an array on another.

A loop that begins with ``y = 0.0`` and adds arrays to it, for instance, has one array for ``y`` in
all of its turns.  It computes what Python computes, but Python's answer to ``isinstance(y, float)``
differs from turn to turn: what asks for the class of such a value, or of a number computed from it,
is refused.  Layout nodes mark them; queries of types and attributes ask for the mark.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError

if TYPE_CHECKING:
    from autograph.staging.protocol import Backend

NUMBERS: tuple[type, ...] = (bool, int, float, complex)

_marked: dict[int, weakref.ref[Any]] = {}
"""The marked values, by their ids."""
_MOST = 1000
"""So many operands are looked at; what depends on more may be a number."""


def marked(value: Any, backend: Backend) -> Any:
    """Return a value, marked as a number of Python's on some path, or on all."""
    recorded, _ = backend.recorded_as(value)
    key = id(recorded)
    _marked[key] = weakref.ref(recorded, lambda _: _marked.pop(key, None) and None)
    return value


def is_possible_number(value: Any, backend: Backend) -> bool:
    """Whether a value is marked, or computed from marked ones and Python numbers alone."""
    if not _marked or not backend.is_staged(value) or _is_number(value, backend):
        return False
    waiting: list[Any] = [value]
    seen: set[int] = set()
    is_possible = False
    while waiting and len(seen) < _MOST:
        operand = waiting.pop()
        if _is_number(operand, backend):
            continue
        recorded, operands = backend.recorded_as(operand)
        if id(recorded) in seen:
            continue
        seen.add(id(recorded))
        if id(recorded) in _marked:
            is_possible = True
        elif operands:
            waiting += operands
        else:
            return False  # an array, and so is what is computed from it
    return is_possible or bool(waiting)


def _is_number(value: Any, backend: Backend) -> bool:
    """Whether a value stands for a Python number, which ``python_type`` would note was asked."""
    if type(value) in NUMBERS:
        return True
    (spec,) = backend.specs((value,))
    return spec is not None and backend.number_type(spec) is not None


def refuse_possible_number(value: Any, backend: Backend | None, question: str) -> None:
    """Raise ConcreteValueError for a question about a possible number."""
    if backend is not None and is_possible_number(value, backend):
        raise ConcreteValueError(
            f"{question} a value that is a Python number on one path and an array of "
            f"{backend.name} on another: the answer is not known while tracing",
            where=user_line(),
            help="let the variable begin as an array, or ask before the loop or branch",
        )
