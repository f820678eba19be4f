"""From the Python function of a traced one to what is called to trace it: its conversion.

function.py asks once for each function, and methods share what their class has.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import autograph
from autograph.errors import ConversionError, NotAFunctionError
from autograph.features import Feature
from autograph.operators import namespace
from autograph.places import user_place

# In TensorFlow a bare ``print`` runs while tracing; runtime.print prints values.
_FEATURES = tuple(Feature.chosen(None) - {Feature.PRINT})


def converted(
    python: Callable[..., Any], name: str, more: tuple[Feature, ...], traced: type
) -> Callable[..., Any]:
    """The conversion of a Python function, with ``more`` features than usual.

    What wraps a function of the class ``traced`` stays as it is: that converts what it wraps.  What
    cannot be converted does so, too, with a warning at the user's line.
    """
    if _wraps(python, traced):
        return python
    features = _FEATURES + more
    try:
        return autograph.to_graph(python, experimental_optional_features=features)
    except NotAFunctionError:  # builtins have nothing to convert, but stand-ins
        return _calling(python, features)
    except ConversionError as error:
        file, line = user_place() or ("<unknown>", 1)
        text = f"{name} is traced as it stands: {error}"
        warnings.warn_explicit(text, UserWarning, file, line)
        return python


def _wraps(python: Any, traced: type) -> bool:
    """Whether a callable is a traced function, in whatever it is wrapped."""
    while isinstance(python, functools.partial):
        python = python.func
    return isinstance(getattr(python, "__func__", python), traced)


def _calling(python: Callable[..., Any], features: tuple[Feature, ...]) -> Callable[..., Any]:
    """A function that calls what stands in for a builtin while a graph is traced."""
    operators = namespace(Feature.chosen(features))
    return lambda *args, **kwargs: operators.call(python)(*args, **kwargs)
