"""Values with staged parts, taken apart for run time: for ``print``, exceptions and results.

``Concrete`` lists the library's values in a value; given what they are at run time, it makes what
plain Python would have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph import staging
from autograph.backends.library_results import OWN
from autograph.backends.scalars import StagedScalar
from autograph.errors import ConcreteValueError
from autograph.staging import (
    JoinedNumber,
    StagedList,
    StagedMap,
    StagedOptional,
    StagedText,
    StagedUnion,
    as_staged_list,
    kind_of,
    number_parts,
    settled_map,
    user_line,
)
from autograph.staging.staged_union import StagedAlternatives

Make = Callable[[Sequence[Any]], Any]


class Concrete:
    """Template of a value: ``leaves`` are the library's values in it, ``make`` puts theirs in.

    The backend's ``opened`` gives the values in a list that it holds, and what makes the entries of
    what they are at run time; its ``shown`` gives Python's value for a leaf that stands for a
    number of some type, or None.
    """

    def __init__(self, backend: Any, value: Any) -> None:
        self.backend = backend
        self.leaves: list[Any] = []
        self.make: Make = self._of(value)

    def _is_staged(self, value: Any) -> bool:
        return isinstance(value, OWN) or self.backend.is_staged(value)

    def _of(self, value: Any) -> Make:
        if staging.is_stand_in(value):
            return lambda arrays: staging.actual(value)
        if self._is_staged(value):
            return self._staged(value)
        apart = staging.dismantle(
            value, lambda v: self._is_staged(v) or staging.is_stand_in(v)
        )
        if apart is None:
            return lambda arrays: value
        places = [self._of(leaf) for leaf in apart.leaves]
        rebuild = apart.rebuild
        return lambda arrays: rebuild([place(arrays) for place in places])

    def _leaf(self, value: Any, kind: type | None) -> Make:
        number = len(self.leaves)
        self.leaves.append(value)
        return lambda arrays: self.backend.shown(arrays[number], kind)

    def _staged(self, value: Any) -> Make:
        if isinstance(value, StagedScalar):
            return self._leaf(value.value, value.kind)
        if isinstance(value, StagedText):
            fields = [self._of(field) for field in value.values()]
            return lambda arrays: value.format_with([field(arrays) for field in fields])
        if isinstance(value, StagedOptional):
            present, inner = self._of(value.ag__present), self._of(value.ag__value)
            return lambda arrays: inner(arrays) if present(arrays) else None
        if isinstance(value, JoinedNumber):
            kind, *values = [self._of(part) for part in number_parts(value)]
            return lambda arrays: value.ag__chosen(kind(arrays), [v(arrays) for v in values])
        if isinstance(value, StagedAlternatives):
            index = self._of(value.ag__index)
            sides = [self._of(side) for side in value.ag__alternatives]
            return lambda arrays: sides[int(index(arrays))](arrays)
        if isinstance(value, StagedList):
            items = self._entries(as_staged_list(value).prefix)
            kind = kind_of(value)
            return lambda arrays: kind(items(arrays))
        if isinstance(value, StagedMap):
            return self._map(value)
        if isinstance(value, StagedUnion):
            raise ConcreteValueError(
                f"the text of {value!r} is not staged for {self.backend.name}",
                where=user_line(),
                help="print its parts, or return it and print it outside",
            )
        return self._leaf(self.backend.read(value), self.backend.python_type(value))

    def _entries(self, prefix: Any) -> Callable[[Sequence[Any]], list[Any]]:
        leaves, entries = self.backend.opened(prefix.handle, prefix.spec)
        first = len(self.leaves)
        self.leaves += leaves
        last = len(self.leaves)

        def items(arrays: Sequence[Any]) -> list[Any]:
            lifted = [prefix.lift(entry) for entry in entries(arrays[first:last])]
            return [concrete(self.backend, item) for item in lifted]

        return items

    def _map(self, value: StagedMap) -> Make:
        keys, *held = [self._entries(prefix) for prefix in settled_map(value)]
        kind: Any = kind_of(value)

        def make(arrays: Sequence[Any]) -> Any:
            if not held:
                return kind(keys(arrays))
            made = kind(getattr(value, "default_factory", None)) if hasattr(
                kind, "default_factory"
            ) else kind()
            dict.update(made, zip(keys(arrays), held[0](arrays), strict=True))
            return made

        return make


def concrete(backend: Any, value: Any) -> Any:
    """Return what a value is whose leaves are known already."""
    template = Concrete(backend, value)
    return template.make(template.leaves)
