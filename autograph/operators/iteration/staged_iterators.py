"""Python's iterators over staged values: enumerate, zip, map, reversed and iter.

Each returns an iterator whose k-th item is computed from the k-th items of its arguments.
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograph.conversion.convert_hook import converted
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.operators.containers.sequences import known_count, range_, sequence_of
from autograph.operators.control.conditionals import if_stmt, truth
from autograph.operators.control.streams import Consumer, StagedStream
from autograph.operators.iteration.iterables import LOOPS, gather, is_unlisted, loop
from autograph.operators.iteration.loops import for_stmt
from autograph.operators.state.closure_cells import UNDEFINED, Local
from autograph.operators.state.sentinels import BREAK
from autograph.staging.protocol import Backend
from autograph.staging.registry import tracing_backend
from autograph.staging.staged_list import StagedList
from autograph.staging.staged_sequence import StagedSequence
from autograph.staging.staged_tuple import as_tuple
from autograph.staging.state_spec import StagedValue
from autograph.staging.unsupported import check_supported


class StagedIterator(StagedStream, StagedValue):
    """Iterator over items: the result of ``zip``, ``enumerate``, ``map``, ``reversed`` or ``iter``.

    A loop over it uses it up.  ``position`` is counted from the first request for a next item; from
    the start, if ``counted``.
    """

    def __init__(self, items: StagedSequence, counted: bool = False) -> None:
        super().__init__(items.what, self._loop, None)
        self.backend = items.backend
        self.items = items
        self.position: Any = 0 if counted else None
        self.take = self._take

    def take_rest(self) -> StagedSequence:
        """Return all remaining items."""
        if self.position is None:
            self.use()
            return self.items
        start, items = self.position, self.items
        self.position, self.used = None, True  # where the loop will stop is not known
        return StagedSequence(
            items.backend, items.what, items.count - start, lambda k: items.at(start + k),
            calls=items.calls,
        )  # fmt: skip

    def drive(self, consumer: Consumer) -> None:
        """Call the consumer for each item; ``position`` moves with the loop."""
        self.run(consumer)

    def _loop(self, consumer: Consumer) -> None:
        start = self.position
        owners = (*consumer.owners, self.items.calls)
        if start is None:
            for_stmt(self.take_rest(), consumer.body, consumer.names, owners)
            return
        remaining = self.items.count - start

        def iteration(k: Any) -> Any:
            item = self.items.at(start + k)
            self.position = start + k + 1
            return consumer.body(item)

        iterations = StagedSequence(self.backend, self.what, remaining, lambda k: k)
        for_stmt(iterations, iteration, consumer.names, (*owners, (self,)))

    def _take(self) -> Any:
        if self.position is None:
            self.use()
            self.position = 0
        item = Local("the item")
        position, count = self.position, self.items.count

        def there() -> None:
            item.value = self.items.at(position)
            self.position = position + 1

        if_stmt(position < count, there, None, (item,), ((self,),))()
        return item.value

    def __next__(self) -> Any:
        if type(self.position) is int or self.position is None:
            if isinstance(self.items.count, int):
                item = self._take()
                if item is UNDEFINED:
                    raise StopIteration
                return item
        raise self.unknown("iterated over in plain Python")


def items_of(value: Any, backend: Backend) -> StagedSequence:
    """Return the items of a value, or the remaining items of an iterator."""
    return value.take_rest() if isinstance(value, StagedIterator) else sequence_of(value, backend)


def _iterator(
    items: StagedSequence, name: str, at: Callable[[Any], Any],
    calls: tuple[Callable[..., Any], ...] = (),
) -> StagedIterator:
    """Return an iterator over the result of ``at`` for each item."""
    results = StagedSequence(items.backend, name, items.count, at, calls=(*calls, *items.calls))
    return StagedIterator(results)


def enumerate_(backend: Backend, iterable: Any, start: Any = 0) -> StagedIterator:
    """``enumerate`` of a staged value."""
    items = items_of(iterable, backend)
    return _iterator(items, "enumerate()", lambda k: (k + start, items.at(k)))


def reversed_(backend: Backend, sequence: Any) -> StagedIterator:
    """``reversed`` of a staged value."""
    check_supported(reversed, sequence)
    if isinstance(sequence, StagedIterator):
        raise TypeError(f"'{sequence.what.removesuffix('()')}' object is not reversible")
    items = items_of(sequence, backend)
    return _iterator(items, "reversed()", lambda k: items.at(items.count - 1 - k))


def iter_(backend: Backend, iterable: Any) -> StagedIterator:
    """``iter`` of a staged value: an iterator that can be asked for its next item."""
    if isinstance(iterable, StagedIterator):
        return iterable
    return StagedIterator(items_of(iterable, backend), counted=True)


def map_(backend: Backend, function: Callable[..., Any], *iterables: Any) -> Any:
    """``map(function, iterable)``; the function is converted."""
    call = converted(function)
    if _has_others(iterables, backend) and _is_static(iterables, backend):
        return builtins.map(call, *iterables)
    items = _zip(backend, iterables)
    return _iterator(items, "map()", lambda k: call(*items.at(k)), (function, call))


def zip_(backend: Backend, *iterables: Any, strict: bool = False) -> Any:
    """``zip`` of staged values; with ``strict`` ValueError, at run time, for unequal lengths."""
    streams = [
        i for i in iterables if isinstance(i, StagedStream) and not isinstance(i, StagedIterator)
    ]
    if streams and all(s.pull is not None for s in streams) and (strict or len(streams) > 1):
        return builtins.zip(*iterables, strict=strict)
    if streams:
        return _zip_with_stream(backend, streams, iterables, strict)
    if _has_others(iterables, backend) and _is_static(iterables, backend):
        return builtins.zip(*iterables, strict=strict)  # one iteration after the other
    return StagedIterator(_zip(backend, iterables, strict))


def _zip(backend: Backend, iterables: Sequence[Any], strict: bool = False) -> StagedSequence:
    streams = [i for i in iterables if isinstance(i, StagedIterator)]
    if len({*map(id, streams)}) < len(streams):
        return _group_items(streams, len(iterables), strict)
    items = [items_of(iterable, backend) for iterable in iterables]
    counts = [i.count for i in items]
    if strict:
        _check_lengths(backend, counts)
    calls = tuple(function for i in items for function in i.calls)
    return StagedSequence(
        backend, "zip()", _least(backend, counts), lambda k: tuple([i.at(k) for i in items]),
        calls=calls,
    )  # fmt: skip


def _group_items(streams: Sequence[StagedIterator], size: int, strict: bool) -> StagedSequence:
    """``zip(it, it)``: the items of one iterator in groups."""
    if strict or any(stream is not streams[0] for stream in streams) or len(streams) < size:
        raise ConcreteValueError(
            "zip() got one iterator over staged values twice, together with other arguments",
            where=user_line(),
            help="pass each iterator once, or one iterator alone: zip(it, it)",
        )
    items = streams[0].take_rest()

    def at(k: Any) -> tuple[Any, ...]:
        return tuple([items.at(k * size + place) for place in builtins.range(size)])

    return StagedSequence(items.backend, "zip()", items.count // size, at, calls=items.calls)


def _zip_with_stream(
    backend: Backend, streams: Sequence[StagedStream], iterables: Sequence[Any], strict: bool
) -> StagedStream:
    """``zip`` of one stream with sequences whose items have indexes."""
    if len(streams) > 1 or strict:
        raise ConcreteValueError(
            "the number of items in a stream of staged values is known only at run time: zip() "
            + ("cannot compare lengths" if strict else "accepts only one such stream"),
            where=user_line(),
            help="make tensors of them first",
        )
    stream = streams[0]
    sequences = [None if i is stream else items_of(i, backend) for i in iterables]
    ends = _least(backend, [i.count for i in sequences if i is not None])

    def run(consumer: Consumer) -> None:
        number = Local("the number of the item", 0)
        names = (*consumer.names, number)

        def iteration(item: Any) -> Any:
            k = number.value

            def within() -> Any:
                number.value = k + 1
                values = (item if i is None else i.at(k) for i in sequences)
                return consumer.body(tuple(values))

            return if_stmt(k < ends, within, lambda: BREAK, names, consumer.owners)()

        loop(stream, iteration, consumer, names)

    return StagedStream("zip()", run)


def list_(backend: Backend, iterable: Any) -> Any:
    """``list`` of a staged value: a list if the size is known, else an indexable sequence."""
    if not backend.is_staged(iterable) or known_count(iterable, backend) is not None:
        return builtins.list(iterable)
    return _as_list(items_of(iterable, backend))


def tuple_(backend: Backend, iterable: Any) -> Any:
    """``tuple`` of a staged value."""
    items = list_(backend, iterable)
    return as_tuple(items if isinstance(items, builtins.list) else gather(items))


def _as_list(items: StagedSequence) -> Any:
    if items.calls:
        return gather(StagedIterator(items))  # each function is called once for an item
    return StagedSequence(
        items.backend, "list", items.count, items.at, items.contains, listed=True
    )


def _is_static(values: Sequence[Any], backend: Backend) -> bool:
    """Whether the number of items of each staged value among ``values`` is known."""
    counts = [
        v.items.count if isinstance(v, StagedIterator) else sequence_of(v, backend).count
        for v in values
        if not isinstance(v, StagedList) and backend.owns(v)
    ]
    return all(isinstance(count, int) for count in counts)


def _has_others(values: Sequence[Any], backend: Backend) -> bool:
    """Whether a loop would have to choose between Python objects, another one in each iteration."""
    try:
        for value in values:
            if not isinstance(value, StagedIterator):
                sequence_of(value, backend)
    except (ConcreteValueError, OverflowError):
        return True
    return False


def _least(backend: Backend, counts: Sequence[Any]) -> Any:
    if all(isinstance(count, int) for count in counts):
        return min(counts)
    return functools.reduce(backend.minimum, counts)


def _check_lengths(backend: Backend, counts: Sequence[Any]) -> None:
    """Raise ValueError, at run time and in Python's words, unless all lengths are equal."""
    for position, count in enumerate(counts[1:], 2):
        before = "argument 1" if position == 2 else f"arguments 1-{position - 1}"
        for fits, word in ((count >= counts[0], "shorter"), (count <= counts[0], "longer")):
            message = f"zip() argument {position} is {word} than {before}"
            backend.check(fits, functools.partial(ValueError, message))


def _zip_of_streams(*iterables: Any, **options: Any) -> Any:
    """``zip`` of streams together with sequences whose items have indexes."""
    backend = tracing_backend()
    if backend is None or not any(is_unlisted(iterable) for iterable in iterables):
        return NotImplemented
    return zip_(backend, *iterables, **options)


def _len(backend: Backend, value: Any) -> Any:
    if isinstance(value, StagedIterator):
        raise TypeError(f"object of type '{value.what.removesuffix('()')}' has no len()")
    return value.count


LOOPS[zip] = _zip_of_streams

OF_VALUES: Mapping[Callable[..., Any], Callable[..., Any]] = {
    enumerate: enumerate_,
    iter: iter_,
    list: list_,
    map: map_,
    range: range_,
    reversed: reversed_,
    tuple: tuple_,
    zip: zip_,
}
"""The staged version of each builtin that goes through values; it takes the backend first."""

OF_SEQUENCES: Mapping[Callable[..., Any], Callable[..., Any]] = {
    bool: lambda backend, value: truth(value),
    len: _len,
}
"""Those that a backend has for its own values, for sequences and iterators."""
