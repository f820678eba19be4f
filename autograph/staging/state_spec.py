"""What staging knows of a state: the ground of the staging protocol.

Everything in the protocol is functional: state goes in, state comes out.  The operators that
converted code calls know how to read and write the user's variables; a backend knows how to
trace.  Between them stands a :class:`Plan`, which says how the state of a statement is laid out
as the backend's own values.  A backend never looks into the state itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

Spec = Any
"""A backend's own description of one value (dtype, shape ...); hashable, comparable."""


class Plan(Protocol):
    """How one state is laid out as a flat list of a backend's values.

    ``specs`` describes the values, in order, and ``names`` says, for messages, whose variables
    they are.  ``lower`` turns a state into such values (converting,
    filling in what is undefined) and must run inside the trace the state was made in; ``lift``
    turns values back into a state; ``widen`` gives the plan that also holds another state, which
    is equal to this one when nothing had to change.
    """

    @property
    def specs(self) -> Sequence[Spec]: ...
    @property
    def names(self) -> Sequence[str]: ...

    def lower(self, state: Any) -> list[Any]: ...
    def lift(self, values: Sequence[Any]) -> Any: ...
    def widen(self, state: Any) -> Plan: ...
