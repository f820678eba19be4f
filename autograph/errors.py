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
from typing import Self

from autograph.named_tuples import NamedTuple


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
        """Return a copy without a traceback, so that a cached error keeps no frames alive."""
        copy = type(self)(
            self.message, where=self.where, help=self.help, subject=self.subject,
            related_lines=self.related_lines,
        )  # fmt: skip
        copy.__cause__ = self.__cause__
        return copy


class RunTimeLimit(Exception):
    """Mix-in for errors about limits that only graphs have; no handler catches them."""


class ConversionError(AutoGraphError):
    """Raised when a function cannot be converted."""

    is_transient = False
    """Whether the stack was so deep that another conversion may succeed."""


class NoSourceError(ConversionError):
    """Raised when a function's source cannot be found, or has changed since its definition."""


class NotAFunctionError(ConversionError):
    """Raised when the object to convert has no Python code: a builtin, a C function, a class, a
    value.
    """


class UnsupportedSyntaxError(ConversionError):
    """Raised when a function uses a construct that cannot be converted."""


class StagingError(AutoGraphError):
    """Raised when a converted function cannot be staged."""


class JoinError(StagingError):
    """Raised when the values of a variable on two paths cannot be joined into one staged value."""


class DtypeJoinError(JoinError, TypeError):
    """Raised when a variable has one dtype or kind on one path, and another on the other."""


class ShapeJoinError(JoinError):
    """Raised when the shape of a loop variable violates its shape invariant."""


class StructureJoinError(JoinError, TypeError):
    """Raised when a variable's collections differ in type, length or keys between paths."""


class EffectError(StagingError):
    """Raised when a staged path changes a Python object in a way that cannot be staged.

    ``holder`` is the list, dict or set that changes, where one does: what traces functions for
    later calls may carry it.
    """

    holder: object = None

    def of(self, holder: object) -> Self:
        """Return the error, which tells what collection changes."""
        self.holder = holder
        return self


class NeverReturnsError(StagingError):
    """Raised when every path through a function raises, so that it has no value to return."""


class InternalFaultError(StagingError):
    """Raised when staging fails by a fault of autograph's or a backend's own, which is the cause of
    the error.
    """


class ConcreteValueError(StagingError, TypeError):
    """Raised when Python needs a concrete value, but the value is staged."""


class UnconvertedError(ConcreteValueError):
    """Raised when unconverted code uses a staged value where a concrete one is needed."""


class UnrollingWarning(UserWarning):
    """Issued when a graph holds the operations of each of very many turns of a loop."""


def unknown_name(module: str, name: str, known: Iterable[str]) -> AttributeError:
    """Return the error for a name that a module lacks; it proposes the nearest of ``known``.

    ``known`` may hold qualified names of other modules: ``other.module.name``.
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
    """Return the page name of an error class, such as ``dtype_join``: a file in ``pages/``.

    A subclass that a backend defines, or of which ``has_page`` is false, has that of its base.
    """
    package = __name__.partition(".")[0]
    kind = next(
        base for base in kind.__mro__
        if issubclass(base, AutoGraphError) and vars(base).get("has_page", True)
        and base.__module__.partition(".")[0] == package
    )  # fmt: skip
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
    is_same_file = where is not None and related.filename == where[0]
    line = f"line {related.line}" if is_same_file else f"{related.filename}:{related.line}"
    return f"{line}, {related.role}: {related.text}"
