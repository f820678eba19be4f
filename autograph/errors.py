"""Every error a user can meet: one small class each, one renderer.

An error says what happened (``message``), where (the user's file and line) and what to write
instead (``help``).  ``ConversionError`` is raised while a function is converted, ``StagingError``
while a converted function is traced.  Handlers in converted code never swallow either.
"""

from __future__ import annotations


class AutoGraphError(Exception):
    """Base of all errors that autograph itself raises."""

    def __init__(
        self, message: str, *, where: tuple[str, int] | None = None, help: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.help = help

    def __str__(self) -> str:
        return render(self)


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


class EffectError(StagingError):
    """A path that depends on a staged value changes a Python object in a way no graph can."""


class ConcreteValueError(StagingError):
    """Python needs a value now, where only a staged one exists."""


def render(error: AutoGraphError) -> str:
    """The text of an error: ``file:line: message``, then a line of help."""
    text = error.message
    if error.where is not None:
        text = f"{error.where[0]}:{error.where[1]}: {text}"
    if error.help is not None:
        text = f"{text}\n  help: {error.help}"
    return text
