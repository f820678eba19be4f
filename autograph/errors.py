"""The errors that autograph raises: one class each, one renderer, one page in ``autograph/pages``.

An error has a ``message``, a line of the user's code (``where``), further lines that explain it
(``related_lines``) and a suggestion (``help``); its page is named after its class.  Errors that are
TypeErrors in TensorFlow are TypeErrors here.  ``ConversionError`` is raised while a function is
converted, ``StagingError`` while a converted function is traced.  Handlers in converted code catch
neither of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self


class RelatedLine(NamedTuple):
    """A line of the user's code that explains an error, and its role in it."""

    filename: str
    line: int
    role: str
    text: str


class AutoGraphError(Exception):
    """Base class of all errors that autograph itself raises.

    ``subject`` is the variable, attribute or item that the error is about, as in the user's source;
    it is empty for the value that a function returns.
    """

    def __init__(
        self,
        message: str,
        *,
        where: tuple[str, int] | None = None,
        help: str | None = None,
        subject: str | None = None,
        related_lines: Sequence[RelatedLine] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.help = help
        self.subject = subject
        self.related_lines = tuple(related_lines)

    def __str__(self) -> str:
        return render(self)

    def again(self) -> Self:
        """A copy of the error without a traceback, so that a cached error keeps no frames alive."""
        made = type(self)(
            self.message, where=self.where, help=self.help, subject=self.subject,
            related_lines=self.related_lines,
        )  # fmt: skip
        made.__cause__ = self.__cause__
        return made


class ConversionError(AutoGraphError):
    """A function could not be converted."""


class NoSourceError(ConversionError):
    """The source of a function cannot be found, or has changed since the function was defined."""


class NotAFunctionError(ConversionError):
    """The object to convert has no Python code: a builtin, a C function, a class, a value."""


class UnsupportedSyntaxError(ConversionError):
    """The function uses a construct that cannot be converted."""


class StagingError(AutoGraphError):
    """A converted function could not be staged."""


class JoinError(StagingError):
    """The values of a variable on two paths cannot become one staged value."""


class DtypeJoinError(JoinError, TypeError):
    """A variable has one dtype or kind on one path, and another on the other."""


class ShapeJoinError(JoinError):
    """The shape of a loop variable violates its shape invariant."""


class StructureJoinError(JoinError, TypeError):
    """A variable is a collection of one type, length or set of keys, and then of another."""


class EffectError(StagingError):
    """A staged path changes a Python object in a way that cannot be staged."""


class NeverReturnsError(StagingError):
    """Every path through a function raises, so it has no value to return."""


class ConcreteValueError(StagingError, TypeError):
    """Python needs a concrete value, but the value is staged."""


class UnconvertedError(ConcreteValueError):
    """Code that is not converted uses a staged value where a concrete one is needed."""


def unknown_name(module: str, name: str, known: Iterable[str]) -> AttributeError:
    """The error for a name that a module has not; it proposes the nearest of ``known``.

    ``known`` may hold names of other modules, in full: ``other.module.name``.
    """
    text = f"module {module!r} has no attribute {name!r}"
    if not name.startswith("_"):
        from difflib import get_close_matches  # costs an import

        names = {full.rpartition(".")[2]: full for full in known}
        close = [name] if name in names else get_close_matches(name, names, 1, 0.7)
        close = close or sorted((n for n in names if n.endswith(f"_{name}")), key=len)
        if close:
            text += f"; did you mean {names[close[0]]!r}?"
    return AttributeError(text, name=name)  # with an ``obj``, Python would propose it once more


def page(kind: type[AutoGraphError]) -> str:
    """The name of the page about an error class, such as ``dtype_join``: a file in ``pages/``.

    A subclass that a backend defines has the page of its base class here.
    """
    package = __name__.partition(".")[0]
    kind = next(base for base in kind.__mro__ if base.__module__.partition(".")[0] == package)
    words = re.findall("[A-Z][a-z]*", kind.__name__.removesuffix("Error"))
    return "_".join(words).lower()


def render(error: AutoGraphError) -> str:
    """Render an error: ``file:line: message``, then the related lines, the help and the page."""
    text = error.message
    if error.where is not None:
        text = f"{error.where[0]}:{error.where[1]}: {text}"
    lines = [text, *(_related_line(related, error.where) for related in error.related_lines)]
    if error.help is not None:
        lines.append(f"help: {error.help}")
    if type(error) not in _BASES:
        lines.append(f"see: autograph explain {page(type(error))}")
    return "\n  ".join(lines)


_BASES = (AutoGraphError, StagingError)


def _related_line(related: RelatedLine, where: tuple[str, int] | None) -> str:
    here = where is not None and related.filename == where[0]
    line = f"line {related.line}" if here else f"{related.filename}:{related.line}"
    return f"{line}, {related.role}: {related.text}"
