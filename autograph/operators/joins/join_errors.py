"""Join errors: the messages about values of two paths that cannot become one staged value."""

from __future__ import annotations

import re
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError, DtypeJoinError, JoinError, StructureJoinError
from autograph.operators.joins.descriptions import spec_of
from autograph.staging.protocol import Backend
from autograph.staging.staged_collection import StagedCollection
from autograph.staging.staged_list import kind_of
from autograph.staging.staged_union import StagedUnion
from autograph.staging.state_spec import Spec

RESULT = ""
"""The name of what a function returns."""

RETURNED = "what is returned"

EXPRESSION = "the conditional expression"
AND_OR = "the 'and' or 'or' expression"
ITEM = "the item"
_UNQUOTED = {RESULT: RETURNED, EXPRESSION: EXPRESSION, AND_OR: AND_OR, ITEM: ITEM}


def _subject(name: str) -> str:
    """Return how a message names a variable, a result, or an item of either."""
    for whole, spoken in _UNQUOTED.items():
        if name == whole:
            return spoken
        if name.startswith(f"{whole}["):
            return f"{name[len(whole):]} of {spoken}"
    return f"'{name}'"


def _shape_of(value: Any, backend: Backend) -> str:
    if isinstance(value, StagedCollection):
        noun = "length" if isinstance(value, list) else "keys"
        return f"a {kind_of(value).__name__} of staged {noun}"
    if isinstance(value, (tuple, list, dict)):
        return f"a {kind_of(value).__name__} of {len(value)}"
    return _describe(value, backend)


def _describe(value: Any, backend: Backend | None = None) -> str:
    if value is None:
        return "None"
    if backend is not None and backend.is_staged(value):
        return str(spec_of(value, backend))
    if isinstance(value, StagedUnion):
        return repr(value)
    if isinstance(value, type) or callable(value):
        return f"{getattr(value, '__qualname__', type(value).__name__)}"
    return f"an object of type {type(value).__name__}"


def differ(name: str, left: Any, right: Any, backend: Backend) -> JoinError:
    """Return the error for two different Python objects."""
    return JoinError(
        f"{_subject(name)} is {_describe(left, backend)} on one path and "
        f"{_describe(right, backend)} on the other",
        help="give it a number, bool, text or tensor on every path, or an object of one class",
        subject=name,
    )


def cannot(name: str, backend: Backend, spec: Spec, value: Any) -> JoinError:
    """Return the error for a value that can be staged and one that cannot."""
    if isinstance(value, (tuple, list, dict)):
        return of_structures(name, str(spec), value, backend)
    return JoinError(
        f"{_subject(name)} is {spec} on one path and {_describe(value)} on the other",
        help=f"give it a value that {backend.name} supports on every path",
        subject=name,
    )


def of_dtypes(name: str, reason: TypeError) -> DtypeJoinError:
    """Return the error for two values each of which the backend could hold alone."""
    remedy = "make both text or both numbers, or use two variables" if _mixes_text(reason) else (
        "give both paths one dtype and rank, for instance with a cast"
    )
    return DtypeJoinError(
        f"{_subject(name)} cannot be one value: {reason}", help=remedy, subject=name
    )


def _mixes_text(reason: TypeError) -> bool:
    """Whether one of the two values is text: no cast makes it a number."""
    return bool(re.search(r"\b(str|string|bytes)\b", str(reason)))


def of_structures(name: str, left: str, right: Any, backend: Backend) -> StructureJoinError:
    """Return the error for collections of different type, length or keys, or a collection and none.
    """
    return StructureJoinError(
        f"{_subject(name)} differs in structure: {left} and {_shape_of(right, backend)}",
        help="give it the same type, length and keys on every path",
        subject=name,
    )


def reason_of(error: JoinError) -> str:
    """Return why values cannot be joined, without the values themselves."""
    return error.message.partition("cannot be one value: ")[2] or error.message


def no_lists(backend: Backend) -> ConcreteValueError:
    """Return the error for a list that would have to become one of a backend without lists."""
    return ConcreteValueError(
        f"{backend.name} has no lists whose length depends on staged values",
        where=user_line(),
        help="use lists of fixed length",
    )
