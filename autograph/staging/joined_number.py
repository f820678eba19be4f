"""Joined numbers: values that are an int on one staged path and a float on another.

A part of the staging protocol.  An operation on a joined number is staged for each of its types, so
that it gives what Python gives for that type.  ``operators.joins.number_nodes`` makes joined
numbers; backends know the class, because they return, print and convert such values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from autograph.staging.protocol import Backend
from autograph.staging.staged_union import StagedUnion

KINDS: tuple[type, ...] = (bool, int, float, complex)
"""The types of numbers, from the narrowest to the widest."""


class JoinedNumber(StagedUnion):
    """Number whose Python type is known only at run time.

    ``ag__kind`` is a staged int: the place in ``KINDS`` of the number's type.  ``ag__values`` has
    a staged value for each possible type, in the order of ``KINDS``; only the one of the type that
    the number has means anything.
    """

    __slots__ = ("ag__kind", "ag__values")

    def __init__(self, kind: Any, values: Mapping[type, Any], backend: Backend) -> None:
        self.ag__kind = kind
        self.ag__values = dict(values)
        self.ag__backend = backend

    @property
    def ag__possible_objects(self) -> tuple[Any, ...]:
        """The staged values."""
        return tuple(self.ag__values.values())

    def ag__operand(self) -> Any:
        """The number as one of the widest of its types, for a tensor of that type."""
        convert = self.ag__backend.builtins[list(self.ag__values)[-1]]
        return self.ag__apply_to_each(convert)

    def ag__index(self, message: str) -> Any:
        """The number as an int; where it is a float or complex, TypeError is raised at run time."""

        def whole(value: Any) -> Any:
            kind = self.ag__backend.python_type(value) or type(value)
            if not issubclass(kind, int):
                raise TypeError(message.format(kind=kind.__name__))
            return self.ag__backend.builtins[int](value)

        return self.ag__apply_to_each(whole)

    def ag__replaced(self, tensors: Iterable[Any]) -> JoinedNumber:
        """A joined number of other staged values: the kind, then one value for each type."""
        kind, *values = tensors
        return JoinedNumber(kind, dict(zip(self.ag__values, values, strict=True)), self.ag__backend)

    def ag__chosen(self, kind: int, values: Iterable[Any]) -> Any:
        """The value of the type with a number, of one value for each type."""
        return dict(zip(self.ag__values, values, strict=True))[KINDS[kind]]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not any(hasattr(kind, name) for kind in self.ag__values):
            raise AttributeError(f"{self!r} has no attribute {name!r}")
        if name in ("real", "imag", "numerator", "denominator"):
            return self.ag__apply_to_each(lambda value: getattr(value, name))
        return lambda *args, **kwargs: self.ag__apply_to_each(
            lambda value: getattr(value, name)(*args, **kwargs)
        )

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("ag__"):
            raise AttributeError(f"{self!r} has no attribute {name!r}")
        object.__setattr__(self, name, value)

    def __divmod__(self, other: Any) -> Any:
        return self.ag__apply_to_each(lambda value: _divmod(value, other))

    def __rdivmod__(self, other: Any) -> Any:
        return self.ag__apply_to_each(lambda value: _divmod(other, value))

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, (str, bytes, list, tuple)):
            return other * self.ag__index("can't multiply sequence by non-int of type {kind!r}")
        return self.ag__apply_to_each(lambda value: value * other)

    def __rmul__(self, other: Any) -> Any:
        if isinstance(other, (str, bytes, list, tuple)):
            return self * other
        return self.ag__apply_to_each(lambda value: other * value)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        def of(value: Any) -> Any:
            return getattr(ufunc, method)(*[value if i is self else i for i in inputs], **kwargs)

        return self.ag__apply_to_each(of)

    def __repr__(self) -> str:
        return f"<{' or '.join(kind.__name__ for kind in self.ag__values)}>"


def _divmod(left: Any, right: Any) -> tuple[Any, Any]:
    return left // right, left % right


def number_parts(number: JoinedNumber) -> list[Any]:
    """The staged values of a joined number: the kind, then one for each type."""
    return [number.ag__kind, *number.ag__values.values()]
