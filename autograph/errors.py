"""Every error a user can meet: one small class each, one renderer, one page of ``docs/errors``.

An error says what happened (``message``), where (the user's file and line), which other lines
matter (``related_lines``) and what to write instead (``help``); its page is named after its class.
What is a TypeError in TensorFlow is one here.
``ConversionError`` is raised while a function is converted, ``StagingError`` while a converted
function is traced.  Handlers in converted code never swallow either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Self


class RelatedLine(NamedTuple):
    """A line of the user's that bears on an error, and what it has to do with it."""

    filename: str
    line: int
    role: str
    text: str


class AutoGraphError(Exception):
    """Base of all errors that autograph itself raises.

    ``subject`` is the variable, attribute or item that the error is about, as its user spells it;
    empty for the value that a function returns.
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
        """A new error that says the same: to raise what was kept, which must hold no frames."""
        made = type(self)(
            self.message, where=self.where, help=self.help, subject=self.subject,
            related_lines=self.related_lines,
        )  # fmt: skip
        made.__cause__ = self.__cause__
        return made


class ConversionError(AutoGraphError):
    """A function could not be converted."""


class NoSourceError(ConversionError):
    """The source of a function cannot be found, or no longer fits the function."""


class NotAFunctionError(ConversionError):
    """What was to be converted has no Python code: a builtin, a C function, a class, a value."""


class UnsupportedSyntaxError(ConversionError):
    """The function uses a construct that cannot be converted."""


class StagingError(AutoGraphError):
    """A converted function could not be staged as it stands."""


class JoinError(StagingError):
    """The values of a variable on two paths cannot become one staged value."""


class DtypeJoinError(JoinError, TypeError):
    """A variable has one dtype or kind on one path, and another on the other."""


class ShapeJoinError(JoinError):
    """A loop variable leaves the shape that it was promised to keep."""


class StructureJoinError(JoinError, TypeError):
    """A variable is a collection of one type, length or set of keys, and then of another."""


class EffectError(StagingError):
    """A path that depends on a staged value changes a Python object in a way no graph can."""


class NeverReturnsError(StagingError):
    """Every way through a function raises, so that it has no value to hand out."""


class ConcreteValueError(StagingError, TypeError):
    """Python needs a value now, where only a staged one exists."""


class UnconvertedError(ConcreteValueError):
    """Code that is not converted asks a staged value for what only a concrete one has."""


def page(kind: type[AutoGraphError]) -> str:
    """The page about a class of errors: ``docs/errors/dtype_join.md``.

    A backend's own class is explained on the page of the class that it builds on.
    """
    package = __name__.partition(".")[0]
    kind = next(base for base in kind.__mro__ if base.__module__.partition(".")[0] == package)
    words = re.findall("[A-Z][a-z]*", kind.__name__.removesuffix("Error"))
    return f"docs/errors/{'_'.join(words).lower()}.md"


def render(error: AutoGraphError) -> str:
    """The text of an error: ``file:line: message``, then its other lines, help and page."""
    text = error.message
    if error.where is not None:
        text = f"{error.where[0]}:{error.where[1]}: {text}"
    lines = [text, *(_related_line(related, error.where) for related in error.related_lines)]
    if error.help is not None:
        lines.append(f"help: {error.help}")
    if type(error) not in _BASES:
        lines.append(f"see {page(type(error))}")
    return "\n  ".join(lines)


_BASES = (AutoGraphError, StagingError)


def _related_line(related: RelatedLine, where: tuple[str, int] | None) -> str:
    here = where is not None and related.filename == where[0]
    line = f"line {related.line}" if here else f"{related.filename}:{related.line}"
    return f"{line}, {related.role}: {related.text}"
