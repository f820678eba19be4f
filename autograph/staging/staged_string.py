"""Staged strings: the results of f-strings, ``%`` and ``str`` with staged values in them.

A part of the staging protocol: ``operators.containers.strings`` makes them; backends print, raise
and return them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.staging.registry import staging_backend, staging_backend_of, tracing_backend
from autograph.syntax.data_classes import dataclass


@dataclass(frozen=True, eq=False)
class FormattedPart:
    """Part of a staged string that ``make(*args)`` formats, as ``%`` and ``str.format`` do."""

    make: Callable[..., str]
    args: tuple[Any, ...]

    def __str__(self) -> str:
        try:
            return self.make(*self.args)
        except (TypeError, ValueError, NotImplementedError):  # '%d' of what has no value yet
            return ", ".join(map(str, self.args))


class Snapshot(Protocol):
    """Copy of a value at the time it was formatted: its staged leaves, and how to rebuild it."""

    leaves: list[Any]

    def rebuild(self, values: Sequence[Any]) -> Any:
        """Return the value with ``values`` in place of the leaves."""


class StagedText:
    """Text with staged values in it, made by an f-string, ``str``, ``format`` or ``%``.

    ``parts`` are literal texts, fields ``(value, conversion, format)`` as in an f-string, and
    FormattedParts; values and formats may be StagedTexts themselves, values a Snapshot.  A backend
    that prints or raises one formats it with concrete values by ``format_with``.
    """

    __slots__ = ("parts", "kept")

    def __init__(self, parts: tuple[Any, ...]) -> None:
        self.parts = parts
        self.kept: Any = None  # set by a backend: the value that it made of the text, and where

    def values(self) -> list[Any]:
        """Return the values of all fields, in order."""
        values: list[Any] = []
        for piece in self.parts:
            if not isinstance(piece, str):
                of_piece = piece.args if isinstance(piece, FormattedPart) else (piece[0], piece[2])
                for item in of_piece:
                    values += _values(item)
        return values

    def format_with(self, values: Sequence[Any]) -> str:
        """Return the string, with concrete values in place of those of ``values()``."""
        return self._format_with(iter(values))

    def _format_with(self, values: Iterator[Any]) -> str:
        def take(item: Any) -> Any:
            if isinstance(item, StagedText):
                return item._format_with(values)
            if hasattr(type(item), "rebuild"):
                return item.rebuild([take(leaf) for leaf in item.leaves])
            return next(values)

        convert: dict[str, Callable[[Any], Any]] = {
            "": lambda value: value, "s": str, "r": repr, "a": ascii
        }
        texts = []
        for piece in self.parts:
            if isinstance(piece, FormattedPart):
                texts.append(piece.make(*map(take, piece.args)))
            elif isinstance(piece, tuple):
                value = convert[piece[1]](take(piece[0]))
                texts.append(format(value, take(piece[2])))
            else:
                texts.append(piece)
        return "".join(texts)

    def __add__(self, other: Any) -> StagedText:
        pieces = _text_parts(other)
        return NotImplemented if pieces is None else StagedText((*self.parts, *pieces))

    def __radd__(self, other: Any) -> StagedText:
        pieces = _text_parts(other)
        return NotImplemented if pieces is None else StagedText((*pieces, *self.parts))

    def __str__(self) -> str:
        """Return the text that a print during tracing shows: the symbolic values, unformatted."""
        return "".join(str(p[0]) if isinstance(p, tuple) else str(p) for p in self.parts)

    def __repr__(self) -> str:
        return f"<staged text {str(self)!r}>"

    def __bool__(self) -> bool:
        raise self._unknown()

    def __len__(self) -> int:
        raise self._unknown()

    def __iter__(self) -> Iterator[str]:
        raise self._unknown()

    def __getitem__(self, key: Any) -> Any:
        return self.staged()[key]

    def __mul__(self, count: Any) -> Any:
        return self.staged() * count

    __rmul__ = __mul__

    def __lt__(self, other: Any) -> Any:
        return self.staged() < as_staged(other)

    def __le__(self, other: Any) -> Any:
        return self.staged() <= as_staged(other)

    def __gt__(self, other: Any) -> Any:
        return self.staged() > as_staged(other)

    def __ge__(self, other: Any) -> Any:
        return self.staged() >= as_staged(other)

    def __getattr__(self, name: str) -> Any:
        if not hasattr(str, name) or name.startswith("__"):
            raise AttributeError(f"'str' object has no attribute {name!r}")
        return getattr(self.staged(), name)

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, str | StagedText) and staging_backend(other) is None:
            return False
        return self.staged() == as_staged(other)

    def __ne__(self, other: object) -> Any:
        if not isinstance(other, str | StagedText) and staging_backend(other) is None:
            return True
        return self.staged() != as_staged(other)

    def __hash__(self) -> int:
        raise self._unknown()

    def staged(self) -> Any:
        """Return the string as one staged value of the backend."""
        backend = staging_backend_of(self.values()) or tracing_backend()
        if backend is None:
            raise self._unknown()
        return backend.text(self)

    def _unknown(self) -> Exception:
        return ConcreteValueError(
            "the characters of a text with a staged value in it are known only at run time",
            where=user_line(),
            help="use it in print, raise or assert, or create it outside of the staged function",
        )


def as_staged(value: Any) -> Any:
    """Return a text with staged values in it as one staged value; any other value itself."""
    return value.staged() if type(value) is StagedText else value


def _values(item: Any) -> list[Any]:
    """Return the staged values in a field."""
    if isinstance(item, StagedText):
        return item.values()
    if hasattr(type(item), "rebuild"):
        return [value for leaf in item.leaves for value in _values(leaf)]
    return [item]


def _text_parts(value: Any) -> tuple[Any, ...] | None:
    if isinstance(value, StagedText):
        return value.parts
    return (value,) if isinstance(value, str) else None
