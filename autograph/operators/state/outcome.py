"""Outcome of a staged path: the values of its variables, its changes of objects, its result."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from autograph.named_tuples import NamedTuple
from autograph.operators.state.heap import HeapSlot
from autograph.syntax.data_classes import dataclass


@dataclass
class Outcome:
    """End of a path: values of the variables, slots that the path changed, result of its body."""

    values: Sequence[Any]
    effects: dict[HeapSlot, Any]
    result: Any


class PathValues(NamedTuple):
    """Values, or what holds them, of a path, and its end, None before the statement.

    What they hold differs at the ends of other paths.
    """

    values: Any
    outcome: Outcome | None


class _Shown(threading.local):
    """Former contents of the slots that are shown as a path left them."""

    before: Sequence[tuple[HeapSlot, Any]] = ()
    outcome: Outcome | None = None


_shown = _Shown()


def shown_outcome() -> Outcome | None:
    """Return the end of the path that is shown; None if objects are as they are."""
    return _shown.outcome


@contextmanager
def at_the_end_of(outcome: Any) -> Iterator[None]:
    """Show objects as the path left them, to read those that it returns.

    Within such a block the end of another path replaces the one that is shown; None and NEVER show
    objects as they were before the statement.
    """
    hidden = [(slot, slot.read()) for slot, _ in _shown.before]
    for slot, value in _shown.before:
        slot.write(value)
    effects = outcome.effects if isinstance(outcome, Outcome) else {}
    outer, _shown.before = _shown.before, [(slot, slot.read()) for slot in effects]
    around, _shown.outcome = _shown.outcome, outcome if isinstance(outcome, Outcome) else None
    try:
        for slot, value in effects.items():
            slot.write(value)
        yield
    finally:
        for slot, value in _shown.before:
            slot.write(value)
        _shown.before = outer
        _shown.outcome = around
        for slot, value in hidden:
            slot.write(value)
