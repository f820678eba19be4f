"""Pickles of decorated functions: by name, or by the Python function and the text of its file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def reduced(
    value: Any, pickler: FrameType, make: Callable[..., Any], python: Callable[..., Any],
    *arguments: Any,
) -> str | tuple[Any, ...]:  # fmt: skip
    """Return how a decorated function is pickled: the result of its ``__reduce__``.

    Args:
        value: the function, whose name is used where it leads to it.
        pickler: frame that asks for the pickle.  ``cloudpickle`` sends functions of a main program
            by their code, since another process has another main program; but it leaves to an
            object what to do, without a word of who asks.
        make: function that decorates the Python function again, given the ``arguments``, too.
        python: Python function.
    """
    if not (_is_cloudpickle(pickler) and _has_no_name_elsewhere(value.__module__)):
        named: Any = sys.modules.get(value.__module__)
        for name in value.__qualname__.split("."):
            named = getattr(named, name, None)
        if named is value:
            return str(value.__qualname__)
    from autograph.syntax.sent_source import texts_of

    # Dask's scheduler unpickles what a client sends, and pickles it for a worker
    texts = {**texts_of(python), **getattr(value, "_sent_texts", {})}
    return _received, (make, python, arguments, texts)


def _is_cloudpickle(pickler: FrameType) -> bool:
    return pickler.f_globals.get("__name__") == "cloudpickle.cloudpickle"


def _has_no_name_elsewhere(module: str) -> bool:
    """Return whether ``cloudpickle`` sends the functions of a module by their code."""
    by_value = {"__main__", *sys.modules["cloudpickle"].list_registry_pickle_by_value()}
    return any(f"{module}.".startswith(f"{package}.") for package in by_value)


def _received(
    make: Callable[..., Any], python: Callable[..., Any], arguments: tuple[Any, ...],
    texts: dict[str, str],
) -> Any:  # fmt: skip
    from autograph.syntax.sent_source import keep_texts

    keep_texts(texts)
    function = make(python, *arguments)
    function._sent_texts = texts
    return function
