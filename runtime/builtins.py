"""Python's builtins on staged values, with Python's results: numbers as weak tensors.

Those that loop are written in Python and converted like the user's own code, so that a staged
``max`` compares, and a staged ``any`` stops, exactly as Python's do.
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import autograph
from autograph import operators
from runtime import interpreter
from runtime.dtypes import float64, int64, string
from runtime.graph import Graph
from runtime.joins import as_python_value, truth_of
from runtime.ops.constants import cast_op
from runtime.ops.effects import assert_op
from runtime.ops.elementwise import is_finite, is_nan
from runtime.ops.logical import logical_not
from runtime.ops.shape import reshape
from runtime.ops.strings import length as text_length
from runtime.promotion import is_weak
from runtime.sequences import (
    Items,
    enumerate_,
    items_of,
    length,
    range_,
    reversed_,
    weak_integer,
    zip_,
)
from runtime.symbolic import SymbolicTensor
from runtime.tracing import same_tensor, staged_number
from runtime.variables import Variable


def _scalar(value: Any, kind: str) -> Any:
    """The one number of a staged value."""
    value = value.read_value() if isinstance(value, Variable) else value
    if value.dtype.as_numpy_dtype is object or value.dtype.is_complex:
        raise TypeError(
            f"{kind}() does not take a staged value of dtype {value.dtype.name}; use "
            "runtime.strings.to_number or runtime.cast"
        )
    if value.shape.rank == 0:
        return value
    if value.shape.num_elements() not in (None, 1):
        raise TypeError(f"only length-1 arrays can be converted to Python scalars, got {value!r}")
    return reshape(value, np.zeros(0, np.int32))


def int_(x: Any) -> Any:
    """``int(x)``: cut towards zero; as in Python an error, at run time, for NaN and infinity."""
    value = _scalar(x, "int")
    if not value.dtype.is_floating:
        if value.dtype.is_bool:
            return as_python_value(cast_op(value, dtype=int64))
        return weak_integer(value)
    assert_op(
        logical_not(is_nan(value)),
        fail=lambda: ValueError("cannot convert float NaN to integer"),
    )
    assert_op(
        is_finite(value), fail=lambda: OverflowError("cannot convert float infinity to integer")
    )
    return as_python_value(cast_op(value, dtype=int64))


def float_(x: Any) -> Any:
    """``float(x)``, in double precision as Python's."""
    value = _scalar(x, "float")
    if is_weak(value) and value.dtype is float64:
        return value
    return as_python_value(cast_op(value, dtype=float64))


def bool_(x: Any) -> Any:
    """``bool(x)``."""
    if isinstance(x, Items):
        return x.count != 0
    value = truth_of(x)
    if is_weak(value):
        return value
    return as_python_value(same_tensor(value))


def len_(x: Any) -> Any:
    """``len(x)``: along the leading axis; of a text, its characters."""
    if isinstance(x, SymbolicTensor) and is_weak(x) and x.dtype is string:
        return as_python_value(cast_op(text_length(x, unit="UTF8_CHAR"), dtype=int64))
    return length(x)


def divmod_(x: Any, y: Any) -> tuple[Any, Any]:
    """``(x // y, x % y)``."""
    return x // y, x % y


def _sum(iterable: Any, start: Any) -> Any:
    total = start
    for item in iterable:
        total = total + item
    return total


def _any(iterable: Any) -> Any:
    for item in iterable:  # noqa: SIM110 - it is what any() means, to be staged
        if item:
            return True
    return False


def _all(iterable: Any) -> Any:
    for item in iterable:  # noqa: SIM110
        if not item:
            return False
    return True


def _greatest(iterable: Any, best: Any, key: Any) -> Any:
    for item in iterable:
        if key(item) > key(best):
            best = item
    return best


def _least(iterable: Any, best: Any, key: Any) -> Any:
    for item in iterable:
        if key(item) < key(best):
            best = item
    return best


@functools.cache
def _converted(function: Callable[..., Any]) -> Callable[..., Any]:
    return autograph.to_graph(function)


def _iterable(value: Any) -> Any:
    return items_of(value)


def sum_(iterable: Any, /, start: Any = 0) -> Any:
    """``sum(iterable)``: one after the other, from the left."""
    return _converted(_sum)(_iterable(iterable), start)


def any_(iterable: Any, /) -> Any:
    """``any(iterable)``."""
    return _converted(_any)(_iterable(iterable))


def all_(iterable: Any, /) -> Any:
    """``all(iterable)``."""
    return _converted(_all)(_iterable(iterable))


def _extreme(name: str, pick: Callable[..., Any]) -> Callable[..., Any]:
    """``max`` or ``min``: of the items of one argument, or of several arguments."""

    def extreme(*args: Any, key: Callable[[Any], Any] | None = None) -> Any:
        measure = operators.call(key) if key is not None else lambda item: item
        if len(args) > 1:
            best = args[0]
            for other in args[1:]:
                best = _converted(pick)([other], best, measure)
            return best
        items = items_of(args[0])
        if not isinstance(items.count, int):
            assert_op(items.count != 0, fail=empty)
        elif items.count == 0:
            raise empty()
        rest = Items(name, items.count - 1, lambda k: items.at(k + 1))
        return _converted(pick)(rest, items.at(0), measure)

    def empty() -> ValueError:
        try:
            getattr(builtins, name)(())
        except ValueError as error:  # its words change from version to version
            return error
        raise AssertionError(f"{name}(()) gave a value")

    extreme.__name__ = name
    extreme.__doc__ = f"``{name}(iterable)`` or ``{name}(a, b, ...)``, the first if several tie."
    return extreme


def map_(function: Callable[..., Any], *iterables: Any) -> Items:
    """``map(function, iterable)``; the function is converted."""
    items = zip_(*iterables)
    converted = operators.call(function)
    return Items("map()", items.count, lambda k: converted(*items.at(k)))


def list_(iterable: Any) -> list[Any]:
    """``list`` of a tensor with a known first dimension."""
    if isinstance(iterable, Items):
        if not isinstance(iterable.count, int):
            return builtins.list(iterable)  # which says why not
        graph = interpreter.current()
        assert isinstance(graph, Graph)
        return [iterable.at(staged_number(graph, k)) for k in builtins.range(iterable.count)]
    return builtins.list(iterable)


BUILTINS: Mapping[Callable[..., Any], Callable[..., Any]] = {
    abs: builtins.abs,
    all: all_,
    any: any_,
    bool: bool_,
    divmod: divmod_,
    enumerate: enumerate_,
    float: float_,
    int: int_,
    len: len_,
    list: list_,
    map: map_,
    max: _extreme("max", _greatest),
    min: _extreme("min", _least),
    pow: builtins.pow,
    range: range_,
    reversed: reversed_,
    round: builtins.round,
    sum: sum_,
    tuple: lambda iterable: tuple(list_(iterable)),
    zip: zip_,
}
"""The staged version of each builtin; filter, sorted, iter and next need concrete values."""
