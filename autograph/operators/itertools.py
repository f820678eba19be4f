"""Functions of ``itertools`` on staged values return streams; what they call is converted.

Functions that are not listed here run as in Python.
"""

from __future__ import annotations

import functools
import itertools
import types
from collections.abc import Callable
from typing import Any

from autograph.operators.comprehensions import generator, nested
from autograph.operators.conditionals import if_stmt
from autograph.operators.convert_hook import converted
from autograph.operators.iterables import is_staged, loop, transformed
from autograph.operators.loops import opened
from autograph.operators.state.closure_cells import Local
from autograph.operators.state.sentinels import BREAK
from autograph.operators.streams import Consumer, StagedStream
from autograph.staging.registry import tracing_backend


def _where_staged(plain: Callable[..., Any], staged: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``staged`` where a backend records and an argument is staged; else ``plain``."""
    with_callbacks = _converting(plain)

    def call(*args: Any, **kwargs: Any) -> Any:
        if tracing_backend() is None or not any(map(is_staged, args)):
            return with_callbacks(*args, **kwargs)
        return staged(*args, **kwargs)

    call.__name__ = plain.__name__
    call.__doc__ = plain.__doc__
    return call


def _converting(plain: Callable[..., Any]) -> Callable[..., Any]:
    """Convert the functions that a function in C calls, where a backend records."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if tracing_backend() is not None:
            args = tuple([converted(arg) if _is_function(arg) else arg for arg in args])
            kwargs = {k: converted(v) if _is_function(v) else v for k, v in kwargs.items()}
        return plain(*args, **kwargs)

    call.__name__ = plain.__name__
    call.__doc__ = plain.__doc__
    return call


def _is_function(value: Any) -> bool:
    return isinstance(value, types.FunctionType | types.MethodType | functools.partial)


def chain(*iterables: Any) -> Any:
    """``itertools.chain``."""
    return generator(iterables, lambda items: nested(opened(items), lambda item: item))


def starmap(function: Callable[..., Any], iterable: Any, /) -> Any:
    """``itertools.starmap``."""
    spread = converted(function)
    return transformed("starmap()", iterable, lambda args: spread(*args))


def takewhile(predicate: Callable[[Any], Any], iterable: Any, /) -> Any:
    """``itertools.takewhile``."""
    test = converted(predicate)

    def run(consumer: Consumer) -> None:
        def iteration(item: Any) -> Any:
            def take() -> Any:
                return consumer.body(item)

            return if_stmt(test(item), take, _ends, consumer.names, consumer.owners)()

        loop(iterable, iteration, consumer)

    return StagedStream("takewhile()", run)


def islice(iterable: Any, stop: Any, /, *others: Any) -> Any:
    """``itertools.islice`` up to a number of items; other forms are left to Python."""

    if others or not isinstance(stop, int):
        return itertools.islice(iterable, stop, *others)

    def run(consumer: Consumer) -> None:
        taken = Local("the number of items", 0)
        names = (*consumer.names, taken)

        def iteration(item: Any) -> Any:
            ends = consumer.body(item)
            taken.value = taken.value + 1
            full = taken.value >= stop
            return if_stmt(full, _ends, lambda: ends, names, consumer.owners)()

        if stop > 0:
            loop(iterable, iteration, consumer, names)

    return StagedStream("islice()", run)


def _ends() -> Any:
    return BREAK


STAND_INS: dict[Any, Callable[..., Any]] = {
    plain: _where_staged(plain, staged)
    for plain, staged in (
        (itertools.chain, chain),
        (itertools.starmap, starmap),
        (itertools.takewhile, takewhile),
        (itertools.islice, islice),
    )
}
STAND_INS.update(
    (plain, _converting(plain))
    for plain in (
        itertools.accumulate, itertools.dropwhile, itertools.filterfalse, itertools.groupby,
        functools.cmp_to_key,
    )
)  # fmt: skip
