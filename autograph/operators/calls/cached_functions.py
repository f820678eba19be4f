"""Calls of functions whose results ``functools.lru_cache`` or ``functools.cache`` stores.

    fib(n - 1)           =>  ag__.call(fib)(n - 1)

A call with staged arguments calls the conversion of the wrapped function; ``calls`` asks for that
here.  Where the function calls itself, the results of those calls are stored in a staged dict, so
that each is computed once in a run, too.  Calls with Python values use the function's own cache.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

from autograph.operators.calls.call_arguments import bind
from autograph.operators.containers import map_ops
from autograph.operators.containers.map_keys import key_backend, kind_of_key
from autograph.operators.control.conditionals import if_stmt, testing_backend
from autograph.operators.state.stored_results import STORED
from autograph.staging.registry import staging_backend_of
from autograph.staging.staged_list import kind_of
from autograph.staging.staged_map import TracedDict, map_contents

WRAPPER = functools._lru_cache_wrapper


def stage_cache(
    wrapper: Any, convert: Callable[[Any], Callable[..., Any]], owner: tuple[Any, ...] = ()
) -> Callable[..., Any]:
    """Return what to call instead of a cached function; ``owner`` holds the object of a method."""
    function = wrapper.__wrapped__

    def call(*args: Any, **kwargs: Any) -> Any:
        arguments = (*args, *kwargs.values())
        for argument in arguments:
            if kind_of(argument) in (list, dict, set):
                raise TypeError(f"unhashable type: '{kind_of(argument).__name__}'")
        if function.__closure__ is None and not any(map(_is_staged, arguments)):
            value = wrapper(*owner, *args, **kwargs)
            if not _is_staged(value):
                return value
            wrapper.cache_clear()  # later calls must not find what belongs to this trace
        return _look_up_or_call(wrapper, convert(function), owner, args, kwargs)

    return call


def _is_staged(value: Any) -> bool:
    if kind_of(value) in (list, tuple, dict, set):
        return staging_backend_of(value) is not None or any(map(_is_staged, tuple(value)))
    return testing_backend(value) is not None or key_backend(value) is not None


def _look_up_or_call(
    wrapper: Any, function: Callable[..., Any], owner: tuple[Any, ...], args: Any, kwargs: Any
) -> Any:
    """Call the conversion of a cached function, or take the result of an earlier call."""
    place = wrapper, *map(id, owner)
    stored = STORED.dicts.get(place)
    if stored is None:
        STORED.dicts[place] = TracedDict()
        try:
            return function(*owner, *args, **kwargs)
        finally:
            del STORED.dicts[place]
    key = _key(wrapper.__wrapped__, owner, args, kwargs)

    def compute() -> Any:
        value = function(*owner, *args, **kwargs)
        if key is not None and _fits(stored, key) and kind_of_key(value) is not None:
            map_ops.set_at(stored, key, value)
        return value

    if key is None or not _fits(stored, key):
        return compute()
    is_stored = map_ops.has(stored, key)
    if is_stored is False:
        return compute()
    return if_stmt(is_stored, lambda: map_ops.at(stored, key), compute, (), (stored, compute))()


def _key(function: Any, owner: tuple[Any, ...], args: Any, kwargs: Any) -> Any:
    """Return the key of a call; None where a staged dict cannot hold it."""
    if not isinstance(function, types.FunctionType):
        return None
    arguments = bind(function, (*owner, *args), kwargs)
    if arguments is None:
        return None
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
        return None
    key = tuple(arguments.values())[len(owner) :]
    return key if kind_of_key(key) is not None else None


def _fits(stored: TracedDict, key: Any) -> bool:
    """Whether a dict that may be a staged one holds keys of that class."""
    keys = map_contents(stored).keys
    examples = keys.items or (() if keys.prefix is None else keys.prefix.examples)
    return not examples or kind_of_key(examples[0]) == kind_of_key(key)
