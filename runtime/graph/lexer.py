"""Lexer of graph texts: splits a line into names, types and values, for parser.py."""

from __future__ import annotations

import ast
import re
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.ops.array.indexing import KeyInput
from runtime.types.dtypes import DTYPES, DType, as_dtype
from runtime.types.errors import InvalidArgumentError
from runtime.types.graph_literals import BY_NAME, GraphLiteral
from runtime.types.shapes import TensorShape, TensorSpec, dims_text

_DTYPES = frozenset([dtype.name for dtype in DTYPES] + ["bfloat16"])
_NAME = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.\\/>-]*")
_WORD = re.compile(r"[A-Za-z_]\w*")
_OBJECT = re.compile(r"[A-Za-z0-9_.:/-]+")
_TEXT = re.compile(r"b?('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")
_REAL = r"(?:nan|inf|\d+\.?\d*(?:e[+-]?\d+)?|\.\d+)"
_COMPLEX = re.compile(rf"\(-?{_REAL}[+-]{_REAL}j\)|-?{_REAL}j")
_NUMBER = re.compile(rf"-?{_REAL}")
_CONSTANTS = {"None": None, "True": True, "False": False}


class ObjectReference(NamedTuple):
    """Reference ``@name`` to an object."""

    name: str


class GraphReference(NamedTuple):
    """Reference ``&name`` to a graph."""

    name: str


class LiteralCall(NamedTuple):
    """Attribute that is written as a call, whose fields may hold references."""

    literal: GraphLiteral
    fields: dict[str, Any]


class Elided(NamedTuple):
    """Array that was written in short."""


class Type(NamedTuple):
    """Type of a tensor: ``float32~[?, 2]``."""

    dtype: DType
    weak: bool
    dims: Any

    @property
    def shape(self) -> TensorShape:
        """Dimensions as a TensorShape."""
        return TensorShape(self.dims)

    def __str__(self) -> str:
        return f"{self.dtype.name}{'~' if self.weak else ''}{dims_text(self.dims)}"


