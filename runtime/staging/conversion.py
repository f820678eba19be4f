"""Conversion of functions that users pass to ``function``, ``map_fn``, datasets and layers.

functions/function.py converts each function once; methods share the conversion of their class.
``map_fn`` and the like convert functions if converted code calls them.
"""

from __future__ import annotations

import functools
import types
import warnings
from collections.abc import Callable
from typing import Any

import autograph
from autograph import Feature, staging
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConversionError, NoSourceError, NotAFunctionError
from runtime.graph.trace import current_graph

# In TensorFlow a bare ``print`` runs while tracing; runtime.print prints values.
FEATURES = tuple(Feature.resolve(None) - {Feature.PRINT})


def converted(
    python: Callable[..., Any], name: str, more: tuple[Feature, ...] = ()
) -> Callable[..., Any]:
    """Convert a Python function, with ``more`` features than by default.

    What wraps a function that traces, and so converts, itself is returned unchanged.  A function
    that cannot be converted is returned unchanged, too, with a warning at the user's line; without
    a warning if it has no source, because the error for a staged condition in it says so.
    """
    if _wraps_tracing(python):
        return python
    features = FEATURES + more
    try:
        return autograph.to_graph(python, experimental_optional_features=features)
    except NotAFunctionError:  # builtins cannot be converted, but have replacements
        return _calling(python, features)
    except NoSourceError:
        return python
    except ConversionError as error:
        _warn(name, error)
        return python


def converted_in_turn(function: Callable[..., Any]) -> Callable[..., Any]:
    """Convert a function if converted code is running; return it unchanged if that fails.

    Of a partial, the function that it holds is converted, of an object its method ``__call__``.
    """
    if isinstance(function, functools.partial):
        inner = converted_in_turn(function.func)
        return functools.partial(inner, *function.args, **function.keywords)
    kind: Any = type(function)
    if isinstance(kind.__call__, types.FunctionType) and not staging.is_skipped(kind.__module__):
        return converted_in_turn(types.MethodType(kind.__call__, function))
    if _is_settled(function) or not staging.current_run():
        return function
    try:
        return autograph.to_graph(function, experimental_optional_features=FEATURES)
    except (ConversionError, NotAFunctionError):
        return function


def converted_in_graph(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Convert a function if a graph is being traced, as ``converted`` does.

    In converted code it is what a call there would convert it to.
    """
    if current_graph() is None:
        return function
    if staging.current_run():
        return converted_method(function)
    if staging.is_skipped(getattr(function, "__module__", None)):
        return function
    return converted(function, name)


def converted_method(method: Callable[..., Any]) -> Callable[..., Any]:
    """Convert a function as a call in converted code does; outside of graphs, return it unchanged.
    """
    return method if current_graph() is None else staging.converted(method)


def converted_for_rows(function: Callable[..., Any], caller: str) -> Callable[..., Any]:
    """Convert a function of the elements of a dataset; return it unchanged if that fails.

    ``caller`` names the method of datasets in the warning.
    """
    if _is_settled(function):
        return function
    try:
        return autograph.to_graph(function, experimental_optional_features=FEATURES)
    except (NotAFunctionError, NoSourceError):
        return function  # nothing to convert, or the error of a staged condition says so
    except ConversionError as error:
        _warn(caller, error)
        return function


def _is_settled(function: Callable[..., Any]) -> bool:
    """Whether a function converts itself, or is of a library that is not converted."""
    module = getattr(function, "__module__", None)
    return hasattr(function, "python_function") or staging.is_skipped(module)


def _warn(name: str, error: ConversionError) -> None:
    file, line = user_line() or ("<unknown>", 1)
    warnings.warn_explicit(f"{name} is traced as it stands: {error}", UserWarning, file, line)


def _wraps_tracing(python: Any) -> bool:
    """Whether a callable is a function that traces, possibly inside partials and bound methods."""
    while isinstance(python, functools.partial):
        python = python.func
    return hasattr(getattr(python, "__func__", python), "python_function")


def _calling(python: Callable[..., Any], features: tuple[Feature, ...]) -> Callable[..., Any]:
    """Return a function that calls the replacement of a builtin while a graph is traced."""
    operators = staging.namespace(Feature.resolve(features))
    return lambda *args, **kwargs: operators.call(python)(*args, **kwargs)
