"""Functions of ``itertools`` on staged values return streams; what they call is converted.

Where an argument is staged, most are the generator functions of ``autograph.library``, converted.
Otherwise they run as in Python.
"""

from __future__ import annotations

import functools
import itertools
import types
from collections.abc import Callable
from typing import Any

from autograph.conversion.convert_hook import converted, converted_for_star
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.library import itertools as library
from autograph.operators.containers.sequences import known_count
from autograph.operators.control.conditionals import if_stmt
from autograph.operators.control.raises import raise_stmt
from autograph.operators.control.streams import StagedStream
from autograph.operators.iteration.comparisons import staged_inside
from autograph.operators.iteration.comprehensions import generator, nested
from autograph.operators.iteration.endless_generators import stream_of
from autograph.operators.iteration.generators import reaches_staged
from autograph.operators.iteration.iterables import is_staged, transform
from autograph.operators.iteration.loops import open_iterable
from autograph.operators.iteration.spreads import spread
from autograph.staging.registry import (
    iterating_backend,
    python_type,
    staging_backend,
    tracing_backend,
)

Callback = Callable[..., Any]


def _with_stand_in(plain: Callback, staged: Callback, decides: bool = False) -> Callback:
    """Return a function that calls ``staged`` where a backend records and an argument is staged.

    With ``decides``, staged items of a known number count, too: they decide how many are left.
    """
    with_callbacks = _converting(plain)

    def call(*args: Any, **kwargs: Any) -> Any:
        arguments = (*args, *kwargs.values())
        if tracing_backend() is None:
            return with_callbacks(*args, **kwargs)
        # Python's own versions make no operations to go on, and can be asked for the next item
        if not any(map(_is_unsized, arguments)) and not any(map(reaches_staged, arguments)):
            if not decides or staged_inside(arguments) is None:
                return with_callbacks(*args, **kwargs)
        return staged(*args, **kwargs)

    call.__name__ = plain.__name__
    call.__doc__ = plain.__doc__
    return call


def _is_unsized(value: Any) -> bool:
    backend = iterating_backend(value)
    if backend is None:
        return isinstance(value, StagedStream)
    return known_count(value, backend) is None


def _of_library(function: Callback, resumable: bool = True) -> Callback:
    """Return what calls the conversion of a function of ``autograph.library``."""

    def call(*args: Any, **kwargs: Any) -> Any:
        iterator = converted(function)(*args, **kwargs)
        if not resumable and isinstance(iterator, StagedStream):
            iterator.resumable = False
        return iterator

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
    return generator(iterables, lambda items: nested(open_iterable(items), lambda item: item))


def starmap(function: Callable[..., Any], iterable: Any, /) -> Any:
    """``itertools.starmap``."""
    call = converted_for_star(function)
    return transform("starmap()", iterable, lambda args: call(*spread(args)))


def from_iterable(iterable: Any, /) -> Any:
    """``itertools.chain.from_iterable``: a stream where the items are staged lists."""
    if tracing_backend() is None:
        return itertools.chain.from_iterable(iterable)
    if not is_staged(iterable):
        iterable = list(iterable)
        if not any(map(_is_unsized, iterable)):
            return itertools.chain.from_iterable(iterable)
        return chain(*iterable)
    return converted(library.from_iterable)(iterable)


def islice(iterable: Any, *bounds: Any) -> Any:
    """``itertools.islice``; ValueError, at run time, for a bound that is negative."""
    if tracing_backend() is None or not (
        _is_unsized(iterable) or any(map(staging_backend, bounds))
    ):
        return itertools.islice(iterable, *bounds)
    numbers = bounds if len(bounds) > 1 else (0, *bounds)
    start, stop, step = (*numbers, *(None,) * 3)[:3]
    start, step = 0 if start is None else start, 1 if step is None else step
    if not 1 <= len(bounds) <= 3 or not all(map(_is_bound, (start, stop, step))):
        return itertools.islice(iterable, *bounds)  # it raises Python's error
    limits = (start, 0, "Indices"), (stop, 0, "Stop argument"), (step, 1, "Step")
    for bound, least, name in limits:
        if bound is not None:
            _check_bound(bound, least, name)
    return converted(library.islice)(stream_of(open_iterable(iterable)), start, stop, step)


