"""Unpacking of values whose number of items only the run knows.

    a, b = l             =>  a, b = l
    a, *b = l            =>  a, b = ag__.unpacked(l, 'a, *b')

The first assignment stays as it is.  Python calls ``__iter__``, which finds in the bytecode of its
caller how many variables there are, and raises Python's ValueError at run time for another number.
"""

from __future__ import annotations

import ast
import functools
import sys
import types
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from autograph.conversion.convert_hook import from_library
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.library import sequences
from autograph.operators.containers.list_ops import getitem, item_at, list_
from autograph.operators.control.streams import StagedStream
from autograph.operators.iteration.iterables import gather
from autograph.operators.iteration.loops import open_iterable
from autograph.operators.iteration.spreads import is_unsized
from autograph.operators.iteration.staged_iterators import StagedIterator
from autograph.staging.staged_list import StagedList, length
from autograph.staging.staged_sequence import StagedSequence
from autograph.staging.staged_tuple import as_list
from autograph.syntax.data_classes import dataclass
from autograph.syntax.instructions import instructions


def variables_of(frame: types.FrameType) -> int | None:
    """Return the number of variables to which a frame unpacks a value now; None if it does not."""
    unpacking = _instructions(frame.f_code).get(frame.f_lasti)
    if unpacking is None:
        return None
    name, count = unpacking
    if name == "UNPACK_EX":
        raise ConcreteValueError(
            "a value whose number of items is known only at run time is unpacked to a starred name "
            "in an assignment to several targets, or outside of converted code",
            where=user_line(),
            help="assign it to one target at a time, 'first, *rest = l', in converted code",
        )
    return count


@lru_cache(maxsize=256)
def _instructions(code: types.CodeType) -> dict[int, tuple[str, int]]:
    """Return the instructions of a code object that unpack, by their offset."""
    return {
        instruction.offset: (instruction.opname, instruction.arg or 0)
        for instruction in instructions(code)
        if instruction.opname in ("UNPACK_SEQUENCE", "UNPACK_EX")
    }


def _all(value: Any, count: int) -> Iterator[Any]:
    """Return ``count`` items; ValueError, at run time, if there is another number of them."""
    if isinstance(value, StagedIterator) and not value.items.calls and value.position is None:
        items = value.take_rest()  # columns of rows, for one, may differ in type
        size, at = items.count, items.at
    else:
        holder = value if isinstance(value, StagedList) else gather(value)
        if not isinstance(holder, StagedList):
            return iter(holder)
        size, at = length(holder), functools.partial(item_at, holder)

    _check_count(size, count)
    return iter([at(place) for place in range(count)])


@dataclass(frozen=True)
class _Form:
    """Form of a target: how many items go to targets before and after the starred one, if any."""

    before: int
    after: int | None
    inside: dict[int, _Form]
    """The forms of targets that have a starred one inside, by their places."""


@lru_cache(maxsize=256)
def _form(text: str) -> _Form:
    return _form_of(_targets(ast.parse(f"{text} = 0").body[0]))


def _targets(statement: Any) -> Sequence[ast.expr]:
    targets: Sequence[ast.expr] = statement.targets[0].elts
    return targets


def _form_of(targets: Sequence[ast.expr]) -> _Form:
    star = [place for place, t in enumerate(targets) if isinstance(t, ast.Starred)]
    inner = {n: _form_of(t.elts) for n, t in enumerate(targets) if isinstance(t, ast.Tuple)}
    inside = {n: form for n, form in inner.items() if form.after is not None or form.inside}
    return _Form(star[0], len(targets) - star[0] - 1, inside) if star else (
        _Form(len(targets), None, inside)
    )


def unpacked(value: Any, form: str) -> Any:
    """Return what to assign to the targets of an assignment without their stars.

    ``form`` is the text of the targets, as they were.
    """
    return _parts(value, _form(form))


def _parts(value: Any, form: _Form) -> Any:
    value = open_iterable(value)
    if form.after is not None:
        items = _with_rest(value, form.before, form.after)
    elif is_unsized(value):
        items = [*_all(value, form.before)]
    elif hasattr(type(value), "__iter__"):
        items = [*value]
    else:
        return value  # Python says what is wrong
    return [
        _Later(item, form.inside[place]) if place in form.inside else item
        for place, item in enumerate(items)
    ]


class _Later:
    """A value that Python asks for its parts once those before it are assigned."""

    def __init__(self, value: Any, form: _Form) -> None:
        self.value = value
        self.form = form

    def __iter__(self) -> Iterator[Any]:
        return iter(_parts(self.value, self.form))


def _with_rest(value: Any, before: int, after: int) -> Sequence[Any]:
    """Return the first and last items, and between them a list of all others."""
    least = before + after
    holder = gather(value) if is_unsized(value) and not isinstance(value, StagedList) else value
    if not isinstance(holder, StagedList):
        (*items,) = holder
        sequences.check_least(len(items), least)
        end = len(items) - after
        return [*items[:before], list_(items[before:end]), *items[end:]]
    size = length(holder)

    _check_least(size, least)
    first = [item_at(holder, place) for place in range(before)]
    final = [item_at(holder, size - after + place) for place in range(after)]
    return [*first, as_list(getitem(holder, slice(before, size - after))), *final]


_check_count = from_library(sequences.check_count)
_check_least = from_library(sequences.check_least)


def _iter_list(self: Any) -> Iterator[Any]:
    count = variables_of(sys._getframe(1))
    if count is None:
        raise self._unknown("its content")
    return _all(self, count)


_iter_sequence = StagedSequence.__iter__


def _iter_items(self: Any) -> Iterator[Any]:
    if not isinstance(self.count, int) and (count := variables_of(sys._getframe(1))) is not None:
        return _all(self, count)
    return _iter_sequence(self)


def _iter_stream(self: Any) -> Iterator[Any]:
    if self.iterator is None and (count := variables_of(sys._getframe(1))) is not None:
        if isinstance(self, StagedIterator):
            is_counted = isinstance(self.items.count, int)
        else:
            is_counted = not self.once or self.pull is not None and self.pull() is not None
        return self if is_counted else _all(self, count)
    return self


for _owner, _method in (
    (StagedList, _iter_list), (StagedSequence, _iter_items), (StagedStream, _iter_stream),
):  # fmt: skip
    setattr(_owner, "__iter__", _method)  # noqa: B010
