"""What the calls of layers that are under way share: the mode, and the losses that they add."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from runtime.graph.parts import note_part
from runtime.graph.trace import current_graph


class CallContext:
    """One outermost call of a layer, None for one of which only shapes are wanted.

    training  whether the model is being trained; None where nobody said
    """

    def __init__(self, layer: Any) -> None:
        self.layer = layer
        self.training: bool | None = None


class _CallsUnderWay(threading.local):
    context: CallContext | None = None
    are_named = False
    """Whether the operations of a layer that is called in a graph get its name."""


_calls = _CallsUnderWay()


def current_context() -> CallContext | None:
    """Return the context of the calls under way in this thread."""
    return _calls.context


class Entered:
    """Context manager around a call of a layer; gives the context."""

    __slots__ = ("_first", "_graph", "_layer", "_outermost", "_scope", "_training", "context")

    def __init__(self, layer: Any) -> None:
        self._layer = layer

    def __enter__(self) -> CallContext:
        context = _calls.context
        self._outermost = context is None
        if context is None:
            context = _calls.context = CallContext(self._layer)
        self.context = context
        self._training = context.training
        graph = self._graph = current_graph()
        self._first = 0 if graph is None else len(graph.operations)
        named = graph is not None and _calls.are_named and not self._outermost
        self._scope = graph.name_scope(self._layer.name) if graph is not None and named else None
        if self._scope is not None:
            self._scope.__enter__()
        return context

    def __exit__(self, *_: object) -> None:
        if self._scope is not None:
            self._scope.__exit__(None, None, None)
        if self._graph is not None:
            note_part(self._graph, self._layer.name, self._first)
        self.context.training = self._training
        if self._outermost:
            _calls.context = None


@contextlib.contextmanager
def named_operations() -> Iterator[None]:
    """Calls in which the operations of a layer inside of the outermost one begin with its name.

    Exports show them; without them a call is faster.
    """
    before, _calls.are_named = _calls.are_named, True
    try:
        yield
    finally:
        _calls.are_named = before


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
