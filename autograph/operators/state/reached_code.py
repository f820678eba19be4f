"""Code and namespaces that classes and functions lead to; used by ``outliving``."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

from autograph.operators.state.code_names import names_in
from autograph.operators.state.library_objects import collections_of_libraries
from autograph.operators.state.skip_list import is_skipped, is_skipped_function
from autograph.tracing import CallsPython

CALLED = (types.FunctionType, CallsPython)
"""Classes of functions that run the user's code."""


def functions_of(owner: type) -> Iterator[Any]:
    """The functions that a class defines, those of properties among them."""
    for value in vars(owner).values():
        if isinstance(value, property):
            yield from (f for f in (value.fget, value.fset, value.fdel) if f is not None)
        elif isinstance(value, staticmethod | classmethod):
            yield value.__func__
        elif isinstance(value, CALLED):
            yield value


def is_user_code(value: Any) -> bool:
    """Whether an object is a function of the user's, and of no library."""
    return isinstance(value, types.FunctionType) and not is_skipped_function(value)


def modules_of(function: types.FunctionType) -> Iterator[dict[str, Any]]:
    """The globals of the user's modules that a function refers to."""
    for name in names_in(function.__code__):
        module = function.__globals__.get(name)
        if isinstance(module, types.ModuleType) and not is_skipped(module.__name__):
            yield vars(module)


def functions_of_modules(function: types.FunctionType) -> Iterator[Any]:
    """The functions that a function names of the user's modules that it refers to."""
    for namespace in modules_of(function):
        values = (namespace.get(name) for name in names_in(function.__code__))
        yield from (f for f in values if isinstance(f, CALLED))


def variables_of(function: types.FunctionType) -> Iterator[tuple[dict[str, Any], str]]:
    """The variables that a function names, with the globals that hold them: of its own module, of
    the user's modules that it refers to, and the collections among those of libraries.
    """
    for namespace in (function.__globals__, *modules_of(function)):
        yield from ((namespace, name) for name in names_in(function.__code__) if name in namespace)
    yield from collections_of_libraries(function)
