"""Python's iterators over staged values: enumerate, zip, map, reversed and iter.

Each gives an iterator whose items are computed from their number, as those of what it is made of.
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Sequence
from typing import Any

from autograph import operators
from autograph.diagnostics.user_frame import user_place
from autograph.errors import ConcreteValueError
from autograph.operators.conditionals import if_stmt
from autograph.operators.iterables import loop
from autograph.operators.state.closure_cells import Local
from autograph.operators.state.sentinels import BREAK
from autograph.operators.streams import Consumer, Stream
from runtime.ops import dispatch as interpreter
from runtime.ops.control_flow.print_assert import assert_op
from runtime.ops.math.elementwise import minimum
from runtime.staging.sequence import Items, ItemStream, items_of, length
from runtime.state.variable import Variable
from runtime.types.value import Value


def enumerate_(iterable: Any, start: Any = 0) -> ItemStream:
    """``enumerate`` of a staged value."""
    items = items_of(iterable)
    return _stream("enumerate()", items.count, lambda k: (k + start, items.at(k)), items.calls)


def _stream(what: str, count: Any, at: Callable[[Any], Any], calls: bool) -> ItemStream:
    return ItemStream(Items(what, count, at, calls=calls))


def reversed_(sequence: Any) -> ItemStream:
    """``reversed`` of a staged value."""
    if isinstance(sequence, ItemStream):
        raise TypeError(f"'{sequence.what.removesuffix('()')}' object is not reversible")
    items = items_of(sequence)
    return _stream(
        "reversed()", items.count, lambda k: items.at(items.count - 1 - k), items.calls
    )


def iter_(iterable: Any) -> ItemStream:
    """``iter`` of a staged value: an iterator that can be asked for its next item."""
    if isinstance(iterable, ItemStream):
        return iterable
    return ItemStream(items_of(iterable), counted=True)


def map_(function: Callable[..., Any], *iterables: Any) -> Any:
    """``map(function, iterable)``; the function is converted."""
    converted = operators.call(function)
    if _has_others(iterables) and _is_static(iterables):
        return builtins.map(converted, *iterables)
    items = _zipped(iterables)
    return _stream("map()", items.count, lambda k: converted(*items.at(k)), True)


def zip_(*iterables: Any, strict: bool = False) -> Any:
    """``zip`` of staged values; with ``strict`` ValueError, at run time, for unequal lengths."""
    streams = [i for i in iterables if isinstance(i, Stream) and not isinstance(i, ItemStream)]
    if streams and all(s.pull is not None for s in streams) and (strict or len(streams) > 1):
        return builtins.zip(*iterables, strict=strict)
    if streams:
        return _beside(streams, iterables, strict)
    if _has_others(iterables) and _is_static(iterables):
        return builtins.zip(*iterables, strict=strict)  # one turn after the other
    return ItemStream(_zipped(iterables, strict))


def _zipped(iterables: Sequence[Any], strict: bool = False) -> Items:
    streams = [i for i in iterables if isinstance(i, ItemStream)]
    if len({*map(id, streams)}) < len(streams):
        return _grouped(streams, len(iterables), strict)
    items = [items_of(iterable) for iterable in iterables]
    counts = [i.count for i in items]
    if strict:
        _check_lengths(counts)
    calls = any(i.calls for i in items)
    return Items("zip()", _least(counts), lambda k: tuple([i.at(k) for i in items]), calls=calls)


def _grouped(streams: Sequence[ItemStream], size: int, strict: bool) -> Items:
    """``zip(it, it)``: the items of one iterator in groups."""
    if strict or any(stream is not streams[0] for stream in streams) or len(streams) < size:
        raise ConcreteValueError(
            "zip() takes turns with an iterator over staged values that it was given twice",
            where=user_place(),
            help="give it every iterator once, or one iterator alone: zip(it, it)",
        )
    items = streams[0].taken()

    def at(k: Any) -> tuple[Any, ...]:
        return tuple([items.at(k * size + part) for part in builtins.range(size)])

    return Items("zip()", items.count // size, at, calls=items.calls)


def _beside(streams: Sequence[Stream], iterables: Sequence[Any], strict: bool) -> Stream:
    """``zip`` of one stream with what can be counted."""
    if len(streams) > 1 or strict:
        raise ConcreteValueError(
            "how many items a stream of staged values has is known only at run time: zip() "
            + ("cannot compare lengths" if strict else "takes one of them"),
            where=user_place(),
            help="make tensors of them first",
        )
    stream = streams[0]
    others = [None if i is stream else items_of(i) for i in iterables]
    ends = _least([i.count for i in others if i is not None])

    def run(consumer: Consumer) -> None:
        number = Local("the number of the item", 0)
        names = (*consumer.names, number)

        def turn(item: Any) -> Any:
            k = number.value

            def within() -> Any:
                number.value = k + 1
                parts = (item if i is None else i.at(k) for i in others)
                return consumer.body(tuple(parts))

            return if_stmt(k < ends, within, lambda: BREAK, names, consumer.owners)()

        loop(stream, turn, consumer, names)

    return Stream("zip()", run)


def _is_static(values: Sequence[Any]) -> bool:
    """Whether it is known how many items each staged value among ``values`` has."""
    counts = [
        v.items.count if isinstance(v, ItemStream) else length(v)
        for v in values
        if isinstance(v, ItemStream | Items | Value | Variable)
    ]
    return all(isinstance(count, int) for count in counts)


def _has_others(values: Sequence[Any]) -> bool:
    """Whether a loop would have to choose between Python objects, another one for each turn."""
    try:
        for value in values:
            if not isinstance(value, ItemStream):
                items_of(value)
    except (ConcreteValueError, OverflowError):
        return True
    return False


def _least(counts: Sequence[Any]) -> Any:
    if all(isinstance(count, int) for count in counts):
        return min(counts)
    least, *others = counts
    for count in others:
        least = minimum(least, count)
    return least


def _check_lengths(counts: Sequence[Any]) -> None:
    """ValueError, at run time and in Python's words, unless all lengths are the same."""
    for position, other in enumerate(counts[1:], 2):
        others = "argument 1" if position == 2 else f"arguments 1-{position - 1}"
        for fits, word in ((other >= counts[0], "shorter"), (other <= counts[0], "longer")):
            message = f"zip() argument {position} is {word} than {others}"
            assert_op(interpreter.convert(fits), fail=functools.partial(ValueError, message))
