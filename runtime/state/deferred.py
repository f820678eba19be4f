"""Values that wait for variables which are not made yet.

Those who give variables to a module call ``resolve``.  While something waits, setting an attribute
of a module does, too, and so does the first use of a variable that was made since: it may have been
put into a list.  At other times modules and variables are as any object.
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


def wait(waiting: Waiting) -> None:
    """Add what waits."""
    if not any(other is waiting for other in WAITING):
        WAITING.append(waiting)
        Module.__setattr__ = _set_and_resolve  # type: ignore[method-assign, assignment]
        Variable._start = _start_unused  # type: ignore[method-assign, assignment]


def finish(waiting: Waiting) -> None:
    """Remove what waits no longer."""
    WAITING[:] = [other for other in WAITING if other is not waiting]
    if not WAITING and "__setattr__" in vars(Module):
        del Module.__setattr__
        Variable._start = _start  # type: ignore[method-assign]


def resolve() -> None:
    """Let everything that waits look for its variables."""
    for waiting in list(WAITING):
        waiting.resolve()


def _set_and_resolve(module: Module, name: str, value: Any) -> None:
    object.__setattr__(module, name, value)
    if isinstance(value, Variable | Module | list | tuple | dict):
        resolve()


_start = Variable._start


def _start_unused(variable: Variable, *args: Any) -> None:
    _start(variable, *args)
    if type(variable) is Variable:
        variable.__class__ = _Unused


class _Unused(Variable):
    """Variable that was made while values wait, until its value is asked for or set."""

    @property
    def _storage(self) -> Any:
        self.__class__ = Variable  # type: ignore[assignment]
        resolve()
        return self._storage

    name = property(lambda self: vars(self)["_storage"].name)
    dtype = property(lambda self: vars(self)["_storage"].dtype)
    shape = property(lambda self: vars(self)["_storage"].shape)
