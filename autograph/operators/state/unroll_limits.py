"""Limits on unrolling: loops over Python iterators that a staged condition ends.

Their iterations are traced one by one.  Long ranges are staged instead, and an iterator without a
known end is an error instead of an endless trace.
"""

from __future__ import annotations

import itertools
import operator
import re
import threading
from collections.abc import Iterator
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError

MAX_UNROLLED = 500
"""Turns that are written out, unless there are known to be more."""
_LARGEST = 2**63 - 1
RANGES = type(iter(range(0))), type(iter(range(2**100)))
"""The iterators of ranges: those of large numbers have a class of their own."""
_COUNT = re.compile(r"count\((-?\d+)(?:, (-?\d+))?\)")


class _Raises(threading.local):
    count = 0


staged_raises = _Raises()
"""How many exceptions paths of this thread have raised: each may have ended an iteration."""


def many_numbers(items: Iterator[Any]) -> range | None:
    """Return what a range or ``itertools.count`` has left, where it is too long to unroll."""
    numbers = numbers_left(items)
    return numbers if numbers is not None and len(numbers) > MAX_UNROLLED else None


def numbers_left(items: Iterator[Any]) -> range | None:
    """Return what a range or ``itertools.count`` has left; None for any other iterator."""
    if isinstance(items, RANGES):
        reduced: Any = items.__reduce__()
        numbers: range = reduced[1][0]
        numbers = numbers[reduced[2] or 0 :] if len(reduced) > 2 else numbers
    else:
        counted = _COUNT.fullmatch(repr(items)) if type(items) is itertools.count else None
        if counted is None:
            return None
        start, step = int(counted[1]), int(counted[2] or 1)
        numbers = range(start, _LARGEST if step > 0 else -_LARGEST, step or 1)
        if not step:
            return None
    stop = max(-_LARGEST, min(_LARGEST, numbers.stop))
    return range(numbers.start, stop, numbers.step)


def check_unrolling(iterations: int, items: Any, most: int = MAX_UNROLLED) -> None:
    """Raise EffectError when a loop was unrolled for long and may never end."""
    if iterations >= most and not _ends(items):
        name = getattr(items, "__name__", None) or type(items).__name__
        raise EffectError(
            f"a staged value ends the loop over '{name}', which is unrolled and had not ended "
            f"after {most:,} iterations",
            where=user_line(),
            help="loop over a range or a tensor, or write 'while' with a counter",
        )


def _ends(items: Any) -> bool:
    """Whether an iterator is known to come to an end."""
    if type(items) in (enumerate, map, filter):
        return _ends(items.__reduce__()[1][type(items) is not enumerate])
    if type(items) is zip:
        return any(map(_ends, items.__reduce__()[1]))
    return operator.length_hint(items, -1) >= 0
