"""``isinstance``, ``issubclass``, ``type``, ``callable`` and ``__class__`` of staged values.

A staged value may stand for a Python number, and a staged union for None: queries are answered for
the Python value that the staged value stands for.
"""

from __future__ import annotations

import builtins
import collections
import sys
import types
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.library import collections as plain_collections
from autograph.operators.control.streams import StagedStream
from autograph.staging.possible_numbers import NUMBERS, joined_types, refuse_possible_number
from autograph.staging.registry import staging_backend
from autograph.staging.staged_list import kind_of
from autograph.staging.staged_sequence import StagedSequence
from autograph.staging.staged_union import StagedUnion


def isinstance_(value: Any, classes: Any, /) -> Any:
    """``isinstance``."""
    if isinstance(value, StagedUnion):
        return value.ag__apply_to_each(lambda alternative: isinstance_(alternative, classes))
    kind = _stands_for(value)
    if kind is None and kind_of(value) is tuple:
        kind = type(value) if isinstance(value, tuple) else tuple  # a staged one is a list to us
    plain = isinstance(value, classes)  # its error, if these are no classes
    answer = plain if kind is None else issubclass(kind, classes)
    if any(issubclass(number, classes) != answer for number in joined_types(kind)):
        refuse_possible_number(value, staging_backend(value), "'isinstance' asks for the class of")
    return answer


def issubclass_(kind: Any, classes: Any, /) -> Any:
    """``issubclass``."""
    if isinstance(kind, StagedUnion):
        return kind.ag__apply_to_each(lambda alternative: issubclass(alternative, classes))
    return issubclass(kind, classes)


def type_(value: Any, /, *bases_and_names: Any, **kwargs: Any) -> Any:
    """``type``."""
    if bases_and_names or kwargs:
        kind = type(value, *bases_and_names, **kwargs)
        if kind.__module__ == __name__:  # Python takes it from the calling frame
            kind.__module__ = sys._getframe(1).f_globals.get("__name__", "builtins")
        return kind
    if isinstance(value, StagedUnion):
        return value.ag__apply_to_each(type_)
    stood_for = _stands_for(value)
    if stood_for is None and isinstance(value, StagedSequence | StagedStream):
        raise ConcreteValueError(
            f"the class of {value.what} of staged values is not known while tracing",
            where=user_line(),
            help="ask for the class outside of the staged function",
        )
    if stood_for is None or stood_for in NUMBERS:
        refuse_possible_number(value, staging_backend(value), "'type' asks for the class of")
    return stood_for or kind_of(value)


def class_of(value: Any) -> Any:
    """Return ``value.__class__``, which an object may define as it likes."""
    if isinstance(value, StagedUnion):
        return value.ag__apply_to_each(class_of)
    kind = value.__class__
    return type_(value) if kind is type(value) else kind


def _stands_for(value: Any) -> type | None:
    """Return the class of the Python number or array that a value stands for, or None."""
    if isinstance(value, plain_collections.deque):
        return collections.deque
    if isinstance(value, StagedSequence | StagedStream):
        return _class_of_items(value)
    backend = staging_backend(value)
    return None if backend is None else backend.python_type(value) or backend.array_type(value)


def _class_of_items(value: StagedSequence | StagedStream) -> type | None:
    """Return the class that a sequence, view, iterator or generator has in Python, if known."""
    name = value.what.removesuffix("()")
    if name.startswith(("the generator ", "a generator ")):
        return types.GeneratorType
    if name in _MADE_BY:
        return _MADE_BY[name]
    if isinstance(value, StagedStream):
        return _ITERATORS.get(name)
    return _SEQUENCES.get(name)


_MADE_BY: dict[str, type] = {"zip": zip, "map": map, "enumerate": enumerate, "filter": filter}
_SEQUENCES: dict[str, type] = {
    "range": range, "dict_keys": type({}.keys()), "dict_values": type({}.values()),
    "dict_items": type({}.items()),
}  # fmt: skip
_ITERATORS: dict[str, type] = {
    "range": type(iter(range(0))), "set": type(iter(set())), "dict": type(iter({})),
    "dict_keys": type(iter({})), "dict_values": type(iter({}.values())),
    "dict_items": type(iter({}.items())),
}  # fmt: skip


def callable_(value: Any, /) -> Any:
    """``callable``."""
    return value.ag__apply_to_each(callable) if isinstance(value, StagedUnion) else callable(value)


STAND_INS: dict[Any, Any] = {
    builtins.isinstance: isinstance_,
    builtins.issubclass: issubclass_,
    builtins.type: type_,
    builtins.callable: callable_,
}
