"""NamedTuple, as ``typing`` has it, made in a third of the time.

Modules that the first import and the first call need define 150 of them.  ``typing.NamedTuple``
compiles the annotation of each field, which nobody asks for here.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class _NamedTupleMeta(type):
        """Metaclass that turns the body of a class into a named tuple."""

        def __new__(
            cls, name: str, bases: tuple[type, ...], body: dict[str, Any]
        ) -> type[tuple[Any, ...]]:
            fields = tuple(body.get("__annotations__", ()))
            defaults = [body.pop(field) for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for key, value in body.items():
                setattr(made, key, value)
            return made

    NamedTuple = type.__new__(_NamedTupleMeta, "NamedTuple", (), {"__slots__": ()})
