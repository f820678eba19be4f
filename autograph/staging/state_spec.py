"""What staging knows of values and states: the ground of the staging protocol.

Everything in the protocol is functional: state goes in, state comes out.  The operators that
converted code calls know how to read and write the user's variables; a backend knows how to
trace.  Between them stands a :class:`StateSpec`, which says as which of the backend's own values
a state is laid out.  A backend never looks into the state itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Spec = Any
"""A backend's own description of one value (dtype, shape ...); hashable, comparable."""


class StagedValue:
    """Base of autograph's own values that are known only at run time, by means of a backend."""

    __slots__ = ()

    backend: Any


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()
"""Stands among values to be converted where a path has none: any value will do."""


@dataclass(frozen=True)
class StateSpec:
    """How one state is laid out as a flat list of a backend's values.

    ``specs`` describes the values, in order, and ``names`` says, for messages, whose they are.
    ``layout`` is the operators' own: how the state is made of the values.
    """

    specs: Sequence[Spec] = field(compare=False)
    names: Sequence[str] = field(compare=False)
    layout: Any = None
