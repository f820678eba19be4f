"""Builtins that consume an iterable (``sum``, ``max``, ``any`` ...) while a backend is tracing.

They are written with the operators of ``if`` and ``for``: over staged values they are staged, they
stop where Python's builtins stop, and they call their function arguments in the same order.
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain
from typing import Any

from autograph.conversion.convert_hook import converted, from_library
from autograph.library import reductions
from autograph.operators.containers import sequences
from autograph.operators.control.conditionals import if_stmt
from autograph.operators.control.long_loops import first_and_rest
from autograph.operators.control.path_tracing import note_taking
from autograph.operators.control.raises import raise_stmt
from autograph.operators.control.streams import Consumer, StagedStream
from autograph.operators.iteration.comparisons import order
from autograph.operators.iteration.loops import for_stmt, open_iterable
from autograph.operators.joins.join_errors import no_lists
from autograph.operators.state.closure_cells import UNDEFINED, Local, Symbols
from autograph.operators.state.sentinels import BREAK, MaybeValue
from autograph.staging.iterable_protocol import LazyIterable
from autograph.staging.registry import (
    iterating_backend,
    lazy_backend,
    python_type,
    staging_backend,
    tracing_backend,
)
from autograph.staging.staged_list import TracedList
from autograph.staging.staged_string import StagedText
from autograph.staging.staged_tuple import as_tuple
from autograph.staging.unsupported import check_supported

MISSING: Any = object()
"""Stands for an argument that was not given."""


def branch(test: Any, then: Callable[[], Any], consumer: Consumer) -> Any:
    """Call ``then()`` where a test holds, in a loop that runs for a consumer."""
    return if_stmt(test, then, None, consumer.names, consumer.owners)()


def is_staged(iterable: Any) -> bool:
    """Whether a loop over an iterable is staged from its first iteration on."""
    return isinstance(iterable, StagedStream) or iterating_backend(iterable) is not None


def known_items(iterable: Any) -> Any:
    """Return the items of a staged iterable whose number is known; else None."""
    backend = iterating_backend(iterable)
    return None if backend is None else sequences.known_items(iterable, backend)


def loop(
    iterable: Any, iteration: Callable[[Any], Any], consumer: Consumer,
    names: Symbols | None = None, element: Callable[..., Any] | None = None,
) -> None:
    """Run a loop for a consumer; ``names`` are its variables, if not those of the consumer.

    ``element`` is as for ``for_stmt``.
    """
    names = consumer.names if names is None else names
    if consumer.unroll:
        items_known = known_items(iterable)
        if items_known is not None:
            iterable = items_known
        elif isinstance(iterable, StagedStream):
            iterable.drive(Consumer(iteration, names, consumer.owners, unroll=True))
            return
    for_stmt(iterable, iteration, names, consumer.owners, element)


def _fold(
    function: Callable[[Any, Any], Any],
    iterable: Iterable[Any],
    start: Any,
    empty: Callable[[], Any],
) -> Any:
    """Fold the items with ``function``; ``empty()`` when there are none.

    It is no code of the library: whether there is a first item is known from the variable that may
    be unassigned, which Python has no word for, and a flag beside it would be carried, too.
    """
    total = Local("the result", start)

    def iteration(item: Any) -> None:
        def more() -> None:
            total.value = function(_value(before), item)

        def first() -> None:
            total.value = item

        before = total.value
        if before is UNDEFINED:  # so it has a value in every iteration, as far as is known yet
            first()
        elif isinstance(before, MaybeValue):
            if_stmt(before.ag__present, more, first, (total,), (iteration,))()
        else:
            more()

    for_stmt(iterable, iteration, (total,))
    return _present_or(total.value, empty)


def _value(value: Any) -> Any:
    return value.ag__value if isinstance(value, MaybeValue) else value


def _present_or(value: Any, otherwise: Callable[[], Any]) -> Any:
    """Return a value that a loop may have set, or else ``otherwise()``."""
    if value is UNDEFINED:
        return otherwise()
    if not isinstance(value, MaybeValue):
        return value
    result = Local("the result")

    def there() -> None:
        result.value = value.ag__value

    def missing() -> None:
        result.value = otherwise()

    if_stmt(value.ag__present, there, missing, (result,), ())()
    return result.value


def sum_(iterable: Iterable[Any], /, start: Any = 0) -> Any:
    """``sum(iterable)``: adds the items one after the other, from the left."""
    if isinstance(start, bytes | bytearray) or _is_text(start):
        builtins.sum((), "" if _is_text(start) else start)  # it raises Python's error
    iterable = open_iterable(iterable)
    if (begun := first_and_rest(iterable)) is not None:
        first, iterable = begun
        if not is_staged(iterable):
            return builtins.sum(chain((first,), iterable), start)
        start = start + first
    if not is_staged(iterable):
        return builtins.sum(iterable, start)
    return _sum(iterable, start)


_sum = from_library(reductions.sum)


def _is_text(value: Any) -> bool:
    return isinstance(value, str | StagedText) or python_type(value) is str


def reduce(function: Callable[[Any, Any], Any], iterable: Any, /, initial: Any = MISSING) -> Any:
    """``functools.reduce``; the function is converted."""
    def empty() -> Any:
        raise raise_stmt(TypeError("reduce() of empty iterable with no initial value"))

    start = UNDEFINED if initial is MISSING else initial
    try:
        iter(iterable) if not is_staged(iterable) else None
    except TypeError:
        return functools.reduce(function, iterable)  # it raises Python's error
    return _fold(converted(function), iterable, start, empty)


def _extreme(builtin: Callable[..., Any], sign: str) -> Callable[..., Any]:
    """``max`` or ``min``: of the items of one argument, or of several arguments."""

    def extreme(*args: Any, key: Callable[[Any], Any] | None = None, **options: Any) -> Any:
        if not args or options.keys() - {"default"} or (len(args) > 1 and options):
            return builtin(*args, key=key, **options)  # it raises Python's error
        measure = (lambda item: item) if key is None else converted(key)

        def better(best: Any, pair: Any) -> Any:
            chosen = Local("the result", best)

            def take() -> None:
                chosen.value = pair

            if_stmt(order(pair[0], sign, best[0]), take, None, (chosen,), (take,))()
            return chosen.value

        def empty() -> Any:
            if "default" in options:
                return options["default"], options["default"]
            raise raise_stmt(_error_of(builtin))

        items = args if len(args) > 1 else args[0]
        start: Any = UNDEFINED
        if (begun := first_and_rest(items)) is not None:
            first, items = begun
            start = measure(first), first
        pairs = transform("max()", items, lambda item: (measure(item), item))
        return _fold(better, pairs, start, empty)[1]

    return functools.wraps(builtin, assigned=("__name__", "__doc__"), updated=())(extreme)


def _error_of(builtin: Callable[..., Any]) -> ValueError:
    """Return what Python raises for an empty iterable; the text differs between versions."""
    try:
        builtin(())
    except ValueError as error:
        return error.with_traceback(None)
    raise AssertionError(f"{builtin.__name__}(()) gave a value")


def next_(iterator: Any, default: Any = MISSING, /) -> Any:
    """``next`` of a stream: returns its first item."""
    if lazy_backend((iterator,)) is not None:
        return NotImplemented
    if not isinstance(iterator, StagedStream):
        check_supported(builtins.next, iterator)
        note_taking(iterator)
        return builtins.next(iterator) if default is MISSING else builtins.next(iterator, default)
    def empty() -> Any:
        if default is MISSING:
            raise raise_stmt(StopIteration())
        return default

    if iterator.resumable:
        return builtins.next(iterator) if default is MISSING else builtins.next(iterator, default)
    if iterator.take is not None:
        return _present_or(iterator.take(), empty)
    first = Local("the item")

    def iteration(item: Any) -> Any:
        first.value = item
        return BREAK

    for_stmt(iterator, iteration, (first,))
    return _present_or(first.value, empty)


def transform(name: str, iterable: Any, function: Callable[[Any], Any]) -> Any:
    """Apply ``function`` to each item; a stream where the iterable is one, or is staged."""
    if not is_staged(iterable):
        return builtins.map(function, iterable)

    def run(consumer: Consumer) -> None:
        inner = replace(consumer, owners=(*consumer.owners, (function,)))
        loop(iterable, lambda item: consumer.body(function(item)), inner)

    return StagedStream(name, run)


def filter_(function: Any, iterable: Any, /) -> Any:
    """``filter``: a stream, which is also an iterator as long as nothing is staged."""
    predicate = converted(function) if function is not None and function is not bool else None
    staged = is_staged(iterable)
    source = iterable if staged else iter(iterable)

    def run(consumer: Consumer) -> None:
        inner = replace(consumer, owners=(*consumer.owners, (predicate,)))

        def iteration(item: Any) -> Any:
            test = item if predicate is None else predicate(item)
            if staging_backend(test) is not None:
                stream.once = stream.used = True  # how far it is read is decided at run time
            return branch(test, lambda: consumer.body(item), inner)

        loop(source, iteration, inner)

    pull = None if staged else lambda: builtins.filter(predicate, source)
    stream = StagedStream("filter()", run, pull, once=staged)
    return stream


def map_(function: Any, /, *iterables: Any) -> Any:
    """``map`` of a stream, and of what Python goes through; the function is converted."""
    if len(iterables) == 1 and is_unlisted(iterables[0]):
        return transform("map()", iterables[0], converted(function))
    if any(is_staged(value) or isinstance(value, LazyIterable) for value in iterables):
        return NotImplemented
    return builtins.map(converted(function), *iterables)


def enumerate_(iterable: Any, start: Any = 0) -> Any:
    """``enumerate`` of a stream."""
    if not is_unlisted(iterable):
        return NotImplemented

    def run(consumer: Consumer) -> None:
        number = Local("the number of the item", start)

        def iteration(item: Any) -> Any:
            pair = (number.value, item)
            number.value = number.value + 1
            return consumer.body(pair)

        loop(iterable, iteration, consumer, (*consumer.names, number))

    return StagedStream("enumerate()", run)


def list_(iterable: Any = (), /) -> Any:
    """``list`` of a stream."""
    if not is_unlisted(iterable):
        return NotImplemented
    return collect(iterable) if iterable.pull is not None else gather(iterable)


def gather(iterable: Any) -> list[Any]:
    """Return the items of a staged iterable in a list that the backend holds."""
    backend = tracing_backend()
    if backend is None or backend.list_spec(()) is None:
        if backend is not None and not isinstance(iterable, StagedStream):
            raise no_lists(backend)
        return collect(iterable)
    items = TracedList()
    for_stmt(iterable, lambda item: items.append(item), (), (items,))
    return items


def is_unlisted(value: Any) -> bool:
    """Whether a value is a stream of which its backend cannot make a list."""
    return isinstance(value, StagedStream) and staging_backend(value) is None


def collect(stream: StagedStream) -> Any:
    """Return the items of a stream as a list."""
    items = TracedList()
    stream.drive(Consumer(items.append, (), ((items,),), unroll=True))
    return items


LOOPS: dict[Callable[..., Any], Callable[..., Any]] = {
    all: from_library(reductions.all),
    any: from_library(reductions.any),
    enumerate: enumerate_,
    filter: filter_,
    functools.reduce: reduce,
    list: list_,
    map: map_,
    max: _extreme(max, ">"),
    min: _extreme(min, "<"),
    next: next_,
    sum: sum_,
    tuple: lambda iterable=(), /: (
        as_tuple(list_(iterable)) if is_unlisted(iterable) else NotImplemented
    ),
}
"""What stands for a builtin while a backend records; NotImplemented: the builtin, or the
backend's version of it, does it."""
