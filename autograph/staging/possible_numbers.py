"""Possible numbers: values that are a Python number on one staged path and an array on another,
or numbers of several types where the backend joins these to one.

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

def joined_types(kind: type | None) -> tuple[type, ...]:
    """Return the types of the numbers that join to one of a type, or, with arrays, to an array."""
    if kind is None:
        return NUMBERS
    return NUMBERS[: NUMBERS.index(kind) + 1] if kind in NUMBERS else ()


_marked: dict[int, weakref.ref[Any]] = {}
"""The marked values, by their ids."""
_MOST = 1000
"""So many operands are looked at; what depends on more may be a number."""


def marked_as_number(value: Any, backend: Backend) -> Any:
    """Return a value, marked as a number of Python's on some path, or on all.

    An entry of a list may be known when it is lifted, for a text.
    """
    if not backend.is_staged(value):
        return value
    recorded, _ = backend.recorded_as(value)
    key = id(recorded)
    _marked[key] = weakref.ref(recorded, lambda _: _marked.pop(key, None) and None)
    return value


def is_possible_number(value: Any, backend: Backend) -> bool:
    """Whether a value is marked, or computed from marked ones and Python numbers alone."""
    if not _marked or not backend.is_staged(value):
        return False
    kind = _number_type(value, backend)
    waiting: list[Any] = [value]
    seen: set[int] = set()
    is_possible = False
    while waiting and len(seen) < _MOST:
        operand = waiting.pop()
        operand_kind = _number_type(operand, backend)
        if type(operand) in NUMBERS or operand_kind is not None and operand_kind is not kind:
            continue  # a number of a type that is known
        recorded, operands = backend.recorded_as(operand)
        if id(recorded) in seen:
            continue
        seen.add(id(recorded))
        if id(recorded) in _marked:
            is_possible = True
        elif operands:
            waiting += operands
        elif kind is None:
            return False  # an array, and so is what is computed from it
    return is_possible or bool(waiting)


def _number_type(value: Any, backend: Backend) -> type | None:
    """Return what ``python_type`` does, which would note that it was asked."""
    (spec,) = backend.specs((value,))
    return None if spec is None else backend.number_type(spec)


def refuse_possible_number(value: Any, backend: Backend | None, question: str) -> None:
    """Raise ConcreteValueError for a question about a possible number."""
    if backend is not None and is_possible_number(value, backend):
        kind = _number_type(value, backend)
        what = f"an array of {backend.name}" if kind is None else "a number of another type"
        raise ConcreteValueError(
            f"{question} a value that is a Python number on one path and {what} on another: "
            "the answer is not known while tracing",
            where=user_line(),
            help="let the variable have one type from its beginning, or ask before the loop or "
            "branch",
        )
