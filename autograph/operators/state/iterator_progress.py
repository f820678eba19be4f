"""Positions of Python iterators: lets ``heap`` detect that a staged path advanced one.

An iterator cannot be reset.  One that advances on a staged path would do so once, during tracing;
this is an error.
"""

from __future__ import annotations

import itertools
import operator
import types
from typing import Any

_PYTHONS: tuple[Any, ...] = (
    [], (), range(0), range(1 << 100), "", "\xff", b"", bytearray(), {}, {}.values(), {}.items(),
    set(), reversed([]), reversed({}), reversed({}.values()), reversed({}.items()),
)  # fmt: skip
_COUNTED: tuple[type[Any], ...] = tuple(type(iter(sample)) for sample in _PYTHONS)
_WRAPPERS: tuple[type[Any], ...] = (enumerate, zip, map, filter)

ITERATORS: tuple[type[Any], ...] = (*_COUNTED, *_WRAPPERS, itertools.count, types.GeneratorType)
"""The kinds whose progress is seen."""

_PASSED_ON = (types.GeneratorType, *_COUNTED, itertools.count, enumerate)

OPAQUE = tuple(
    kind for kind in vars(itertools).values()
    if isinstance(kind, type) and kind not in ITERATORS
)  # fmt: skip
"""Kinds whose progress nothing tells."""


def progress(iterator: Any) -> Any:
    """Return a hashable value that changes when an item is taken; of wrappers, their own count."""
    if isinstance(iterator, types.GeneratorType):
        frame = iterator.gi_frame
        if frame is None or iterator.gi_running:
            return None
        names = tuple((name, id(value)) for name, value in frame.f_locals.items())
        source = iterator.gi_yieldfrom  # which another generator only passes on
        return frame.f_lasti, names, type(source) in _PASSED_ON and progress(source)
    if isinstance(iterator, itertools.count):
        return repr(iterator)
    if isinstance(iterator, enumerate):
        return iterator.__reduce__()[1][1]
    return None if isinstance(iterator, _WRAPPERS) else operator.length_hint(iterator)


def wrapped_iterators(iterator: Any) -> tuple[Any, ...]:
    """Return the iterators that an iterator takes its items from."""
    if not isinstance(iterator, _WRAPPERS):
        return ()
    return tuple(inner for inner in iterator.__reduce__()[1] if isinstance(inner, ITERATORS))
