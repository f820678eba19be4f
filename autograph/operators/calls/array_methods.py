"""Methods of arrays of Python's, called in converted code while a backend records.

    a.copy()        =>  ag__.call(a.copy)()      the array is noted (array_creations.py)
    a.fill(x)       =>  ag__.call(a.fill)(x)     EffectError, where the array would hold 'x'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.state.array_creations import note_creation
from autograph.operators.state.outside_arrays import constant_changes
from autograph.staging.protocol import Backend
from autograph.staging.registry import staging_backend_of

_CHANGING = ("fill", "itemset", "partition", "put", "resize", "setfield", "sort")


def method(
    function: Any, otherwise: Callable[..., Any], backend: Backend
) -> Callable[..., Any]:
    """Return what to call instead of a method of an array; ``otherwise`` where none has its way."""
    holder = function.__self__

    def call(*args: Any, **kwargs: Any) -> Any:
        arguments = (*args, *kwargs.values())
        if staging_backend_of(arguments) is not None:
            if function.__name__ in _CHANGING:
                raise constant_changes(holder, "is given a staged value")
            of_class: Any = getattr(type(holder), function.__name__, None)
            stand_in = backend.builtins.get(of_class)
            if stand_in is not None:
                return stand_in(holder, *args, **kwargs)
        return note_creation(otherwise(*args, **kwargs), (holder, *arguments))

    return call
