"""Reads and writes the variables of converted code through the closure cells of its bodies.

A state is a list of values, one for each variable that a converted statement names.  ``heap``
covers what the statement changes inside objects.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any


class Undefined:
    """Value in the state of a variable that is not assigned."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNDEFINED"


UNDEFINED = Undefined()


class Raised(BaseException):
    """End of a staged path: its exception was staged to be raised at run time.

    It never leaves the operators, and is not an Exception, so that no handler of the user catches
    it.
    """


class Local:
    """Local variable of an operator, used as one of the symbols of a statement that it runs."""

    __slots__ = ("name", "value")

    def __init__(self, name: str, value: Any = UNDEFINED) -> None:
        self.name = name
        self.value = value

    def write(self, value: Any) -> None:
        """Assign it."""
        self.value = value


Symbols = tuple[str | Local, ...]


class State:
    """Symbols that one converted statement changes, as its bodies see them."""

    def __init__(self, symbols: Sequence[str | Local], bodies: Sequence[Any]) -> None:
        self.names = tuple([s if isinstance(s, str) else s.name for s in symbols])
        functions = [body for body in bodies if isinstance(body, types.FunctionType)]
        self._cells: dict[Any, types.CellType] = {}
        self._globals: dict[str, Any] = {}
        for function in functions:
            self._globals = function.__globals__
            closure = function.__closure__ or ()
            self._cells.update(zip(function.__code__.co_freevars, closure, strict=True))
        self._accessors = [
            self._accessor(s) if isinstance(s, str) else (partial(getattr, s, "value"), s.write)
            for s in symbols
        ]

    def add(self, inner: State) -> None:
        """Add the symbols of another state, whose variables may have the same names."""
        self.names += inner.names
        self._accessors += inner._accessors
        own_cells = frozenset(map(id, self._cells.values()))
        its_cells = inner._cells.items()
        self._cells.update({(n, id(c)): c for n, c in its_cells if id(c) not in own_cells})

    def read(self) -> list[Any]:
        """Return the current values; UNDEFINED for variables that are not assigned."""
        return [read() for read, _ in self._accessors]

    def write(self, values: Sequence[Any]) -> None:
        """Assign the values; UNDEFINED deletes the variable."""
        for (_, write), value in zip(self._accessors, values, strict=True):
            write(value)

    def variables(self) -> dict[Any, Any]:
        """Return the values of all variables that the bodies refer to."""
        return {name: contents(cell) for name, cell in self._cells.items()}

    def restore(self, variables: dict[Any, Any]) -> None:
        """Undo every assignment to a variable since ``variables()``."""
        for name, value in variables.items():
            cell = self._cells[name]
            if contents(cell) is not value:
                _write_cell(cell, value)

    @property
    def cells(self) -> Sequence[types.CellType]:
        """Return the cells of all variables that the bodies refer to."""
        return tuple(self._cells.values())

    def _accessor(self, name: str) -> tuple[Callable[[], Any], Callable[[Any], None]]:
        if name in self._cells:
            cell = self._cells[name]
            return lambda: contents(cell), lambda value: _write_cell(cell, value)
        namespace = self._globals

        def write(value: Any) -> None:
            if value is UNDEFINED:
                namespace.pop(name, None)
            else:
                namespace[name] = value

        return lambda: namespace.get(name, UNDEFINED), write


def contents(cell: types.CellType) -> Any:
    """Return the contents of a cell; UNDEFINED where it is empty."""
    try:
        return cell.cell_contents
    except ValueError:
        return UNDEFINED


def _write_cell(cell: types.CellType, value: Any) -> None:
    if value is not UNDEFINED:
        cell.cell_contents = value
    elif contents(cell) is not UNDEFINED:
        del cell.cell_contents
