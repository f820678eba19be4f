"""What the calls of layers that are under way share: the mode, and the losses that they add."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any


class CallContext:
    """One outermost call of a layer, None for one of which only shapes are wanted.

    training  whether the model is being trained; None where nobody said
    """

    def __init__(self, layer: Any) -> None:
        self.layer = layer
        self.training: bool | None = None


class _CallsUnderWay(threading.local):
    context: CallContext | None = None


_calls = _CallsUnderWay()


def current_context() -> CallContext | None:
    """Return the context of the calls under way in this thread."""
    return _calls.context


class Entered:
    """Context manager around a call of a layer; gives the context."""

    __slots__ = ("_layer", "_outermost", "_training", "context")

    def __init__(self, layer: Any) -> None:
        self._layer = layer

    def __enter__(self) -> CallContext:
        context = _calls.context
        self._outermost = context is None
        if context is None:
            context = _calls.context = CallContext(self._layer)
        self.context = context
        self._training = context.training
        return context

    def __exit__(self, *_: object) -> None:
        self.context.training = self._training
        if self._outermost:
            _calls.context = None


@contextlib.contextmanager
def for_shapes() -> Iterator[None]:
    """Calls under way of which only shapes are wanted: the losses that they add are dropped."""
    outer, context = _calls.context, CallContext(None)
    if outer is not None:
        context.training = outer.training
    _calls.context = context
    try:
        yield
    finally:
        _calls.context = outer
