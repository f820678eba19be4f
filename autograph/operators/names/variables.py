"""Reads of variables that may be undefined, and of the result of a ``return`` in a loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.diagnostics.user_frame import user_frame
from autograph.operators.control.conditionals import nothing, staged_if
from autograph.operators.control.raises import raise_stmt
from autograph.operators.state.sentinels import MaybeValue


def read(variable: Callable[[], Any], name: str) -> Any:
    """Return the value of a variable that may not be assigned.

    Raises UnboundLocalError, with Python's text, when it is not; at run time when that depends on a
    staged value.
    """
    return _certain(variable, name, _unbound_error)


def free(variable: Callable[[], Any], name: str) -> Any:
    """Return the value of a variable of an enclosing function, as ``read`` does.

    Raises NameError, with Python's text for such a variable, when it is not assigned.
    """
    return _certain(variable, name, _unassociated_error)


def _certain(
    variable: Callable[[], Any], name: str, missing: Callable[[str], NameError]
) -> Any:
    try:
        value = variable()
    except NameError:
        raise raise_stmt(missing(name)) from None
    if not isinstance(value, MaybeValue):
        return value
    backend = value.ag__backend

    def complain() -> None:
        error = missing(name)
        for note in _is_assigned(name):
            error.add_note(note)
        raise raise_stmt(error)

    staged_if(backend, value.ag__present, nothing, complain)
    return value.ag__value


def _is_assigned(name: str) -> list[str]:
    """Return what to say of the lines that assign a variable, on paths that may not be taken."""
    from autograph.analysis.assignment_lines import stores  # costs an import

    frame = user_frame()
    places = [] if frame is None else stores(frame, name)
    return [f"'{name}' is assigned only at {p.filename}:{p.line}: {p.text}" for p in places]


def _unbound_error(name: str) -> UnboundLocalError:
    return UnboundLocalError(
        f"cannot access local variable '{name}' where it is not associated with a value"
    )


def _unassociated_error(name: str) -> NameError:
    return NameError(
        f"cannot access free variable '{name}' where it is not associated with a value in "
        "enclosing scope"
    )


def defined(variable: Callable[[], Any]) -> Any:
    """Whether a variable is assigned; staged when that depends on a staged value."""
    try:
        value = variable()
    except NameError:
        return False
    return value.ag__present if isinstance(value, MaybeValue) else True


def value(variable: Callable[[], Any]) -> Any:
    """Return the value of a variable for which ``defined`` holds."""
    result = variable()
    return result.ag__value if isinstance(result, MaybeValue) else result
