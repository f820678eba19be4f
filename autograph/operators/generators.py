"""Generator functions: while a backend is tracing, a call returns a stream of the yielded items.

A loop over the stream runs the generator's code with the loop's body at each ``yield``, so the
loops and conditions around the ``yield`` may be staged.  Python code that calls ``next`` gets an
ordinary generator.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from autograph.operators.comparisons import staged_inside
from autograph.operators.loops import for_stmt
from autograph.operators.path_tracing import consuming
from autograph.operators.state.attributes import attributes
from autograph.operators.state.closure_cells import contents
from autograph.operators.state.sentinels import BREAK
from autograph.operators.streams import Consumer, StagedStream
from autograph.staging.registry import lazy_backend, tracing_backend

GENERATOR = 0x20  # CO_GENERATOR


def streamed(
    function: Callable[..., Any], pushed: Callable[[], types.FunctionType | None]
) -> Callable[..., Any]:
    """Return what to call for a converted generator function; ``pushed`` is its push-style form."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if tracing_backend() is None or not _is_staged(function, args, kwargs):
            return function(*args, **kwargs)
        turned = pushed()
        if turned is None:
            return function(*args, **kwargs)
        code = turned(*args, **kwargs)
        return _Generator(function.__name__, code, lambda: function(*args, **kwargs))

    return call


class _Generator(StagedStream):
    """Stream of one call of a generator function."""

    resumable = True

    def __init__(
        self, name: str, code: Callable[[Any], None], generator: Callable[[], Any]
    ) -> None:
        super().__init__(f"the generator {name}()", self._push, generator)
        self._code = code

    def drive(self, consumer: Consumer) -> None:
        """Call the consumer for each item; for the remaining ones if Python already took some."""
        if self.iterator is not None:
            for_stmt(self.iterator, consumer.body, consumer.names, consumer.owners)
        else:
            super().drive(consumer)

    def _push(self, consumer: Consumer) -> None:
        body = consumer.body

        def emit(item: Any) -> Any:
            with consuming(None):
                stop = body(item)
            if stop is None:
                return False
            return True if stop is BREAK else stop.ag__present

        with consuming(consumer):
            self._code(emit)


def _is_staged(function: Callable[..., Any], args: Any, kwargs: Any) -> bool:
    """Whether a generator function sees staged values; otherwise it can stay a Python generator."""
    held = [*args, *kwargs.values(), *map(contents, getattr(function, "__closure__", None) or ())]
    held += [_attributes(value) for value in held]
    if lazy_backend([*held, *_globals(function)]) is not None:
        return True
    return any(isinstance(value, StagedStream) for value in held) or staged_inside(held) is not None


def _globals(function: Any) -> list[Any]:
    """Return the global variables that a function names."""
    namespace = getattr(function, "__globals__", {})
    names = function.__code__.co_names if hasattr(function, "__code__") else ()
    return [namespace[name] for name in names if name in namespace]


def _attributes(value: Any) -> Any:
    """Return what an object holds in its attributes."""
    if isinstance(value, (type, types.FunctionType, types.ModuleType)):
        return None
    return attributes(value)