def _is_bound(value: Any) -> bool:
    return value is None or type(value) in (int, bool) or _is_whole(value)


def _is_whole(value: Any) -> bool:
    """Whether a value is a staged integer."""
    backend = staging_backend(value)
    if backend is None:
        return False
    try:
        backend.number(backend.read(value))
    except TypeError:
        return False
    return True


def _check_bound(bound: Any, least: int, name: str) -> None:
    def refuse() -> Any:
        if name == "Step":
            raise raise_stmt(ValueError("Step for islice() must be a positive integer or None."))
        words = "for islice() must be None or an integer: 0 <= x <= sys.maxsize."
        raise raise_stmt(ValueError(f"{name} {words}"))

    if_stmt(bound < least, refuse, None, (), ())()


def count(start: Any = 0, step: Any = 1) -> Any:
    """``itertools.count`` from a staged number, or by one."""
    if tracing_backend() is None or not any(map(staging_backend, (start, step))):
        return itertools.count(start, step)
    return converted(library.count)(start, step)


def repeat(value: Any, *times: Any, **named: Any) -> Any:
    """``itertools.repeat``, also a staged number of times."""
    number = (*times, *named.values())
    if tracing_backend() is None or len(number) != 1 or not _is_whole(number[0]):
        return itertools.repeat(value, *times, **named)
    return converted(library.repeat)(value, *times, **named)


def _of_size(plain: Callback, staged: Callback) -> Callback:
    """Return ``combinations`` or the like, whose number of items has to be known."""

    def call(iterable: Any, r: Any = None) -> Any:
        backend = tracing_backend()
        if backend is None or (not _is_unsized(iterable) and not staging_backend(r)):
            return plain(iterable, r)
        if staging_backend(r) or (r is None and plain is itertools.permutations):
            raise ConcreteValueError(
                f"{plain.__name__}() gives tuples of as many items as a staged value says, which "
                "is known only at run time",
                where=user_line(),
                help="give the number of items, r, as a constant"
                + (" of the program" if python_type(r) is int else ""),
            )
        if type(r) is not int or r < 0:
            return plain((), r)  # it raises Python's error
        return staged(iterable, r)

    call.__name__ = plain.__name__
    call.__doc__ = plain.__doc__
    return call


STAND_INS: dict[Any, Callback] = {
    itertools.chain: _with_stand_in(itertools.chain, chain),
    itertools.starmap: _with_stand_in(itertools.starmap, starmap),
    itertools.chain.from_iterable: from_iterable,
    itertools.count: count,
    itertools.repeat: repeat,
    itertools.islice: islice,
    functools.cmp_to_key: _converting(functools.cmp_to_key),
}
STAND_INS.update(
    (plain, _with_stand_in(plain, _of_library(getattr(library, plain.__name__)), decides))
    for plain, decides in (
        (itertools.accumulate, False), (itertools.pairwise, False), (itertools.compress, True),
        (itertools.groupby, True), (itertools.cycle, False), (itertools.product, False),
        (itertools.zip_longest, False),
    )
)  # fmt: skip
STAND_INS.update(
    # their tests are staged: Python cannot go on to the next item
    (plain, _with_stand_in(plain, _of_library(getattr(library, plain.__name__), False), True))
    for plain in (itertools.dropwhile, itertools.filterfalse, itertools.takewhile)
)
STAND_INS.update(
    (plain, _of_size(plain, _of_library(getattr(library, plain.__name__))))
    for plain in (
        itertools.combinations, itertools.combinations_with_replacement, itertools.permutations,
    )
)  # fmt: skip
