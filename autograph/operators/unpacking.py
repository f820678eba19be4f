"""Unpacking of values whose number of items only the run knows.

    a, b = l             =>  a, b = l

The assignment stays as it is.  Python calls ``__iter__``, which finds in the bytecode of its caller
how many variables there are, and raises Python's ValueError at run time for another number.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.operators.conditionals import if_stmt
from autograph.operators.iterables import gathered
from autograph.operators.list_ops import as_staged_list, item_at, length
from autograph.operators.raises import raise_stmt
from autograph.operators.staged_iterators import StagedIterator
from autograph.operators.streams import StagedStream
from autograph.staging.staged_list import StagedList
from autograph.staging.staged_sequence import StagedSequence
from autograph.staging.staged_string import StagedText
from autograph.syntax.instructions import instructions


def variables_of(frame: types.FrameType) -> int | None:
    """Return the number of variables to which a frame unpacks a value now; None if it does not."""
    found = _instructions(frame.f_code).get(frame.f_lasti)
    if found is None:
        return None
    name, count = found
    if name == "UNPACK_EX":
        raise ConcreteValueError(
            "a value whose number of items is known only at run time is unpacked to a starred name",
            where=user_line(),
            help="take its items and the rest by index: 'first, rest = l[0], l[1:]'",
        )
    return count


@lru_cache(maxsize=256)
def _instructions(code: types.CodeType) -> dict[int, tuple[str, int]]:
    """Return the instructions of a code object that unpack, by their offset."""
    return {
        one.offset: (one.opname, one.arg or 0)
        for one in instructions(code)
        if one.opname in ("UNPACK_SEQUENCE", "UNPACK_EX")
    }


def unpacked(value: Any, count: int) -> Iterator[Any]:
    """Return ``count`` items; ValueError, at run time, if there is another number of them."""
    holder = as_staged_list(value) if isinstance(value, StagedList) else gathered(value)
    if not isinstance(holder, StagedList):
        return iter(holder)
    size = length(holder)

    def other_number() -> Any:
        if_stmt(size > count, _too_many, too_few, (), ())()

    def _too_many() -> Any:
        text: Any = f"too many values to unpack (expected {count}"
        parts = (text, ", got ", (size, "r", ""), ")") if _GOT else (text + ")",)
        raise raise_stmt(ValueError(StagedText(parts) if _GOT else parts[0]))

    def too_few() -> Any:
        text = f"not enough values to unpack (expected {count}, got "
        raise raise_stmt(ValueError(StagedText((text, (size, "r", ""), ")"))))

    if_stmt(size != count, other_number, None, (), ())()
    return iter([item_at(holder, place) for place in range(count)])


def _says_how_many() -> bool:
    """Whether Python's error for too many values says how many there were."""
    try:
        (_,) = list("ab")
    except ValueError as error:
        return "got" in str(error)
    raise AssertionError("two values were unpacked to one variable")


_GOT = _says_how_many()


def _iter_list(self: Any) -> Iterator[Any]:
    count = variables_of(sys._getframe(1))
    if count is None:
        raise self._unknown("its content")
    return unpacked(self, count)


_iter_sequence = StagedSequence.__iter__


def _iter_items(self: Any) -> Iterator[Any]:
    if not isinstance(self.count, int) and (count := variables_of(sys._getframe(1))) is not None:
        return unpacked(self, count)
    return _iter_sequence(self)


def _iter_stream(self: Any) -> Iterator[Any]:
    if self.iterator is None and (count := variables_of(sys._getframe(1))) is not None:
        if isinstance(self, StagedIterator):
            known = isinstance(self.items.count, int)
        else:
            known = not self.once or self.pull is not None and self.pull() is not None
        return self if known else unpacked(self, count)
    return self


for _owner, _method in (
    (StagedList, _iter_list), (StagedSequence, _iter_items), (StagedStream, _iter_stream),
):  # fmt: skip
    setattr(_owner, "__iter__", _method)  # noqa: B010
