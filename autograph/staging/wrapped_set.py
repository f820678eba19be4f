"""Sets that are no sets of C's: base of the sets that converted code makes.

    known - seen         where known is a frozenset and seen a set of staged items

The operators of Python's sets read the items of a set, or of an object of a class derived from
``set``, in its storage: they call no method of it.  Of a set whose items only the run knows they
would read none.  To an object of another class they give way (NotImplemented), and its method
answers.  ``isinstance(value, set)`` holds, by ``__class__``.
"""

from __future__ import annotations

import dis
import operator
import sys
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import Any

_COMBINING = {
    "and": "intersection", "or": "union", "sub": "difference", "xor": "symmetric_difference",
}  # fmt: skip


class WrappedSet:
    """A set with the methods of Python's, around the set that holds its items."""

    __slots__ = ("_items",)  # as of a set: a layout that its subclasses share
    _items: set[Any]

    def __new__(cls, *args: Any) -> Any:
        wrapped = super().__new__(cls)
        wrapped._items = set()
        return wrapped

    def __init__(self, items: Iterable[Any] = (), /) -> None:
        self._items = set(items)

    @property
    def __class__(self) -> type:
        return set

    @__class__.setter
    def __class__(self, kind: type) -> None:
        set_class(self, kind)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, item: object) -> bool:
        return own_set(item) in self._items

    def __eq__(self, other: object) -> bool:
        return self._items == own_set(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._items)


set_class: Callable[[Any, type], None] = object.__dict__["__class__"].__set__
"""Change the class of an object, whatever ``__class__`` says."""


def own_set(value: Any) -> Any:
    """Return the set of Python's with a wrapped set's items; any other value as it is."""
    return value._items if issubclass(type(value), WrappedSet) else value


def _method(name: str) -> Callable[..., Any]:
    method = getattr(set, name)

    def called(self: WrappedSet, *args: Any) -> Any:
        result = method(self._items, *map(own_set, args))
        if result is self._items:
            return self
        return type(self)(result) if type(result) is set else result

    called.__name__ = called.__qualname__ = name
    return called


def _reflected(name: str) -> Callable[..., Any]:
    apply = getattr(operator, f"__{name}__")

    def combine(self: Any, left: Any) -> Any:
        if isinstance(left, set) and is_in_place(sys._getframe(1)):
            change_in_place(name, left, self)
            return left
        return apply(left, self._items) if isinstance(left, set | frozenset) else NotImplemented

    return combine


def change_in_place(name: str, holder: set[Any], items: Any) -> None:
    """Change a set of Python's as an operator such as ``-=`` does.

    Raises:
        ConcreteValueError: Only the run knows the items.
    """
    method = _COMBINING[name]
    getattr(holder, "update" if method == "union" else f"{method}_update")(items)


def is_in_place(frame: FrameType) -> bool:
    """Return whether a frame is at an operator such as ``-=``.

    Python asks the right operand's ``__rsub__`` for both ``-`` and ``-=``, but after ``-=`` other
    names of the left operand must see the change.
    """
    instructions = dis.get_instructions(frame.f_code)
    present = next(step for step in instructions if step.offset == frame.f_lasti)
    return present.opname == "BINARY_OP" and present.argrepr.endswith("=")


def _install() -> None:
    for name in dir(set):
        if name not in WrappedSet.__dict__ and (
            not name.startswith("__") or name.strip("_").lstrip("i") in _COMBINING
            or name in ("__le__", "__lt__", "__ge__", "__gt__", "__ne__")
        ):  # fmt: skip
            setattr(WrappedSet, name, _method(name))
    for name in _COMBINING:
        setattr(WrappedSet, f"__r{name}__", _reflected(name))


_install()
