"""Specs of values and states: the lowest module of the staging protocol.

The protocol is functional: state goes in, state comes out.  The operators read and write the user's
variables; a backend traces.  A :class:`StateSpec` describes a state as a flat list of the backend's
values; a backend never looks into the state itself.

Objects of a library in the hands of user code are state if their class says ``__stateful__ =
True``: then tracing follows their attributes as it follows those of the user's own objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from autograph.syntax.data_classes import dataclass

Spec = Any
"""A backend's own description of one value (dtype, shape ...); hashable, comparable."""


class StagedValue:
    """Base class of autograph's own staged values, which a backend evaluates at run time."""

    __slots__ = ()

    backend: Any


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()
"""Marker for a value that a path does not have: the backend may use any value of the spec."""


@dataclass(frozen=True)
class StateSpec:
    """Layout of one state as a flat list of a backend's values.

    ``specs`` describes the values, in order; ``names`` are their names in messages. ``layout`` is
    private to the operators: how the state is made of the values.
    """

    specs: Sequence[Spec] = field(compare=False)
    names: Sequence[str] = field(compare=False)
    layout: Any = None
