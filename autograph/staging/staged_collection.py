"""Base of the staged lists, dicts and sets: what they refuse while a graph is being built."""

from __future__ import annotations

from typing import Any, NoReturn


class Seen(type):
    """Metaclass of lists that equal the class that the user's program would have, their ``_kind``.

    They have its name, too, which Python's own errors give, and its text.
    """

    _kind: type
    _is_staged = False

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> None:
        super().__init__(name, bases, namespace)
        cls.__name__ = cls._kind.__name__

    def __eq__(cls, other: object) -> bool:
        return cls is other or cls._kind is other

    def __repr__(cls) -> str:
        return repr(cls._kind)

    def __hash__(cls) -> int:
        # a registry of classes must tell a staged list from a list
        return type.__hash__(cls) if cls._is_staged else hash(cls._kind)


def kind_of(value: Any) -> type:
    """Return ``type(value)`` as the user's program would see it."""
    kind = type(value)
    return kind._kind if type(kind) is Seen else kind


def a_kind(value: Any) -> str:
    """Return what the class of a value is called, with an article, as in "an ndarray"."""
    name = kind_of(value).__name__.lstrip("_")
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


_PLAIN = frozenset((type(None), bool, int, float, complex, str, bytes, tuple, list, dict))
"""Classes whose values equal collections of their own class alone."""


class StagedCollection:
    """Base of collections of staged items: a use that needs them now raises an error."""

    __slots__ = ()

    def __iter__(self) -> Any:
        raise self._unknown("its content")

    def __len__(self) -> int:
        raise self._unknown("its length")

    def __array__(self, *args: Any, **kwargs: Any) -> NoReturn:
        # without it NumPy takes a list that has no length for one object, of shape ()
        raise self._unknown("its content")

    def __bool__(self) -> bool:
        raise self._unknown("its truth value")

    def __contains__(self, item: object) -> bool:
        raise self._unknown("membership")

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if kind_of(other) in _PLAIN and not issubclass(kind_of(self), kind_of(other)):
            return NotImplemented
        raise self._unknown("equality")

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise self._unknown("what to copy or pickle")

    def _raise_unknown(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise self._unknown("the result of this operation")

    def _unknown(self, need: str) -> Exception:
        """Return the error for a use that needs ``need``, which is known only at run time."""
        raise NotImplementedError
