"""Comparison of results with their types, for the tests of ``runtime.jit``."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np

import runtime
from autograph.errors import AutoGraphError


def traces(function: Any) -> int:
    count: int = function.experimental_get_tracing_count()
    return count


def same(one: Any, other: Any) -> bool:
    """Whether values and types are the same, also inside of collections."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, float):
        return one == other or (math.isnan(one) and math.isnan(other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    return bool(one == other)


def as_python(function: Any, *inputs: tuple[Any, ...], texts: bool = False) -> None:
    """Assert that a function under ``runtime.jit`` does what Python does, on each of three calls.

    Results, arguments after the call and the class of what is raised are compared; also which of
    the arguments' arrays, lists, dicts and sets the result holds, and with ``texts`` the texts of
    errors.
    """
    staged = runtime.jit(function)
    for args in inputs * 3:
        expected, found = _outcome(function, args, texts), _outcome(staged, args, texts)
        assert same(expected, found), f"{function.__name__}{args}: {found}, not {expected}"


def _outcome(function: Any, args: tuple[Any, ...], texts: bool) -> tuple[Any, ...]:
    given = copy.deepcopy(args)
    try:
        result = function(*given)
        return None, result, given, _shared(result, given)
    except AutoGraphError:
        raise
    except Exception as error:
        return type(error).__name__, str(error) if texts else None, args


def _shared(result: Any, args: tuple[Any, ...]) -> list[int | None]:
    """For the result and each of its items, which of the arguments it is."""
    items = result if isinstance(result, list | tuple) else ()
    kinds = list, dict, set, np.ndarray
    own = {id(arg): number for number, arg in enumerate(args) if isinstance(arg, kinds)}
    return [own.get(id(value)) for value in (result, *items)]
