"""The short way to a trace: for calls whose arguments say all there is to know.

These are plain eager tensors, NumPy arrays, numbers, texts and None, and lists, tuples and dicts of
them.  The key of such a call is made without a look at the signature: a flat list of what tells it
apart, in which what follows a type belongs to it.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import numpy as np

from runtime.eager.tensor import Tensor
from runtime.functions.cache_key import is_tensor_argument
from runtime.functions.concrete_function import ConcreteFunction
from runtime.functions.signature import Call
from runtime.types.dtypes import BY_NUMPY

KEYWORD = object()
"""Stands before the name of a keyword argument."""

MOST = 1000
"""So many keys are kept at most: many shapes may lead to one trace."""

_UNKNOWN = object()
_BY_VALUE = frozenset((int, bool, str, bytes, type(None)))
"""The types whose values are keys by themselves: equal ones mean the same."""

_ARRAYS = frozenset(dtype for dtype in BY_NUMPY if dtype.kind in "biufc")


def add_parts(value: Any, key: list[Any], arrays: list[Any]) -> None:
    """Append what tells an argument apart to a key, and the arrays in it."""
    kind = type(value)
    if kind is Tensor:
        array = value._array
        arrays.append(array)
        key += (array.dtype, array.shape)
    elif kind in _BY_VALUE:
        key += (kind, value)
    elif kind is float:
        key += (kind, value.hex())  # tells 0.0 from -0.0
    elif kind is list or kind is tuple:
        key += (kind, len(value))
        for item in value:
            add_parts(item, key, arrays)
    elif kind is dict and all(type(name) is str for name in value):
        key += (kind, tuple(value))
        for name in sorted(value):
            add_parts(value[name], key, arrays)
    elif (kind is np.ndarray or isinstance(value, np.generic)) and value.dtype in _ARRAYS:
        arrays.append(value.copy())  # the caller may change it, and the result be the same array
        key += (np.ndarray, value.dtype, value.shape)
    else:
        key.append(_UNKNOWN)


def note_quick(
    quick: dict[tuple[Any, ...], ConcreteFunction], key: tuple[Any, ...],
    args: tuple[Any, ...], kwargs: dict[str, Any], call: Call, trace: ConcreteFunction,
) -> None:  # fmt: skip
    """Let calls like this one find their trace at once, if its arguments say all there is."""
    if _UNKNOWN in key or trace.graph.captures:
        return
    given = list(_leaves((*args, *kwargs.values())))
    passed = list(_leaves((*call.args, *call.kwargs.values())))
    # neither converted to other types, nor put into another order, nor joined by defaults
    same = _alike if not kwargs else operator.is_
    if len(given) == len(passed) and all(map(same, given, passed)):
        if len(quick) >= MOST:
            quick.clear()
        quick[key] = trace


def _alike(given: Any, passed: Any) -> bool:
    """Whether a tensor is passed as it is, or an array as the tensor that is just that."""
    if given is passed:
        return True
    array = getattr(passed, "_array", None)
    if not isinstance(given, np.ndarray | np.generic) or array is None:
        return False
    return given.dtype == array.dtype and given.shape == array.shape


def _leaves(value: Any) -> Iterator[Any]:
    """The tensors among plain collections, in the order of a trace's inputs."""
    if is_tensor_argument(value):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, dict):
        for name in sorted(value):
            yield from _leaves(value[name])
