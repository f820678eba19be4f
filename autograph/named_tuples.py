"""NamedTuple, as ``typing`` has it, made in a tenth of the time.

Modules that the first import and the first call need define 150 of them.  ``typing.NamedTuple``
compiles the annotation of each field, which nobody asks for here, and ``__new__`` from text, which
waits here for the first instance.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    _getter = vars(collections)["_tuplegetter"]  # in C, where Python has it

    class _NamedTupleMeta(type):
        """Metaclass that turns the body of a class into a named tuple."""

        def __new__(
            cls, name: str, bases: tuple[type, ...], body: dict[str, Any]
        ) -> type[tuple[Any, ...]]:
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body.pop(field) for field in fields if field in body}
            getters = {field: _getter(i, "") for i, field in enumerate(fields)}
            names = {"__slots__": (), "_fields": fields, "_field_defaults": defaults}
            return type(name, (_Tuple,), {**getters, **names, "__match_args__": fields, **body})

    class _Tuple(tuple):
        """What named tuples have in common."""

        __slots__ = ()
        _fields: ClassVar[tuple[str, ...]] = ()
        _field_defaults: ClassVar[dict[str, Any]] = {}

        def __new__(cls, *args: Any, **kwargs: Any) -> Any:
            """Make the first instance of a class, and the method that makes the next ones."""
            named = next(base for base in cls.__mro__ if "_fields" in vars(base))
            defaults = named._field_defaults.values()
            full = collections.namedtuple(named.__name__, named._fields, defaults=defaults)
            named.__new__ = full.__new__
            return named.__new__(cls, *args, **kwargs)

        @classmethod
        def _make(cls, iterable: Iterable[Any]) -> Any:
            values = tuple(iterable)
            if len(values) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(values)}")
            return tuple.__new__(cls, values)

        def _replace(self, /, **values: Any) -> Any:
            new = self._make([values.pop(name, old) for name, old in zip(self._fields, self)])
            if values:
                raise ValueError(f"Got unexpected field names: {[*values]!r}")
            return new

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self))

        def __repr__(self) -> str:
            fields = (f"{name}={value!r}" for name, value in zip(self._fields, self))
            return f"{type(self).__name__}({', '.join(fields)})"

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

    NamedTuple = type.__new__(_NamedTupleMeta, "NamedTuple", (), {"__slots__": ()})
