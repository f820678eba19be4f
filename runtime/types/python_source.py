"""Emitter of Python text: what engines and packers write out becomes one function.

A function that is written out for one graph or one layout of results has no loop over what is known
beforehand.  Everything that is written out is written by this class: it names values, keeps those
that exist before the function runs, indents lines and compiles them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.types.source_location import PACKAGE_FOLDER

MISS = object()
"""What a function gives that is written out for some arguments, where it is called with others."""


class PythonSource:
    """Text of one Python function, written line by line.

    ``constants`` are the values that lines may name from the start.
    """

    def __init__(self, **constants: Any) -> None:
        self.lines: list[str] = []
        """Lines of the body, indented."""
        self.names: dict[str, Any] = constants
        """Values that exist before the function runs, by their names: its globals."""
        self._count = 0
        self._known: dict[int, str] = {}

    def fresh(self, letter: str) -> str:
        """A name nobody has yet."""
        self._count += 1
        return f"{letter}{self._count}"

    def known(self, value: Any, letter: str) -> str:
        """The name of a value that exists before the function runs."""
        name = self._known.get(id(value))
        if name is None:
            name = self._known[id(value)] = self.fresh(letter)
            self.names[name] = value
        return name

    def line(self, text: str, depth: int = 1) -> int:
        """Add a line to the body, ``depth`` blocks deep; returns its number, counted from 1."""
        self.lines.append("    " * depth + text)
        return len(self.lines)

    def compile(self, name: str, parameters: Sequence[str]) -> Callable[..., Any]:
        """The function.  Tracebacks show ``<name>`` in the package's folder as its file."""
        text = "\n".join([f"def {name}({', '.join(parameters)}):", *self.lines])
        exec(compile(text, f"{PACKAGE_FOLDER}<{name}>", "exec"), self.names)
        function: Callable[..., Any] = self.names[name]
        return function
