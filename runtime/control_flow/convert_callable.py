"""Conversion of functions that users pass to ``function``, ``map_fn`` and the like.

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
from autograph.staging import current_run

# In TensorFlow a bare ``print`` runs while tracing; runtime.print prints values.
FEATURES = tuple(Feature.resolve(None) - {Feature.PRINT})


def converted(
    python: Callable[..., Any], name: str, more: tuple[Feature, ...], traced: type
) -> Callable[..., Any]:
    """Convert a Python function, with ``more`` features than by default.

    A wrapper of an object of the class ``traced`` is returned unchanged, as that object converts
    its own function.  A function that cannot be converted is returned unchanged, too, with a
    warning at the user's line; without a warning if it has no source, because the error for a
    staged condition in it says so.
    """
    if _wraps(python, traced):
        return python
    features = FEATURES + more
    try:
        return autograph.to_graph(python, experimental_optional_features=features)
    except NotAFunctionError:  # builtins cannot be converted, but have replacements
        return _calling(python, features)
    except NoSourceError:
        return python
    except ConversionError as error:
        file, line = user_line() or ("<unknown>", 1)
        text = f"{name} is traced as it stands: {error}"
        warnings.warn_explicit(text, UserWarning, file, line)
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
    is_settled = hasattr(function, "python_function") or staging.is_skipped(
        getattr(function, "__module__", None)
    )
    if is_settled or not current_run():
        return function
    try:
        return autograph.to_graph(function, experimental_optional_features=FEATURES)
    except (ConversionError, NotAFunctionError):
        return function


def _wraps(python: Any, traced: type) -> bool:
    """Whether a callable is a traced function, possibly inside partials and bound methods."""
    while isinstance(python, functools.partial):
        python = python.func
    return isinstance(getattr(python, "__func__", python), traced)


def _calling(python: Callable[..., Any], features: tuple[Feature, ...]) -> Callable[..., Any]:
    """Return a function that calls the replacement of a builtin while a graph is traced."""
    operators = staging.namespace(Feature.resolve(features))
    return lambda *args, **kwargs: operators.call(python)(*args, **kwargs)
