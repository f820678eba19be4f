"""Staged sequences: the items along a leading axis, of a staged list, and of ``range``.

    range(n)             =>  ag__.call(range)(n)       # items are start + k * step

This module uses only a few primitives of a backend, such as ``items``, ``number`` and ``check``.
"""

from __future__ import annotations

from functools import partialmethod
from typing import Any

from autograph.conversion.convert_hook import converted
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.operators.containers.list_ops import as_staged_list, changed_list, item_at
from autograph.operators.containers.map_views import view
from autograph.operators.control.streams import StagedStream
from autograph.staging.protocol import Backend
from autograph.staging.staged_list import StagedList, contents_of
from autograph.staging.staged_list import length as length_of_list
from autograph.staging.staged_map import MapContents, StagedMap, contents_held
from autograph.staging.staged_sequence import StagedRange, StagedSequence, whole_number
from autograph.staging.staged_union import StagedReference
from autograph.staging.state_spec import StagedValue


def sequence_of(value: Any, backend: Backend) -> StagedSequence:
    """Return the items of a value along its leading axis; a sequence itself.

    Raises ConcreteValueError for a value whose items have no common type.
    """
    if isinstance(value, StagedSequence):
        return value
    if isinstance(value, StagedList):
        return _of_list(value)
    if isinstance(value, StagedMap):
        return view(value)
    if isinstance(value, StagedReference):
        return _of_reference(value)
    if type(value) is range:
        start, step = value.start, value.step
        return StagedSequence(backend, "range()", len(value), lambda k: start + k * step)
    count_and_item = backend.items(backend.read(value))
    kind = backend.python_type(value) if count_and_item is None else None
    if kind is not None:
        raise TypeError(f"'{kind.__name__}' object is not iterable")
    if count_and_item is None:
        raise ConcreteValueError(
            f"a staged loop cannot iterate over a {type(value).__name__} whose items have no "
            "common type, together with staged values of unknown number",
            where=user_line(),
            help=f"make it a tensor with {backend.name}.constant or {backend.name}.stack",
        )
    description = "list" if isinstance(value, (list, tuple)) else "iteration"
    return StagedSequence(backend, description, *count_and_item)


def _of_list(holder: StagedList) -> StagedSequence:
    """Return the items of a staged list, which must not change while a loop goes through them."""
    before = contents_of(holder)

    def at(k: Any) -> Any:
        if not contents_of(holder).same(before):
            raise changed_list()
        return item_at(holder, k)

    return StagedSequence(holder.backend, "list", length_of_list(holder), at)


def _of_reference(
    reference: StagedReference, what: str = "list", view: str = ""
) -> StagedSequence:
    """Return the items of one of several lists, dicts or sets, none of which must change then."""
    copied = reference.ag__apply_to_each(
        lambda container: converted(list)(getattr(container, view)() if view else container)
    )
    items = as_staged_list(copied, backend=reference.ag__backend)
    before = [_contents_of(container) for container in reference.ag__alternatives]

    def at(k: Any) -> Any:
        pairs = zip(reference.ag__alternatives, before, strict=True)
        if not all(_contents_of(container).same(contents) for container, contents in pairs):
            raise changed_list()
        return item_at(items, k)

    return StagedSequence(reference.ag__backend, what, length_of_list(items), at)


def _contents_of(container: Any) -> Any:
    """What must stay the same while a loop goes through a list, dict or set."""
    contents = contents_held(container)
    return contents.keys if isinstance(contents, MapContents) else contents


_UNCOUNTED = (StagedList, StagedMap, StagedReference)


def known_count(iterable: Any, backend: Backend) -> int | None:
    """Return the number of items of an iterable over which a loop is staged, where it is known."""
    if isinstance(iterable, StagedValue):
        items: Any = iterable.items if isinstance(iterable, StagedStream) else iterable
        count = items.count
    elif isinstance(iterable, _UNCOUNTED) or not backend.owns(iterable):
        return None
    else:
        count, _ = backend.items(backend.read(iterable)) or (None, None)
    return count if isinstance(count, int) else None


def known_items(iterable: Any, backend: Backend) -> list[Any] | None:
    """Return the items of an iterable over which a loop is staged, where their number is known."""
    return None if known_count(iterable, backend) is None else list(iterable)


def range_(backend: Backend, *args: Any) -> StagedRange:
    """``range`` of staged arguments: ``start + k * step``, as Python ints.

    Raises ValueError, at run time, for a step of 0.
    """
    if not 1 <= len(args) <= 3:
        raise TypeError(f"range expected 1 to 3 arguments, got {len(args)}")
    bounds = [whole_number(arg, backend) for arg in args]
    start, stop = (0, bounds[0]) if len(bounds) == 1 else bounds[:2]
    step = bounds[2] if len(bounds) == 3 else 1
    if not isinstance(step, int):
        backend.check(step != 0, _zero_step)
    elif step == 0:
        raise _zero_step()
    by_one = isinstance(step, int) and step == 1
    from_zero = isinstance(start, int) and start == 0

    def at(k: Any) -> Any:
        offset = k if by_one else k * step
        return offset if from_zero else start + offset

    def contains(item: Any) -> Any:
        return in_range(backend, start, stop, step, item)

    count = _count(backend, start, stop, step)
    numbers = StagedRange(backend, "range()", count, at, contains, listed=True)
    numbers.start, numbers.stop, numbers.step = start, bounds[min(len(bounds), 2) - 1], step
    return numbers


def _zero_step() -> ValueError:
    return ValueError("range() arg 3 must not be zero")


def _count(backend: Backend, start: Any, stop: Any, step: Any) -> Any:
    """Return how many numbers a range has."""
    if all(isinstance(number, int) for number in (start, stop, step)):
        return len(range(start, stop, step))
    if isinstance(step, int) and step == 1:
        distance = stop if isinstance(start, int) and start == 0 else stop - start
    else:
        distance = -((start - stop) // step)
    return backend.maximum(distance, 0)


def in_range(backend: Backend, start: Any, stop: Any, step: Any, item: Any) -> Any:
    """``item in range(start, stop, step)``, for a scalar number; else NotImplemented."""
    item = backend.read(item)
    if backend.is_staged(item):
        try:
            item = backend.number(item, integer=False)
        except TypeError:
            return NotImplemented
    elif type(item) not in (bool, int, float):
        return NotImplemented
    all_ = backend.logical_and
    if not isinstance(step, int):
        rises, falls = (_within(backend, start, stop, sign, item) for sign in (1, -1))
        neither = all_(
            backend.logical_not(all_(step > 0, rises)), backend.logical_not(all_(step < 0, falls))
        )
        inside = backend.logical_not(neither)
    else:
        inside = _within(backend, start, stop, step, item)
    is_whole = type(item) in (bool, int) or backend.python_type(item) is int
    if isinstance(step, int) and abs(step) == 1 and is_whole:
        return inside
    return all_(inside, (item - start) % step == 0)


def _within(backend: Backend, start: Any, stop: Any, step: int, item: Any) -> Any:
    """Whether a number lies between the ends of a range that rises or falls."""
    if step > 0:
        return backend.logical_and(start <= item, item < stop)
    return backend.logical_and(stop < item, item <= start)


for _view in ("keys", "values", "items"):
    setattr(StagedReference, _view, partialmethod(_of_reference, f"dict_{_view}", _view))
