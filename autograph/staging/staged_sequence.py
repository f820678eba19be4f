"""Staged sequences: items that are computed from their number, such as those of a staged range.

No items are stored: a sequence knows their number and how to compute the k-th.
``operators.containers.sequences`` makes sequences of values and of other sequences.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from autograph.diagnostics.runtime_exceptions import raise_as_python
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.staging.protocol import Backend
from autograph.staging.state_spec import StagedValue


class StagedSequence(StagedValue):
    """Sequence of ``count`` items; ``at(k)`` is the k-th, ``what`` the sequence's name in messages.

    ``contains`` tests whether a value is among the items, where that takes no search. ``listed``:
    the sequence stands for a list, tuple or range, with indexes and a length. ``calls``: the
    functions of the user that compute the items, each to be called once for an item.
    """

    def __init__(
        self,
        backend: Backend,
        what: str,
        count: Any,
        at: Callable[[Any], Any],
        contains: Callable[[Any], Any] | None = None,
        listed: bool = False,
        calls: tuple[Callable[..., Any], ...] = (),
    ) -> None:
        self.backend = backend
        self.what = what
        self.count = count
        self.at = at
        self.contains = contains
        self.listed = listed
        self.calls = calls

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the items, when their number is known."""
        if not isinstance(self.count, int):
            raise self._error_for("iterated over in plain Python")
        return iter([self.at(k) for k in range(self.count)])

    def __len__(self) -> int:
        if self.listed and isinstance(self.count, int):
            return self.count
        raise self._error_for("asked for its length in plain Python")

    def __bool__(self) -> bool:
        raise self._error_for("used as a Python bool")

    def __getitem__(self, key: Any) -> Any:
        """Return an item of a list or range; IndexError, at run time, when there is none."""
        if not self.listed or isinstance(key, slice):
            raise self._error_for("sliced" if self.listed else "indexed")
        kind = self.what.removesuffix("()")
        words = "range object" if kind == "range" else kind
        number = whole_number(key, self.backend)
        return self.at(self.backend.position(number, self.count, f"{words} index out of range"))

    def __eq__(self, other: object) -> Any:
        if self is other or not self.listed:
            return self is other
        raise self._error_for("compared")

    __hash__ = object.__hash__

    def __contains__(self, item: object) -> bool:
        raise self._error_for("searched in plain Python")

    def _error_for(self, need: str) -> Exception:
        return ConcreteValueError(
            f"{self.what} of a staged value cannot be {need}: its number of items is known only "
            "when the graph runs",
            where=user_line(),
            help="loop over it with `for` in a converted function, or use "
            f"{self.backend.name}.range",
        )

    def __getattr__(self, name: str) -> Any:
        if self.listed and hasattr(list, name) and not name.startswith("__"):
            raise self._error_for(
                f"changed by {name}()" if name in _CHANGES else f"asked to {name}"
            )
        raise AttributeError(f"{self!r} has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"<{self.what} of a staged value>"


class StagedRange(StagedSequence):
    """Range of staged numbers, with the attributes of Python's ranges."""

    start: Any
    stop: Any
    step: Any


_CHANGES = ("append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort")


def whole_number(value: Any, backend: Backend) -> Any:
    """Return an index or an argument of ``range``: a Python int, or a staged one."""
    value = backend.read(value)
    if backend.is_staged(value):
        return backend.number(value)
    try:
        return operator.index(value)
    except TypeError as error:
        raise_as_python(error)
