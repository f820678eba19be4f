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

from autograph.operators.control.streams import Consumer, StagedStream
from autograph.operators.iteration.comparisons import staged_inside
from autograph.operators.iteration.endless_generators import note_generator, pass_items
from autograph.operators.iteration.loops import for_stmt
from autograph.operators.state.attributes import attributes
from autograph.operators.state.closure_cells import contents
from autograph.operators.state.skip_list import is_skipped
from autograph.staging.registry import lazy_backend, tracing_backend

GENERATOR = 0x20  # CO_GENERATOR


def as_stream(
    function: Callable[..., Any], pushed: Callable[[], types.FunctionType | None]
) -> Callable[..., Any]:
    """Return what to call for a converted generator function; ``pushed`` is its push-style form."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if tracing_backend() is None:
            return function(*args, **kwargs)
        if not _is_staged(function, args, kwargs):

            def again() -> Any:
                turned = pushed()
                return None if turned is None else turned(*args, **kwargs)

            return note_generator(function(*args, **kwargs), again, (function, args, kwargs))
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
        pass_items(self._code, consumer)


def _is_staged(function: Callable[..., Any], args: Any, kwargs: Any) -> bool:
    """Whether a generator function sees staged values; otherwise it can stay a Python generator."""
    arguments = [*args, *kwargs.values()]
    if any(map(reaches_staged, arguments)):
        return True
    reached = [*arguments, *map(contents, getattr(function, "__closure__", None) or ())]
    reached += [_attributes(value) for value in reached]
    if lazy_backend([*reached, *_globals(function)]) is not None:
        return True
    has_streams = any(isinstance(value, StagedStream) for value in reached)
    return has_streams or staged_inside(reached) is not None


def reaches_staged(function: Any) -> bool:
    """Whether a function that is passed as an argument has staged values of its own.

    They are in its closure, defaults, bound object or partial arguments.
    """
    if isinstance(function, functools.partial):
        reached = [function.func, *function.args, *function.keywords.values()]
    elif isinstance(function, types.MethodType):
        reached = [function.__func__, _attributes(function.__self__)]
    elif isinstance(function, types.FunctionType) and not is_skipped(function.__module__):
        reached = [*map(contents, function.__closure__ or ()), *(function.__defaults__ or ())]
        reached += (function.__kwdefaults__ or {}).values()
    else:
        return False
    inner = [value for value in reached if isinstance(value, _CALLABLE) and value is not function]
    return staged_inside(reached) is not None or any(map(reaches_staged, inner))


_CALLABLE = (functools.partial, types.MethodType, types.FunctionType)


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
