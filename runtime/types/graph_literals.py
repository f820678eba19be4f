"""Attributes of operations that graph texts write as calls: ``random_source(seed=3, base=None)``.

A class is registered here with the names of its fields.  printer.py writes its instances, and
lexer.py makes them anew.  A text can call nothing else, so reading one runs no code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from autograph.named_tuples import NamedTuple

T = TypeVar("T")


class GraphLiteral(NamedTuple):
    """Class of attributes that graph texts spell out.

    fields  name of each field -> classes that its value may have
    make    function of the fields, by name
    """

    name: str
    cls: type
    fields: dict[str, tuple[type, ...]]
    make: Callable[..., Any]

    def of(self, values: dict[str, Any]) -> Any:
        """Return the attribute that has these fields; ValueError for others."""
        if values.keys() != self.fields.keys():
            raise ValueError(f"{self.name}() has the fields {', '.join(self.fields)}")
        for name, kinds in self.fields.items():
            value = values[name]
            is_other = isinstance(value, bool) and bool not in kinds  # bool is a kind of int
            if is_other or not isinstance(value, kinds):
                kind_names = " or ".join([kind.__name__ for kind in kinds])
                raise ValueError(f"{self.name}(): {name} is {kind_names}, not {value!r}")
        return self.make(**values)


BY_NAME: dict[str, GraphLiteral] = {}
BY_CLASS: dict[type, GraphLiteral] = {}


def graph_literal(
    name: str, make: Callable[..., Any] | None = None, /, **fields: tuple[type, ...]
) -> Callable[[type[T]], type[T]]:
    """Register a class, whose instances have ``fields`` as attributes; decorator of the class."""

    def decorate(cls: type[T]) -> type[T]:
        BY_NAME[name] = BY_CLASS[cls] = GraphLiteral(name, cls, fields, make or cls)
        return cls

    return decorate
