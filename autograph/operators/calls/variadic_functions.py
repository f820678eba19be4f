"""Functions in C that take any number of arguments, called with a staged number of them.

    zip(*rows)           =>  ag__.starred(zip)(*ag__.spread(rows))

``starred_calls`` finds no parameters of theirs.  Most have a counterpart in Python, which is
converted (``autograph.library.variadic``); ``zip``, ``print`` and ``str.format`` have one here.
"""

from __future__ import annotations

import builtins
import functools
import itertools
import math
import operator
import types
from collections.abc import Callable, Mapping
from typing import Any

from autograph.conversion.convert_hook import converted
from autograph.library import in_place, variadic
from autograph.operators.containers.list_ops import as_staged_list, changed_list, item_at
from autograph.operators.containers.strings import as_now
from autograph.operators.control.conditionals import if_exp
from autograph.operators.control.optionals import attempt
from autograph.operators.control.raises import raise_stmt
from autograph.operators.iteration.iterables import gather
from autograph.operators.iteration.spreads import Spread, list_of
from autograph.operators.iteration.staged_iterators import StagedIterator
from autograph.operators.joins.list_nodes import FixedList, GrowingList
from autograph.operators.joins.nodes import NestNode
from autograph.staging.staged_list import StagedList, contents_of, length
from autograph.staging.staged_sequence import StagedSequence
from autograph.staging.staged_string import FormattedPart, StagedText

Function = Callable[..., Any]


def counterpart(function: Any) -> Function | None:
    """Return the function in Python for one in C; None where there is none."""
    holder = getattr(function, "__self__", None)
    if isinstance(holder, set):
        method = _OF_SETS.get(method_name(function))
        return method and functools.partial(method, holder)
    if type(function) is types.MethodDescriptorType and function.__objclass__ is set:
        method = _OF_SETS.get(function.__name__)
        return method and functools.partial(variadic.unbound, method, function.__name__)
    return _PLAIN.get(function) if function.__hash__ else None


def method_name(function: Any) -> str:
    """Return the name of a method of a list, dict or set."""
    kind = type(function.__self__)
    inner = getattr(function, "__func__", None)
    names = (name for name in dir(kind) if getattr(kind, name, None) is inner)
    return next(names, function.__name__)


def special_call(function: Any, callee: Function) -> Function | None:
    """Return the function of this module for one in C, instead of which ``callee`` is called."""
    if function is builtins.print:
        return functools.partial(print_, callee)
    if function is zip:
        return zip_
    if function is max or function is min:
        return functools.partial(_extreme, function, callee)
    if type(function) is types.BuiltinFunctionType and isinstance(function.__self__, str):
        return functools.partial(format_, function.__self__) if (
            function.__name__ == "format"
        ) else None
    return None


_PLAIN: Mapping[Any, Function] = {
    map: variadic.map, range: variadic.range, math.gcd: variadic.gcd, math.lcm: variadic.lcm,
    math.hypot: variadic.hypot,
    itertools.chain: variadic.chain, itertools.product: variadic.product,
    itertools.zip_longest: variadic.zip_longest, operator.iand: in_place.iand,
    operator.ior: in_place.ior, operator.isub: in_place.isub, operator.ixor: in_place.ixor,
}  # fmt: skip
_OF_SETS: Mapping[str, Function] = {
    "union": variadic.union, "intersection": variadic.intersection,
    "difference": variadic.difference, "update": variadic.update,
}  # fmt: skip


def _extreme(function: Function, callee: Function, *values: Any, **options: Any) -> Any:
    """``max(*values)`` or ``min(*values)``, instead of which ``callee`` is called."""
    items = _together(values)
    if not isinstance(items, StagedList):
        return callee(*items, **options)
    size = length(items)

    def several() -> Any:
        if "default" in options:
            return function(0, 0, **options)  # it raises Python's error
        return callee(items, **options)

    def one() -> Any:
        return attempt(lambda item: callee(item, **options), item_at(items, 0))

    def none() -> Any:
        words = f"{function.__name__} expected at least 1 argument, got 0"
        raise raise_stmt(TypeError(words))

    return if_exp(size > 1, several, lambda: if_exp(size == 1, one, none)())()


def _together(values: tuple[Any, ...]) -> Any:
    """Return arguments as one list, or as a tuple where their number is known."""
    items = values[0].value if len(values) == 1 else list_of(values)
    return items if isinstance(items, StagedList) else gather(items)


# -- texts -----------------------------------------------------------------------------------------


def print_(callee: Function, *values: Any, sep: Any = " ", **options: Any) -> None:
    """``print(*values)``; ``callee`` is what is called for ``print``."""
    if callee is builtins.print:  # it shows, while tracing, what stands for the values
        shown = [value.value if type(value) is Spread else value for value in values]
        callee(*shown, sep=sep, **options)
        return
    between = " " if sep is None else sep
    callee(_text(lambda items: between.join(map(str, items)), values), **options)


def format_(pattern: str, *values: Any, **fields: Any) -> Any:
    """``pattern.format(*values)``."""
    names = tuple(fields)

    def make(items: Any) -> str:
        split = len(items) - len(names)
        return pattern.format(*items[:split], **dict(zip(names, items[split:], strict=True)))

    return _text(make, (*values, *fields.values()))


def _text(make: Callable[[list[Any]], str], values: tuple[Any, ...]) -> StagedText:
    """Return the text that ``make`` makes of the values at run time."""
    spread = [type(item) is Spread for item in values]
    values_now = [_list_now(v.value) if type(v) is Spread else as_now(v) for v in values]

    def together(*resolved: Any) -> str:
        items: list[Any] = []
        for value, several in zip(resolved, spread, strict=True):
            items += value if several else (value,)
        return make(items)

    return StagedText((FormattedPart(together, tuple(values_now)),))


def _list_now(value: Any) -> Any:
    return as_now(value if isinstance(value, StagedList) else gather(value))


# -- zip -------------------------------------------------------------------------------------------


def zip_(*values: Any, strict: bool = False) -> Any:
    """``zip(*values)``: an iterator over the columns, which are tuples of staged length."""
    rows = _together(values)
    if not isinstance(rows, StagedList):
        return zip(*rows, strict=strict)
    return StagedIterator(_columns(rows, strict))


def _columns(rows_given: StagedList, strict: bool) -> StagedSequence:
    """Return the columns of rows, which are computed when they are asked for."""
    before, rows = contents_of(rows_given), as_staged_list(rows_given)
    backend, item = rows.backend, rows.prefix.item
    if _is_fixed(item):
        count = backend.minimum(length(rows), 1) * len(item.items)
    else:
        rows = rows if isinstance(item, GrowingList) else converted(variadic.lists_of)(rows)
        count = converted(variadic.shortest)(rows)
        if strict:
            converted(variadic.check_lengths)(rows)

    def at(place: Any) -> Any:
        if not contents_of(rows_given).same(before):
            raise changed_list()
        return column(rows, place)

    column = converted(variadic.column)
    return StagedSequence(backend, "zip()", count, at)


def _is_fixed(item: Any) -> bool:
    """Whether all rows have as many items, and Python's own indexes."""
    return isinstance(item, FixedList) or (
        isinstance(item, NestNode) and issubclass(item.kind, tuple)
    )
