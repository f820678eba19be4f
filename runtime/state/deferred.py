"""Values that wait for variables which are not made yet.

Those who give variables to a module call ``resolve``.  While something waits, setting an attribute
of a module does, too; at other times modules are as any object.
"""

from __future__ import annotations

from typing import Any, Protocol

from runtime.state.module import Module
from runtime.state.variable import Variable


class Waiting(Protocol):
    """Values that wait."""

    def resolve(self) -> None:
        """Give values to the variables that are there."""


WAITING: list[Any] = []
"""What waits; most programs have nothing here."""


def wait(one: Waiting) -> None:
    """Add what waits."""
    if not any(other is one for other in WAITING):
        WAITING.append(one)
        Module.__setattr__ = _set_and_resolve  # type: ignore[method-assign, assignment]


def finish(one: Waiting) -> None:
    """Remove what waits no longer."""
    WAITING[:] = [other for other in WAITING if other is not one]
    if not WAITING and "__setattr__" in vars(Module):
        del Module.__setattr__


def resolve() -> None:
    """Let everything that waits look for its variables."""
    for one in list(WAITING):
        one.resolve()


def _set_and_resolve(module: Module, name: str, value: Any) -> None:
    object.__setattr__(module, name, value)
    if isinstance(value, Variable | Module | list | tuple | dict):
        resolve()
