"""Strings formatted from values: f-strings, ``%``, ``str``, ``repr`` and ``format``.

A string with a staged value in it is a ``StagedText``: it can be printed, raised, asserted and
formatted into other strings; its characters are known when the graph runs.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable, Mapping
from typing import Any

from autograph.diagnostics.runtime_exceptions import is_stand_in
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.operators.state.object_snapshot import Dismantled, dismantle
from autograph.operators.state.special_methods import is_users
from autograph.staging.registry import python_type, staging_backend, tracing_backend
from autograph.staging.staged_array import StagedArray
from autograph.staging.staged_list import StagedList, kind_of
from autograph.staging.staged_map import StagedMap
from autograph.staging.staged_string import FormattedPart, StagedText
from autograph.staging.staged_tuple import StagedTuple
from autograph.staging.staged_union import StagedUnion
from autograph.tracing import TRACES


def fstring(*fields: Any) -> Any:
    """Format an f-string: its literal texts, and ``(value, conversion, format)`` for each field."""
    text = StagedText(tuple(map(_field, fields)))
    return text if any(type(piece) is tuple for piece in text.parts) else str(text)


def _field(field: Any) -> Any:
    """Return a part of an f-string as it is now: text, unless it is staged."""
    if type(field) is str:
        return field
    value, conversion, spec = field
    if is_staged(value) or is_staged(spec):
        return as_now(value), conversion, spec
    return builtins.format(_CONVERSIONS[conversion](value), spec)


_CONVERSIONS: Mapping[str, Callable[[Any], Any]] = {
    "": lambda value: value, "s": str, "r": repr, "a": ascii,
}  # fmt: skip


def as_now(value: Any) -> Any:
    """Return a copy of a value for a text that is made at run time: the value may change before."""
    if isinstance(value, (StagedList, StagedMap)):
        return value if kind_of(value) is tuple else value.copy()  # type: ignore[union-attr]
    if isinstance(value, StagedArray):
        return value.snapshot()
    plain = is_leaf(value) and not isinstance(value, StagedUnion)
    if plain or (is_users(type(value)) and not _has_own_text(type(value))):
        return value
    apart = Dismantled(value, is_leaf, _itself)
    apart.leaves = [x.snapshot() if isinstance(x, StagedArray) else x for x in apart.leaves]
    return apart if apart.copies else value


def _itself(value: Any) -> Any:
    return value


def is_staged(value: Any) -> bool:
    """Whether the text of a value is known only at run time."""
    if is_leaf(value):
        return True
    if not TRACES or tracing_backend() is None:
        return False
    if is_users(type(value)) and not _has_own_text(type(value)):
        return False
    return dismantle(value, is_leaf) is not None


def is_leaf(value: Any) -> bool:
    """Whether a value is staged itself."""
    if isinstance(value, StagedText | StagedUnion | StagedList | StagedMap) or is_stand_in(value):
        return True
    return staging_backend(value) is not None


def _has_own_text(kind: type) -> bool:
    """Whether the text of an object of a class says more than its memory address."""
    return any(getattr(kind, name) is not getattr(object, name) for name in _TEXTS)


_TEXTS = ("__str__", "__repr__", "__format__")


def percent(pattern: Any, values: Any) -> Any:
    """``pattern % values``: a text if the pattern is one; else the rest of a division."""
    if not isinstance(pattern, _PATTERNS):
        is_text = type(pattern) not in (int, float) and python_type(pattern) is str
        return _percent_of_staged(pattern, values) if is_text else pattern % values
    if not isinstance(pattern, str):
        return _percent_of_bytes(pattern, values)
    if type(values) is tuple:
        if any(map(is_staged, values)):
            values_now = tuple(map(as_now, values))
            return StagedText((FormattedPart(lambda *resolved: pattern % resolved, values_now),))
    elif kind_of(values) is dict and not isinstance(values, StagedMap):
        return format_mapping(values, lambda resolved: pattern % resolved)
    elif isinstance(values, StagedTuple):
        return StagedText((FormattedPart(pattern.__mod__, (values,)),))
    elif is_staged(values):
        return StagedText((FormattedPart(pattern.__mod__, (as_now(values),)),))
    return pattern % values


_PATTERNS = (str, bytes, bytearray)


def percent_in_place(pattern: Any, values: Any) -> Any:
    """Return the new value of ``pattern`` after ``pattern %= values``."""
    if isinstance(pattern, _PATTERNS) or python_type(pattern) is str:
        return percent(pattern, values)
    pattern %= values
    return pattern


def _percent_of_staged(pattern: Any, values: Any) -> Any:
    """``pattern % values`` of a pattern that is known only at run time."""
    if kind_of(values) is dict and not isinstance(values, StagedMap):
        names = tuple(values)
        fields = (pattern, *map(as_now, values.values()))
        return StagedText((
            FormattedPart(lambda text, *now: text % dict(zip(names, now, strict=True)), fields),
        ))  # fmt: skip
    if type(values) is tuple:
        fields = (pattern, *map(as_now, values))
        return StagedText((FormattedPart(lambda text, *parts_now: text % parts_now, fields),))
    return StagedText((FormattedPart(operator.mod, (pattern, as_now(values))),))


def _percent_of_bytes(pattern: bytes | bytearray, values: Any) -> Any:
    arguments = values if isinstance(values, tuple) else (values,)
    if any(map(is_staged, arguments)):
        raise ConcreteValueError(
            "bytes cannot be formatted with a value that is known only at run time",
            where=user_line(),
            help="format a text: '%s' % x",
        )
    return pattern % values


def format_mapping(values: Mapping[str, Any], make: Callable[[Mapping[str, Any]], str]) -> Any:
    """Return the text that is made of named values, some of which may be staged."""
    if not any(map(is_staged, values.values())):
        return make(values)
    names = tuple(values)

    def format_with(*resolved: Any) -> str:
        return make(dict(zip(names, resolved, strict=True)))

    return StagedText((FormattedPart(format_with, tuple(map(as_now, values.values()))),))


def str_(*args: Any, **kwargs: Any) -> Any:
    """``str``."""
    if not args and kwargs.keys() == {"object"}:
        args, kwargs = (kwargs["object"],), {}
    if len(args) == 1 and not kwargs and is_staged(args[0]):
        if type(args[0]) is StagedText:
            return args[0]
        return StagedText(((as_now(args[0]), "s", ""),))
    return str(*args, **kwargs)


def repr_(value: Any, /) -> Any:
    """``repr``."""
    return StagedText(((as_now(value), "r", ""),)) if is_staged(value) else repr(value)


def format_(value: Any, spec: Any = "", /) -> Any:
    """``format``."""
    if is_staged(value) or is_staged(spec):
        return StagedText(((as_now(value), "", spec),))
    return builtins.format(value, spec)


STAND_INS: dict[Any, Callable[..., Any]] = {str: str_, repr: repr_, builtins.format: format_}
