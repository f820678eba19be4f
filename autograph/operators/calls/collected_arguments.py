"""Functions to which ``*args`` is given as one tuple, and ``**options`` as one dict.

For ``starred_calls``: a tuple of staged length cannot be spread over the arguments of a call.
Python keeps the two variables behind those of the parameters that only have a name; in code that
says there are one or two of these more, they are such parameters.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any, Protocol

from autograph.operators.calls.argument_counts import parameters_of
from autograph.operators.calls.recursion import detect_recursion
from autograph.syntax.code_markers import is_converted

Call = Callable[..., Any]


class Resolver(Protocol):
    """What finds conversions of callables."""

    def starred(self, function: Any) -> Call:
        """Return what to call where an argument may be a Spread."""

    def function(self, function: types.FunctionType) -> types.FunctionType:
        """Return the conversion of a function."""

    def as_stream(self, function: Any, converted: Any, adapt: Callable[[Any], Any]) -> Call:
        """Return what to call instead of a generator function; ``adapt`` is applied to forms of it.
        """


def taking_collections(function: Any, resolver: Resolver, options: bool = False) -> Call | None:
    """Return what takes ``*args`` by its name, and with ``options`` those as well.

    It is None where the code of the function does not come from a conversion.
    """
    if type(function) is types.MethodType:
        inner = taking_collections(function.__func__, resolver, options)
        return inner and types.MethodType(inner, function.__self__)
    if type(function) is not types.FunctionType:
        method, _ = parameters_of(function)
        if method is function or isinstance(function, type):
            return None
        return taking_collections(types.MethodType(method, function), resolver, options)
    conversion = resolver.function(function)
    if not is_converted(conversion.__code__):
        return None
    adapt = functools.partial(_with_collections, options=options)
    if conversion.__code__.co_flags & inspect.CO_GENERATOR:
        return resolver.as_stream(function, adapt(conversion), adapt)
    return detect_recursion(adapt(conversion))


def _with_collections(function: types.FunctionType, options: bool) -> types.FunctionType:
    variant = types.FunctionType(
        _by_name(function.__code__, options), function.__globals__, function.__name__,
        function.__defaults__, function.__closure__,
    )
    variant.__kwdefaults__, variant.__qualname__ = function.__kwdefaults__, function.__qualname__
    return variant


@functools.lru_cache(maxsize=256)
def _by_name(code: types.CodeType, options: bool) -> types.CodeType:
    gone = inspect.CO_VARARGS | (inspect.CO_VARKEYWORDS if options else 0)
    count = (code.co_flags & gone).bit_count()
    return code.replace(
        co_flags=code.co_flags & ~gone, co_kwonlyargcount=code.co_kwonlyargcount + count
    )
