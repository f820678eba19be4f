"""Kinds of arguments, by which calls of ``runtime.jit``'s functions share a choice."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

import numpy as np

_RECORDERS = {"GradientTape", "ForwardAccumulator", "gradients"}
"""Names of what takes derivatives: arrays and Python's numbers have some only in a trace."""

MOST_REACHED = 100
"""Number of functions that are looked into."""


def kind_of(value: Any) -> Any:
    """Return the kind of an argument: its class, with the dtype and rank of an array and the class
    of the first item of a list or tuple.
    """
    kind = type(value)
    if kind is np.ndarray:
        return kind, value.dtype, value.ndim
    if kind is list or kind is tuple:
        return kind, type(value[0]) if value else None
    return kind


def text_of_kind(kind: Any) -> str:
    """Return a kind as text; of a keyword argument, with its name."""
    if isinstance(kind, type):
        return kind.__name__
    first, *further = kind
    if isinstance(first, str):
        return f"{first}: {text_of_kind(further[0])}"
    if first is np.ndarray:
        return f"array of {further[0]}, rank {further[1]}"
    if further[0] is None:
        return f"empty {first.__name__}"
    return f"{first.__name__} of {further[0].__name__}"


def referenced_values(python: Any) -> Iterator[Any]:
    """Yield the values that a function, and the functions that it names, refer to by name."""
    waiting, seen = [python], set[int]()
    while waiting and len(seen) < MOST_REACHED:
        function = waiting.pop()
        function = getattr(function, "_python_function", function)
        function = getattr(function, "__func__", function)
        if not isinstance(function, types.FunctionType) or id(function) in seen:
            continue
        seen.add(id(function))
        for value in _named_values(function):
            yield value
            waiting.append(value)


def takes_derivatives(function: Any) -> bool:
    """Return whether the code of a function names what takes derivatives."""
    code = getattr(function, "__code__", None)
    codes = () if code is None else _codes(code)
    return any(not _RECORDERS.isdisjoint(inner_code.co_names) for inner_code in codes)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield the code of a function, and of those inside of it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from _codes(const)


def _named_values(function: types.FunctionType) -> Iterator[Any]:
    for code in _codes(function.__code__):
        for name in code.co_names:
            if name in function.__globals__:
                yield function.__globals__[name]
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # it is not defined yet
            continue