class Lexer:
    """Lexer of one line, from left to right."""

    def __init__(self, text: str, number: int) -> None:
        self.text = text.rstrip()
        self.number = number
        self.indent = len(text) - len(text.lstrip(" "))
        self.at = self.indent

    def error(self, message: str) -> InvalidArgumentError:
        """Make the error for this line, with the current position marked."""
        column = min(self.at, len(self.text)) - self.indent
        return InvalidArgumentError(
            f"graph text, line {self.number}: {message}\n  {self.text.strip()}\n  {' ' * column}^"
        )

    # -- pieces -------------------------------------------------------------------------------

    def starts(self, text: str) -> bool:
        """Return whether a word is next."""
        match = re.compile(rf"{re.escape(text)}(?![\w(:=/.-])").match(self.text, self.at)
        return match is not None and " = " not in self.text[self.at : self.at + len(text) + 3]

    def word(self, text: str) -> bool:
        """Consume a word if it is next."""
        if not self.starts(text):
            return False
        self.at += len(text)
        self.blanks()
        return True

    def blanks(self) -> None:
        """Skip blanks."""
        while self.text.startswith(" ", self.at):
            self.at += 1

    def sign(self, text: str) -> bool:
        """Consume a sign if it is next."""
        if not self.text.startswith(text, self.at):
            return False
        self.at += len(text)
        self.blanks()
        return True

    def expect(self, text: str) -> None:
        """Consume a sign, or raise an error."""
        if not self.sign(text):
            raise self.error(f"expected {text!r} here")

    def match(self, pattern: re.Pattern[str], expected: str) -> str:
        """Consume text that matches a pattern, or raise an error."""
        match = pattern.match(self.text, self.at)
        if match is None:
            raise self.error(f"expected {expected} here")
        self.at = match.end()
        return match.group()

    def at_end(self) -> bool:
        """Return whether the end of the line is reached."""
        self.blanks()
        return self.at >= len(self.text)

    def expect_end(self, text: str = "") -> None:
        """Raise an error if more than ``text`` is left."""
        self.blanks()
        if text:
            self.expect(text)
        if not self.at_end():
            raise self.error("expected the end of the line here")

    # -- parts of lines -----------------------------------------------------------------------

    def is_header(self) -> bool:
        """Return whether the line names a graph and its inputs: ``name(...):``."""
        return self.text.endswith(":") and " = " not in self.text

    def header(self) -> tuple[str, list[tuple[str, Type]]]:
        """Parse a graph's name, and the names and types of its inputs."""
        match = re.compile(r"[^()\s]+").match(self.text, self.at)
        name = "" if match is None else match.group()
        self.at += len(name)
        self.expect("(")
        inputs: list[tuple[str, Type]] = []
        while not self.sign(")"):
            if inputs:
                self.expect(",")
            label = self.match(_NAME, "the name of an input")
            self.expect(":")
            inputs.append((label, self.type()))
        return name, inputs

    def label(self) -> tuple[str, int | None]:
        """Parse ``key:`` or ``key[0]:`` before a graph."""
        key = self.match(_WORD, "the attribute that holds a graph, as in 'body_graph: body(...)'")
        index = None
        if self.sign("["):
            index = int(self.match(re.compile(r"\d+"), "a number"))
            self.expect("]")
        self.expect(":")
        return key, index

    def operation(self) -> tuple[str, str, list[tuple[str, int]], dict[str, Any]]:
        """Parse ``name = op(operands, key=value)``."""
        name = self.match(_NAME, "the name of an operation")
        self.blanks()
        self.expect("=")
        row = self.match(_WORD, "the name of an op")
        self.expect("(")
        operands: list[tuple[str, int]] = []
        attrs: dict[str, Any] = {}
        while not self.sign(")"):
            if operands or attrs:
                self.expect(",")
            key = re.compile(r"([A-Za-z_]\w*)=").match(self.text, self.at)
            if key is not None:
                self.at = key.end()
                attrs[key.group(1)] = self.value()
            elif attrs:
                raise self.error("expected key=value here: inputs precede attributes")
            else:
                operands.append(self.operand())
        return name, row, operands, attrs

    def operand(self) -> tuple[str, int]:
        """Parse ``name`` or ``name:1``."""
        name = self.match(_NAME, "the name of a tensor")
        match = re.compile(r":(\d+)").match(self.text, self.at)
        if match is None:
            return name, 0
        self.at = match.end()
        return name, int(match.group(1))

    def operands(self) -> list[tuple[str, int]]:
        """Parse names of tensors up to the end."""
        operands = [self.operand()]
        while self.sign(","):
            operands.append(self.operand())
        return operands

    def types(self) -> list[Type]:
        """Parse ``: float32[], int64~[]``, if there are results."""
        if not self.sign(":"):
            return []
        types = [self.type()]
        while self.sign(","):
            types.append(self.type())
        return types

    def after(self) -> list[str]:
        """Parse ``after a, b``, if there are control inputs."""
        self.blanks()
        if not self.word("after"):
            return []
        return [name for name, _ in self.operands()]

    def type(self) -> Type:
        """Parse ``float32~[?, 2]``."""
        name = self.match(_WORD, "a type, as in float32[2, ?]")
        if name not in _DTYPES:
            raise self.error(f"there is no dtype {name!r}")
        weak = self.sign("~")
        parsed = Type(as_dtype(name), weak, self.dims())
        self.blanks()
        return parsed

    def dims(self) -> tuple[int | None, ...] | None:
        """Parse ``[?, 2]``; return None for ``[*]``."""
        self.expect("[")
        if self.sign("*"):
            self.expect("]")
            return None
        dims: list[int | None] = []
        while not self.sign("]"):
            if dims:
                self.expect(",")
            unknown = self.sign("?")
            dims.append(None if unknown else int(self.match(re.compile(r"\d+"), "a size or ?")))
        return tuple(dims)

    # -- attributes ---------------------------------------------------------------------------

    def value(self) -> Any:
        """Parse the value of an attribute."""
        value = self._value()
        self.blanks()
        return value

    def _value(self) -> Any:
        if self.sign("@"):
            return ObjectReference(self.match(_OBJECT, "the name of an object"))
        if self.sign("&"):
            return GraphReference(self.match(_OBJECT, "the name of a graph"))
        if self.sign("$"):
            return KeyInput(int(self.match(re.compile(r"\d+"), "a number")))
        if self.sign("..."):
            return ...
        for pattern, make in ((_TEXT, ast.literal_eval), (_COMPLEX, complex), (_NUMBER, _number)):
            match = pattern.match(self.text, self.at)
            if match is not None and not _WORD.match(self.text, match.end()):
                self.at = match.end()
                return make(match.group())
        if self.sign("("):
            return tuple(self._items(")"))
        if self.sign("["):
            items = self._items("]")
            return Elided() if ... in items or Elided() in items else items
        return self._spelled(self.match(_WORD, "a value"))

    def _items(self, end: str) -> list[Any]:
        items: list[Any] = []
        while not self.sign(end):
            if items:
                self.expect(",")
                if self.sign(end):
                    break
            items.append(self.value())
        return items

    def _spelled(self, word: str) -> Any:
        if word in _CONSTANTS:
            return _CONSTANTS[word]
        if word == "shape":
            return TensorShape(self.dims())
        if word in _DTYPES:
            dtype = as_dtype(word)
            return TensorSpec(self.dims(), dtype) if self.text.startswith("[", self.at) else dtype
        if word in ("slice", "empty", "array"):
            self.expect("(")
            items = self._items(")")
            if word == "slice":
                return slice(*items)
            if word == "empty":
                return np.empty(items, object)
            return np.array(items[1], items[0].as_numpy_dtype)
        if word in BY_NAME:
            return self._literal(BY_NAME[word])
        raise self.error(f"{word!r} is no value")

    def _literal(self, literal: GraphLiteral) -> Any:
        self.expect("(")
        fields: dict[str, Any] = {}
        while not self.sign(")"):
            if fields:
                self.expect(",")
            name = self.match(_WORD, "the name of a field")
            self.expect("=")
            fields[name] = self.value()
        return LiteralCall(literal, fields)


def _number(text: str) -> int | float:
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text)
