"""Python's builtins on iterables that bring their own staged loop, such as datasets.

Their items are produced one by one when the graph runs.  A builtin returns a stream of them, for a
loop, or an iterable of the same kind.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from typing import Any

from autograph.conversion.convert_hook import converted
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.operators.control.conditionals import if_stmt
from autograph.operators.control.streams import Consumer, StagedStream
from autograph.operators.iteration import iterables, staged_iterators
from autograph.operators.state.closure_cells import Local
from autograph.staging.iterable_protocol import LazyIterable
from autograph.staging.protocol import Backend


def is_lazy(value: object) -> bool:
    """Whether a value is a lazy iterable, which produces its items one by one at run time."""
    return isinstance(value, LazyIterable)


def _stream(value: Any) -> StagedStream:
    """Return a stream of the items of a lazy iterable, for a loop."""

    def run(consumer: Consumer) -> None:
        iterables.loop(value, consumer.body, consumer)

    return StagedStream("a dataset", run, once=False)


def _enumerate(backend: Backend, iterable: Any, start: Any = 0) -> Any:
    return iterables.enumerate_(_stream(iterable), start)


def _zip(backend: Backend, *values: Any, strict: bool = False) -> Any:
    lazy = [value for value in values if is_lazy(value)]
    if len(lazy) == len(values) and not strict:
        return _stream(lazy[0].__zip__(values))
    if len(lazy) == 1:
        streams = [_stream(v) if is_lazy(v) else v for v in values]
        return staged_iterators.zip_(backend, *streams, strict=strict)
    beside = [value for value in values if not is_lazy(value)]
    zipped = _stream(lazy[0].__zip__(tuple(lazy)))
    together = staged_iterators.zip_(backend, zipped, *beside, strict=strict)

    def in_order(items: Any) -> Any:
        first, beside_items = builtins.iter(items[0]), builtins.iter(items[1:])
        return tuple([next(first) if is_lazy(v) else next(beside_items) for v in values])

    return iterables.transform("zip()", together, in_order)


def _map(backend: Backend, function: Callable[..., Any], *values: Any) -> Any:
    if len(values) == 1:
        return iterables.map_(function, _stream(values[0]))
    call = converted(function)
    return iterables.transform("map()", _zip(backend, *values), lambda args: call(*args))


def _next(backend: Backend, iterator: Any, default: Any = iterables.MISSING) -> Any:
    if not hasattr(type(iterator), "__next__"):
        raise TypeError(f"'{type(iterator).__name__}' object is not an iterator")
    if default is iterables.MISSING:
        return builtins.next(iterator)
    item = Local("the item", default)

    def take() -> None:
        item.value = builtins.next(iterator)

    if_stmt(iterator.__has_next__(), take, None, (item,), ())()
    return item.value


def _len(backend: Backend, value: Any) -> Any:
    if hasattr(type(value), "__next__"):
        return builtins.len(value)  # it raises Python's error
    return value.__staged_len__()


def _of_unknown_size(name: str) -> Callable[..., Any]:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise ConcreteValueError(
            f"{name} of a dataset needs the number of elements, which is known only when the graph "
            "runs",
            where=user_line(),
            help="batch the dataset and use the tensor of its elements, or loop over it",
        )

    return refuse


BUILTINS: Mapping[Callable[..., Any], Callable[..., Any]] = {
    bool: lambda backend, value: True,
    enumerate: _enumerate,
    iter: lambda backend, value: value.__staged_iter__(),
    len: _len,
    list: lambda backend, value: value.__rest__(),  # whose items are gathered in a list
    map: _map,
    next: _next,
    reversed: lambda backend, value: builtins.reversed(value),  # it raises Python's error
    sorted: _of_unknown_size("sorted()"),
    tuple: _of_unknown_size("tuple()"),
    zip: _zip,
}
"""The staged version of each builtin, which takes the backend first."""
