"""Pickles of decorated functions: by name, or by the Python function and the text of its file."""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
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
    from autograph.syntax.sent_source import source_to_send

    source = source_to_send(python)
    # Dask's scheduler unpickles what a client sends, and pickles it for a worker
    source = source._replace(digest=getattr(value, "_digest", source.digest))
    if not _is_cloudpickle(pickler):
        source = source._replace(digest=None)
    return _received, (make, python, arguments, source)


def with_source(classes: Any, reduction: Any) -> Any:
    """Return how an object is pickled, with the source of its class, or of a list of classes.

    ``reduction`` is a result of ``__reduce__``.  Nothing is added for classes of modules.
    """
    from autograph.syntax.sent_source import source_to_send

    texts = source_to_send(classes).texts
    if not texts or isinstance(reduction, str):
        return reduction
    make, arguments, *state = reduction
    return (_made, (make, arguments, texts), *state)


def _made(make: Callable[..., Any], arguments: tuple[Any, ...], texts: dict[str, str]) -> Any:
    from autograph.syntax.sent_source import keep_texts

    keep_texts(texts)
    return make(*arguments)


def _is_cloudpickle(pickler: FrameType) -> bool:
    return pickler.f_globals.get("__name__") == "cloudpickle.cloudpickle"


def _has_no_name_elsewhere(module: str) -> bool:
    """Return whether ``cloudpickle`` sends the functions of a module by their code."""
    by_value = {"__main__", *sys.modules["cloudpickle"].list_registry_pickle_by_value()}
    return any(f"{module}.".startswith(f"{package}.") for package in by_value)


_SHARED: OrderedDict[Any, Any] = OrderedDict()
"""The latest functions that arrived whose parts cannot change, by digest.

Dask unpickles a function for each task; it is traced once.
"""
_MOST = 256
_LOCK = threading.Lock()


def _received(
    make: Callable[..., Any], python: Callable[..., Any], arguments: tuple[Any, ...], source: Any
) -> Any:
    from autograph.syntax.sent_source import keep_texts

    keep_texts(source.texts)
    function = make(python, *arguments)
    function._digest = source.digest
    if source.digest is None:
        return function
    key = make, repr(arguments), source.digest
    with _LOCK:
        function = _SHARED.setdefault(key, function)
        _SHARED.move_to_end(key)
        if len(_SHARED) > _MOST:
            _SHARED.popitem(last=False)
    return function
